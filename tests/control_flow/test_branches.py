"""Which places no single run gets to, by marks in the text: `A` and `B` stand in it once each."""

from __future__ import annotations

import ast
import re

import pytest

from lintpickle.control_flow.branches import Branches
from lintpickle.control_flow.steps import TreePosition

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
    "behind a continue": "while y:\n    if x:\n        A\n        continue\n    B",
    "behind an exit": "if x:\n    A\n    sys.exit(1)\nB",
    "behind a return in a block": "def f():\n    if x:\n        with y:\n            A\n            return\n    B",
    "behind branches that all return": (
        "def f():\n    if x:\n        if A:\n            return 1\n        else:\n            return 2\n    B"
    ),
    "arms of an expression": "s = f(A) if x else g(B)",
    "one row": "if x: A\nelse: B",
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
    "behind a continue, in a loop that stores": "for x in y:\n    if x:\n        A\n        continue\n    B",
    "behind a continue, outside of its loop": "while y:\n    if x:\n        A\n        continue\nB",
    "a loop around": "for x in y:\n    if x:\n        A\n        break\n    B",
    "the condition itself": "if A:\n    pass\nelse:\n    B",
    "a return deeper down": "def f():\n    if x:\n        A\n        if y:\n            return\n    B",
    "a handler": "try:\n    A\nexcept E:\n    B",
}


def _place(text: str, mark: str) -> TreePosition:
    rows = text.splitlines()
    return next(
        (row, found.start())
        for row, line in enumerate(rows, 1)
        if (found := re.search(rf"\b{mark}\b", line)) is not None
    )


def _exclude(text: str) -> bool:
    return Branches(ast.parse(text)).exclude_each_other(_place(text, "A"), _place(text, "B"))


@pytest.mark.parametrize("text", EXCLUDING.values(), ids=EXCLUDING)
def test_rows_that_exclude_each_other(text: str) -> None:
    assert _exclude(text)


@pytest.mark.parametrize("text", TOGETHER.values(), ids=TOGETHER)
def test_rows_that_one_run_may_get_to(text: str) -> None:
    assert not _exclude(text)


APART = {
    "an expression, then a statement": "def f(x):\n    s = 1 if x else B\n    if x:\n        A",
    "the other arm": "def f(x):\n    s = B if not x.y else 2\n    if not x.y:\n        pass\n    else:\n        A",
    "two statements": "def f(x):\n    if x:\n        A\n    g()\n    if x:\n        pass\n    else:\n        B",
    "two expressions": "def f(x):\n    s = A if x == 1 else 2\n    t = 3 if x == 1 else B",
    "stored before": "def f():\n    x = g()\n    s = 1 if x else B\n    if x:\n        A",
    "an arm in an arm": "def f(x, y):\n    s = (B if y else 1) if x else 2\n    t = 3 if x else A",
    "a negated one": "def f(x):\n    s = B if not x else 1\n    if x:\n        A",
    "behind a return": "def f(x):\n    s = 1 if x else B\n    if not x:\n        return\n    A",
    "a part of a condition": "def f(x, y):\n    s = 1 if x else B\n    if x and y:\n        A",
    "a part of one that does not hold": "def f(x, y):\n    s = B if x else 1\n    if x or y:\n        return\n    A",
    "an operand": "def f(x, y):\n    s = x and B\n    if not x:\n        A",
    "is and is not": "def f(x):\n    if x is None:\n        B\n    if x is not None:\n        A",
    "None is not true": "def f(x):\n    if x is None:\n        B\n    if x:\n        A",
    "two words": "def f(x):\n    if x == 'a':\n        B\n    if x == 'b':\n        A",
    "none or some": "def f(x):\n    if not x:\n        B\n    if x > 0:\n        A",
    "the opposite comparison": "def f(x, y):\n    if x < y:\n        B\n    if x >= y:\n        A",
    "asserted": "def f(x):\n    if x:\n        B\n    assert not x\n    A",
    "cases": "def f(x):\n    if x == 1:\n        B\n    match x:\n        case 2:\n            A",
}
SAME_RUN = {
    "the same arm": "def f(x):\n    s = B if x else 1\n    if x:\n        A",
    "other conditions": "def f(x, y):\n    s = 1 if x else B\n    if y:\n        A",
    "stored between": "def f(x):\n    s = 1 if x else B\n    x = g()\n    if x:\n        A",
    "an attribute that is stored between": "def f(x):\n    s = 1 if x.y else B\n    x.y = 2\n    if x.y:\n        A",
    "calls": "def f(x):\n    s = 1 if x() else B\n    if x():\n        A",
    "items": "def f(x):\n    s = 1 if x[0] else B\n    if x[0]:\n        A",
    "stored in the loop": "def f():\n    for x in y:\n        if x:\n            A\n        s = 1 if x else B",
    "the condition itself": "def f(x):\n    s = 1 if B else 2\n    if x:\n        A",
    "a part of a condition that does not hold": "def f(x, y):\n    s = B if x else 1\n    if not (x and y):\n        A",
    "an empty one is not None": "def f(x):\n    if not x:\n        B\n    if x is not None:\n        A",
    "nothing is less than one": "def f(x):\n    if not x:\n        B\n    if x < 1:\n        A",
    "false is zero": "def f(x):\n    if x == 0:\n        B\n    if x is False:\n        A",
    "unequal ones": "def f(x):\n    if x != 1:\n        B\n    if x != 2:\n        A",
    "another scope": "def f(x):\n    if x:\n        B\n    def g(x):\n        if not x:\n            A",
}


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_places_at_which_conditions_answer_differently(text: str) -> None:
    assert _exclude(text)


def test_a_chain_of_a_thousand_conditions_is_no_harder_than_one() -> None:
    chain = "".join(f"elif x == {n}:\n    pass\n" for n in range(500))
    text = f"if x == -1:\n    A\n{chain}else:\n    B"
    assert _exclude(text)


@pytest.mark.parametrize("text", SAME_RUN.values(), ids=SAME_RUN)
def test_places_to_which_one_run_may_get(text: str) -> None:
    assert not _exclude(text)
