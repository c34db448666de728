"""LP103: local-function-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP103"


CHECKED = """
import enum
import pickle
from typing import Generic, TypeVar

from library import Model

K = TypeVar("K")
V = TypeVar("V")


{}
    def __init__(self, check):
        self.check = check


class Records:
    def __init__(self):
        def check_of(kind):
            def check(value):
                return isinstance(value, kind)

            return check

        self.by_name = Table{}(check_of(str))


def save(path):
    with open(path, "wb") as file:
        pickle.dump(Records(), file)
"""


@pytest.mark.parametrize(
    ("class_", "types", "codes"),
    [
        ("class Table:", "", ["LP103"]),
        ("class Table(Generic[K]):", "[str]", ["LP103"]),
        ("class Table(Generic[K, V]):", "[str, int]", ["LP103"]),
        ("class Base(Generic[K, V]):\n    pass\n\n\nclass Table(Base[K, V]):", "[str, int]", ["LP103"]),
        ("class Table[K, V]:", "[str, int]", ["LP103"]),
        ("class Table(dict):", "[str, int]", ["LP103"]),
        ("class Table(enum.Enum):\n    small = 1", "['small']", []),
        ("class Table(Model):", "[str]", []),
        ("class Table:\n    def __class_getitem__(cls, kind):\n        return choose(kind)\n", "[str]", []),
    ],
)
def test_a_generic_class_that_is_called_with_its_types(class_: str, types: str, codes: list[str]) -> None:
    assert [each.code for each in lint(CHECKED.format(class_, types)).diagnostics] == codes


@pytest.mark.parametrize(
    ("kept", "written"),
    [
        ("clipping(3)", "`clip`, which `clipping(3)` gives,"),
        ("same", "`same`"),
    ],
)
def test_the_message_names_the_function_and_the_call_that_gives_it(kept: str, written: str) -> None:
    source = f"""
import pickle

def clipping(limit):
    def clip(value):
        return min(value, limit)
    return clip

class Column:
    def __init__(self, step):
        self.step = step

def main():
    def same(value):
        return value

    pickle.dumps(Column({kept}))
"""
    (found,) = lint(source).diagnostics
    assert found.message.startswith(f"local function {written} is kept in `Column.step`")
