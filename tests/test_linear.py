"""The linear engine does what `re.sub` does, but never for long."""

from __future__ import annotations

import re
import time

import pytest

from lintpickle.catalog.linear import Linear, Refused
from lintpickle.catalog.reading import builtin_rows

TEXTS = (
    "TypeError: cannot pickle '_io.BufferedReader' object",
    "AttributeError: Can't pickle local object 'f.<locals>.<lambda>'",
    "attribute lookup C.D on a.b failed",
    "Can't get attribute 'f' on <module '__main__' (built-in)>",
    "<module '__main__' (built-in)> aaa ab b\n",
    "",
)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(row.values["pattern"], row.values["text"]) for row in builtin_rows() if row.table == "wording"]
    + [
        ("a", "b"),
        ("a*", "-"),
        ("(a|ab)(c|b|)", r"[\1.\2]"),
        (r"(\w+?)\b", r"<\g<1>>"),
        ("(?:a+)?b{1,2}$", r"\\"),
        ("^(.)(x)?", r"\1\2"),
        ("[^a-c '(]+", "_"),
        (r"(\w+) (\w+)", r"\2 \1"),
        (r"\B.", ""),
    ],
)
def test_it_is_as_re_says(pattern: str, text: str) -> None:
    linear = Linear(pattern, text)
    for each in TEXTS:
        assert linear.sub(each) == re.sub(pattern, text, each)


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\w+)*x", "(.*)(.*)(.*)(.*)(.*)z", "(a|a)*b", "(?:){4000000000}b"])
def test_no_text_takes_long(pattern: str) -> None:
    started = time.process_time()
    Linear(pattern, "").sub("a" * 500 + "!")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a)\\1", ""),
        ("(?=a)", ""),
        ("(?i)a", ""),
        ("(", ""),
        ("a{1,9999}", ""),
        ("a", r"\1"),
        ("a", r"\q"),
        ("a", "\\"),
    ],
)
def test_what_is_refused(pattern: str, text: str) -> None:
    with pytest.raises(Refused):
        Linear(pattern, text)
