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
