"""The functions that library functions call of what workers give them run in workers, too."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import functools
import heapq
import itertools
import multiprocessing as mp
import re

RATE = None


class Invoice:
    def __init__(self, hours):
        self.hours = hours

    def total(self):
        return self.hours * RATE


def cost(hours, *others):
    return hours * RATE


def total_of(invoice):
    return invoice.total()


cost_of_two = functools.partial(cost, 2)


def bill(days):
    return {task}


def main():
    global RATE
    RATE = 40
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(bill, [[3, 1], [2]]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "task",
    [
        "sum(map(cost, days))",
        "sum(map(cost, days, days))",
        "[each for each in map(cost, days) if each]",
        "list(filter(cost, days))",
        "sorted(days, key=cost)",
        "max(days, key=cost)",
        "min(days[0], days[-1], key=cost)",
        "functools.reduce(cost, days)",
        "sum(itertools.starmap(cost, zip(days, days)))",
        "list(itertools.takewhile(cost, days))",
        "[key for key, _ in itertools.groupby(days, cost)]",
        "[key for key, _ in itertools.groupby(days, key=cost)]",
        "list(itertools.accumulate(days, cost))",
        "heapq.nlargest(2, days, key=cost)",
        "re.sub('a', cost, 'banana')",
        "sum(map(lambda hours: cost(hours), days))",
        "sum(map(functools.partial(cost, 2), days))",
        "sum(map(cost_of_two, days))",
        "cost_of_two(days)",
        "sum(map(total_of, [Invoice(3), Invoice(4)]))",
        "max(map(Invoice, days), key=Invoice.total)",
    ],
)
def test_functions_that_are_called_of_what_is_given(task: str) -> None:
    assert [code for _, code in marks(PROGRAM.format(task=task))] == ["LP208"]


@pytest.mark.parametrize(
    "task",
    [
        "sum(map(len, days))",
        "list(filter(None, days))",
        "sorted(days, key=len)",
        "[cost.__name__ for day in days]",
        "list(zip(days, [cost]))",
        "list(map(str, [cost]))",
        "sorted([cost], key=repr)",
        "functools.partial(len, cost)",
    ],
)
def test_functions_that_nothing_calls(task: str) -> None:
    assert marks(PROGRAM.format(task=task)) == []
