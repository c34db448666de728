"""Loops that surely run: what a variable held before is gone behind them."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import pickle


def save(rows, count):
    steps = 3
    value = lambda: 0
    {head}:
        {body}
    return pickle.dumps(value)
"""


def is_told(head: str, body: str = "value = 1") -> bool:
    return bool(marks(PROGRAM.format(head=head, body=body)))


@pytest.mark.parametrize(
    "iterable",
    [
        *("[1, 2]", "(1,)", "{1}", "{'a': 1}", "'ab'", "[*rows, 1]"),
        *("range(3)", "range(steps)", "range(1, 4)", "range(0, 9, 3)"),
        *("enumerate(range(3))", "reversed([1, 2])", "sorted('ab')", "zip([1, 2], range(2))"),
        "enumerate('ab', start=1)",
    ],
)
def test_iterables_that_have_an_element(iterable: str) -> None:
    assert not is_told(f"for each in {iterable}")


@pytest.mark.parametrize(
    "iterable",
    [
        *("[]", "rows", "[*rows]", "''", "{**rows}", "range(0)", "range(count)", "range(3, 3)", "range(3, 0)"),
        *("range(0, 9, -1)", "range(*rows)", "enumerate(rows)", "zip([1], rows)", "zip([1], *rows)", "map(int, '1')"),
    ],
)
def test_iterables_that_may_have_none(iterable: str) -> None:
    assert is_told(f"for each in {iterable}")


def test_loops_that_end_by_break_only() -> None:
    assert not is_told("while True", "value = 1\n        if rows:\n            break")
    assert is_told("while True", "if rows:\n            break\n        value = 1")
    assert is_told("while rows", "value = 1")


@pytest.mark.parametrize(
    "body",
    [
        "if each:\n            value = 1",
        "if each:\n            continue\n        value = 1",
        "if each:\n            break\n        value = 1",
        "try:\n            value = int(each)\n        except ValueError:\n            pass",
    ],
)
def test_rounds_that_may_leave_it(body: str) -> None:
    assert is_told("for each in range(3)", body)
