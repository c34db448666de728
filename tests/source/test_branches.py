"""Which rows no single run gets to, by marks in the text: `A` and `B` stand on one row each."""

from __future__ import annotations

import ast

import pytest

from lintpickle.source.branches import exclude_each_other

EXCLUDING = {
    "branches": "if x:\n    A\nelse:\n    B",
    "branches, the other way round": "if x:\n    B\nelse:\n    A",
    "a chain": "if x:\n    A\nelif y:\n    pass\nelif z:\n    B",
    "in a function": "def f():\n    if x:\n        A\n    else:\n        B",
    "deeper": "if x:\n    with y:\n        A\nelse:\n    try:\n        B\n    except E:\n        pass",
    "behind a return": "def f():\n    if x:\n        A\n        return\n    B",
    "behind a raise in the other branch": (
        "def f():\n    if x:\n        pass\n    else:\n        A\n        raise E\n    B"
    ),
    "cases": "match x:\n    case 1:\n        A\n    case 2:\n        pass\n    case 3:\n        B",
    "in a suite of a with statement": "with y:\n    if x:\n        A\n    else:\n        B",
    "in a loop that does not change the condition": (
        "for i in y:\n    if self.x > 1 and z:\n        A\n    else:\n        B\n    self.y = i"
    ),
    "in a handler": "try:\n    pass\nexcept E:\n    if x:\n        A\n    else:\n        B",
}
TOGETHER = {
    "one branch": "if x:\n    A\n    B",
    "behind a branch": "if x:\n    A\nB",
    "before it": "A\nif x:\n    B\n    raise E",
    "two conditions": "if x:\n    A\nif y:\n    B",
    "a loop": "for x in y:\n    if x:\n        A\n    else:\n        B",
    "a loop that stores": "for i in y:\n    if self.x:\n        A\n    else:\n        B\n        self.x = 1",
    "a loop that asks": "while y:\n    if x():\n        A\n    else:\n        B",
    "an inner loop": "for x in y:\n    for z in y:\n        if x:\n            A\n        else:\n            B",
    "behind a continue": "while y:\n    if x:\n        A\n        continue\n    B",
    "the condition itself": "if A:\n    pass\nelse:\n    B",
    "a return deeper down": "def f():\n    if x:\n        A\n        if y:\n            return\n    B",
    "a handler": "try:\n    A\nexcept E:\n    B",
}


def _row(text: str, mark: str) -> int:
    return next(row for row, line in enumerate(text.splitlines(), 1) if mark in line.split() or f"{mark}:" in line)


def _exclude(text: str) -> bool:
    return exclude_each_other(ast.parse(text), _row(text, "A"), _row(text, "B"))


@pytest.mark.parametrize("text", EXCLUDING.values(), ids=EXCLUDING)
def test_rows_that_exclude_each_other(text: str) -> None:
    assert _exclude(text)


@pytest.mark.parametrize("text", TOGETHER.values(), ids=TOGETHER)
def test_rows_that_one_run_may_get_to(text: str) -> None:
    assert not _exclude(text)
