"""Contexts that set a variable of the environment in each round of a loop, in which workers start: under forkserver,
those of the second round have what the first one set.

Measured with CPython 3.11: two rounds of `with tenant(name): Pool(2).map(...)` print the first name twice."""

from __future__ import annotations

import pytest

from tests.support import changed, lint

PROGRAM = """\
import contextlib
import multiprocessing as mp
import os


@contextlib.contextmanager
def tenant(name):
    before = os.environ.get("REPORT_TENANT")
    os.environ["REPORT_TENANT"] = name
    try:
        yield name
    finally:
        os.environ["REPORT_TENANT"] = before or ""


def render(number):
    return f"{os.environ['REPORT_TENANT']}/{number}"


def bill(customer, numbers):
    with tenant(customer):
        with mp.Pool(2) as pool:
            return pool.map(render, numbers)


def run(customers):
    for customer in customers:
        print(bill(customer, range(3)))


if __name__ == "__main__":
    run(["acme", "globex"])
"""
BILL = PROGRAM[PROGRAM.index("def bill") : PROGRAM.index("def run")]
LOOP = "    for customer in customers:\n        print(bill(customer, range(3)))\n"


def _found(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    text = changed(PROGRAM, *changes)
    return [(each.code, each.confidence.value) for each in lint(text).diagnostics]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((), id="by a function that starts them"),
        pytest.param(((LOOP, "    print([bill(customer, range(3)) for customer in customers])\n"),), id="listed"),
        pytest.param((("bill(customer, range(3))", "bill(customer['name'], range(3))"),), id="a part of the element"),
        pytest.param((("tenant(customer)", "tenant(customer.name)"),), id="a part of the argument"),
        pytest.param((("tenant(customer)", "tenant(name=customer)"),), id="by keyword"),
        pytest.param(
            (
                ("def tenant(name)", "def tenant(customer)"),
                ('["REPORT_TENANT"] = name', '["REPORT_TENANT"] = customer'),
                ("yield name", "yield customer"),
            ),
            id="written as in the definition",
        ),
        pytest.param(
            (
                (LOOP, "    for customer in customers:\n        print(each(customer))\n"),
                ("def run(", "def each(customer):\n    return bill(customer, range(3))\n\n\ndef run("),
            ),
            id="by way of another function",
        ),
        pytest.param(
            (
                (
                    LOOP,
                    "    for customer in customers:\n        with tenant(customer), mp.Pool(2) as pool:\n"
                    "            print(pool.map(render, range(3)))\n",
                ),
                (BILL, ""),
            ),
            id="in the loop itself",
        ),
    ],
)
def test_another_value_in_each_round(changes: tuple[tuple[str, str], ...]) -> None:
    assert _found(*changes) == [("LP211", "likely")]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(((LOOP, "    print(bill(customers[0], range(3)))\n"),), id="once"),
        pytest.param((("tenant(customer)", 'tenant("acme")'),), id="the same each time"),
        pytest.param((("bill(customer, range(3))", "bill(customers, range(3))"),), id="not of the round"),
        pytest.param((("os.environ['REPORT_TENANT']}", "os.environ['HOME']}"),), id="another variable"),
        pytest.param((("pool.map(render, numbers)", "pool.map(len, [customer])"),), id="no worker asks for it"),
        pytest.param((("mp.Pool(2)", "mp.get_context('fork').Pool(2)"),), id="forked"),
        pytest.param((("mp.Pool(2)", "mp.get_context('spawn').Pool(2)"),), id="spawned"),
    ],
)
def test_the_same_value_or_nobody_asks(changes: tuple[tuple[str, str], ...]) -> None:
    assert _found(*changes) == []
