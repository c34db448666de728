"""LP618: replayed-without-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP618"


PROGRAM = """\
import multiprocessing as mp
from collections import Counter, defaultdict
from datetime import datetime
from decimal import Decimal
class Own({base}):
    {made}
def shown(own):
    return own.unit
def main():
    own = Own({given})
    with mp.Pool(2) as pool:
        print(pool.map(shown, [own]))
if __name__ == "__main__":
    main()
"""
NEW = """\
def __new__(cls, value, {more}):
        own = {base}.__new__(cls, value)
        own.unit = unit
        return own"""
INIT = "def __init__(self, value, {more}):\n        super().__init__(value)\n        self.unit = unit"


def codes(base: str, made: str, given: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.format(base=base, made=made, given=given)) if code == "LP618"]


@pytest.mark.parametrize(
    ("base", "made", "given"),
    [
        ("Decimal", NEW.format(base="Decimal", more="unit='kg'"), "'1', 'lb'"),
        ("Decimal", NEW.format(base="Decimal", more="*, unit='kg'"), "'1', unit='lb'"),
        ("Counter", INIT.format(more="unit='kg'"), "'ab', unit='lb'"),
        ("defaultdict", INIT.format(more="unit='kg'"), "int, 'lb'"),
    ],
)
def test_what_has_its_default_again(base: str, made: str, given: str) -> None:
    assert codes(base, made, given) == ["LP618"]


def test_what_cannot_be_made_again() -> None:
    text = PROGRAM.format(base="Decimal", made=NEW.format(base="Decimal", more="unit"), given="'1', 'lb'")
    found = next(each for each in lint(text).diagnostics if each.code == "LP618")
    assert found.error == "TypeError: Own.__new__() missing 1 required positional argument: 'unit'"


@pytest.mark.parametrize(
    ("base", "made", "given"),
    [
        pytest.param("Decimal", NEW.format(base="Decimal", more="unit='kg'"), "'1'", id="never given"),
        pytest.param("float", NEW.format(base="float", more="unit='kg'"), "1, 'lb'", id="of a class that sends state"),
        pytest.param(
            "Decimal",
            NEW.format(base="Decimal", more="unit='kg'")
            + "\n    def __reduce__(self):\n        return Own, (str(self), self.unit)",
            "'1', 'lb'",
            id="sends it itself",
        ),
        pytest.param("Counter", "def __init__(self, unit):\n        self.unit = unit", "'ab'", id="what is sent"),
    ],
)
def test_what_is_kept(base: str, made: str, given: str) -> None:
    assert codes(base, made, given) == []


OUTSIDE = """\
import multiprocessing as mp
from datetime import datetime
from decimal import Decimal
from pathlib import PosixPath
class Own({base}):
    {body}
def shown(own):
    return own.unit
def main():
    own = Own({given})
    own.{attribute} = "lb"
    mp.get_context("spawn").Process(target=shown, args=(own,)).start()
if __name__ == "__main__":
    main()
"""


def outside(base: str, given: str, body: str, attribute: str = "unit") -> list[str | None]:
    found = lint(OUTSIDE.format(base=base, given=given, body=body, attribute=attribute)).diagnostics
    return [each.error for each in found if each.code == "LP618"]


MISSING = "AttributeError: 'Own' object has no attribute 'unit'"


@pytest.mark.parametrize(
    ("base", "given", "body", "error"),
    [
        ("Decimal", "'1'", "pass", MISSING),
        ("datetime", "2024, 1, 2", "unit = 'kg'", None),
        ("PosixPath", "'/a'", "unit = 'kg'", None),
        ("PosixPath", "'/a'", "pass", MISSING),
    ],
)
def test_what_is_given_from_outside(base: str, given: str, body: str, error: str | None) -> None:
    assert outside(base, given, body) == [error]


@pytest.mark.parametrize(
    ("base", "given", "body", "attribute"),
    [
        pytest.param("list", "[1]", "pass", "unit", id="a list keeps it"),
        pytest.param("str", "'a'", "pass", "unit", id="a text keeps it"),
        pytest.param("Decimal", "'1'", "pass", "shape", id="nobody reads it"),
        pytest.param("Decimal", "'1'", "def __reduce__(self):\n        return made, (self.unit,)", "unit", id="sent"),
    ],
)
def test_what_is_kept_or_not_missed(base: str, given: str, body: str, attribute: str) -> None:
    assert outside(base, given, body, attribute) == []
