"""TOML that goes beyond all measure is one kind of error, with a place where there is one."""

from __future__ import annotations

import pytest

from lintpickle.toml_text import BadToml, read_toml

BAD = {
    "no TOML": ("a = 1\nb = ?\n", "Invalid value", 2),
    "digits": ("a = " + "9" * 5000, "Exceeds the limit", None),
    "lists": ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply", None),
    "tables": ("a = " + "{b = " * 5000 + "1" + "}" * 5000, "nested too deeply", None),
    "parts": ("a = 1\n" + "b." * 20_000 + "c = 1", "more than 100 parts", 2),
    "parts of a header": ("[" + "b . " * 20_000 + "c]", "more than 100 parts", 1),
    "parts within a table": ("a = {" + "b." * 20_000 + "c = 1}", "more than 100 parts", 1),
    "a date": ("a = 2024-13-45", "Expected newline|Invalid|month", None),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_toml(case: str) -> None:
    text, reason, row = BAD[case]
    with pytest.raises(BadToml, match=reason) as caught:
        read_toml(text)
    assert row is None or caught.value.row == row


def test_sentences_and_numbers_are_no_keys() -> None:
    text = f'a = "{"One sentence. " * 300}"\nb = "{"1.5, " * 300}"\n' + "c.d.e = 1\n"
    assert read_toml(text)["c"] == {"d": {"e": 1}}
