"""LP615: setstate-reads-missing."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import KEPT, indented, rows
from tests.support import lint


class TestPage(PageTests):
    code = "LP615"


_CLASS = """\
class A{base}:
    default = None

    def __init__(self, *items):
        self.items = items
        self.size = len(items)

    def __setstate__(self, state):
{body}

    def _open(self):
        self.file = open(self.items[0])

    def _fill(self, state):
        for name, value in state.items():
            setattr(self, name, value)

    def _told(self, state):
        if not state:
            return
        self.items = state["items"]
"""
_FILLS = "\nself.__dict__.update(state)"


def _rows(body: str, base: str = "", more: str = "") -> list[int]:
    return rows(_CLASS.format(base=base, body=indented(body)) + more + KEPT, "LP615")


@pytest.mark.parametrize(
    "body",
    [
        "if self.size:\n    state['size'] = 1" + _FILLS,
        "self._open()" + _FILLS,
        "self.size += 1" + _FILLS,
        "state['size'] = state.get('size', self.size)" + _FILLS,
        "if 'size' in state:\n    print(self.size)\nself.__dict__ = state",
        "if 'size' not in state:\n    state['size'] = len(self.items)\nelse:\n    state['size'] += 1" + _FILLS,
        "self.items, rest = state['items'], state\nprint(self.size)" + _FILLS,
        "for each in self.items:\n    print(each)" + _FILLS,
        "print(self.missing)" + _FILLS,
    ],
)
def test_what_is_read_too_early(body: str) -> None:
    assert _rows(body) == [8]


@pytest.mark.parametrize(
    "body",
    [
        "self.__dict__.update(state)\nself._open()",
        "self.__dict__ = state\nself._open()",
        "vars(self).update(state)\nself._open()",
        "super().__setstate__(state)\nself._open()",
        "object.__setattr__(self, 'items', state)\nself._open()",
        "for name, value in state.items():\n    setattr(self, name, value)\nself._open()",
        "for name in state:\n    self.__dict__[name] = state[name]\nprint(self.size)",
        "self._fill(state)\nself._open()",
        "self._told(state)\nself._open()",
        "self.__init__(*state['items'])\nprint(self.size)",
        "restore(self, state)\nprint(self.size)",
        "self.items = state['items']\nself._open()",
        "self.items: list = state['items']\nself._open()",
        "(self.items, self.size) = state\nprint(self.size)",
        "if state:\n    self.items = state['items']\nelse:\n    self.items = []\nself._open()",
        "if not hasattr(self, 'items'):\n    self.items = []\nself._open()",
        "if not state:\n    return\nself.__dict__.update(state)\nself._open()",
        "try:\n    self._open()\nexcept AttributeError:\n    pass" + _FILLS,
        "if self.default is None:\n    state['size'] = 1" + _FILLS,
        "if self.default is None:\n    self.items = []\nprint(self.items)" + _FILLS,
        "print(self.__class__.__name__)" + _FILLS,
    ],
)
def test_what_is_there_or_may_be(body: str) -> None:
    assert _rows(body) == []


@pytest.mark.parametrize(
    "more",
    [
        "\n    def __reduce__(self):\n        return A, self.items\n",
        "\n    def __new__(cls, *items):\n        return make(cls)\n",
        "\n    def __getattr__(self, name):\n        return None\n",
        "\n    @property\n    def missing(self):\n        return 1\n",
        "\n    class missing:\n        pass\n",
        "\n\nA.missing = 1\n",
        "\n\nfor name in ('missing',):\n    setattr(A, name, 1)\n",
    ],
)
def test_what_else_may_give_it(more: str) -> None:
    assert _rows("print(self.missing)" + _FILLS, more=more) == []


def test_a_base_that_is_not_read() -> None:
    assert _rows("self._open()" + _FILLS, base="(unknown.Base)") == []


def test_a_getattr_that_asks_for_what_is_not_there_either() -> None:
    more = "\n    def __getattr__(self, name):\n        return getattr(self.file, name)\n"
    text = _CLASS.format(base="", body=indented("print(self.missing)" + _FILLS)) + more + KEPT
    errors = [each.error for each in lint(text).diagnostics if each.code == "LP615"]
    assert errors == ["RecursionError: maximum recursion depth exceeded"]


def test_what_nobody_ships_is_only_possible() -> None:
    outcome = lint(_CLASS.format(base="", body=indented("self._open()" + _FILLS)))
    assert ([each.code for each in outcome.diagnostics], outcome.held_back) == ([], 1)
