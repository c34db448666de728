"""Dict comprehensions that take the items of a mapping that an option names, or all if it is not given."""

from __future__ import annotations

import pytest

from tests.support import lint, marks

CHECKS = """\
import functools
from concurrent.futures import ProcessPoolExecutor

CHECKS, ONLY = {{}}, None


def check(code):
    def decorate(function):
        CHECKS[code] = function

        @functools.wraps(function)
        def timed(*arguments):
            return function(*arguments)

        return timed

    return decorate


@check("W1")
def spaces(text):
    return text.count(" ")


def run(select=None):
    wanted = {{code: function for code, function in CHECKS.items() if {test}}}
    with ProcessPoolExecutor() as pool:
        return [pool.submit(each, "a b").result() for each in wanted.values()]


if __name__ == "__main__":
    run()
"""


def found(test: str) -> list[str]:
    return [code for _, code in marks(CHECKS.format(test=test))]


@pytest.mark.parametrize(
    "test",
    [
        "select is None or code in select",
        "not select or code in select",
        "select is None or code.startswith(select)",
        "function and (select is None or code in select)",
        "(select is None or code in select) and code != 'W2'",
    ],
)
def test_all_items_if_an_option_is_not_given(test: str) -> None:
    assert found(test) == ["LP209"]


@pytest.mark.parametrize(
    "test",
    [
        "code in select",
        "code.startswith('W')",
        "code != 'W1'",
        "ONLY is None or code in ONLY",
        "select is not None or code in ONLY",
        "select is None and code != 'W1'",
        "(select is None or code in select) and code != 'W1'",
        "(select is None or code in select) and code.startswith('E')",
    ],
)
def test_what_is_left_is_not_known_or_without_the_value(test: str) -> None:
    assert found(test) == []


@pytest.mark.parametrize(
    ("test", "confidence"), [("select is None or code in select", "likely"), ("function", "certain")]
)
def test_an_option_that_may_be_given_leaves_it_likely(test: str, confidence: str) -> None:
    diagnostics = lint(CHECKS.format(test=test)).diagnostics
    assert [(each.code, each.confidence.value) for each in diagnostics] == [("LP209", confidence)]
