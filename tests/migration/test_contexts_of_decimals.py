"""Contexts in which workers start, and what workers reckon with by their types. Measured with CPython 3.11, NumPy 2 and
torch 2.13: a forked worker has what the context sets, under spawn and forkserver it has the default. A pool forks when
it is made, an executor when it gets its first task. The working directory goes along under every method."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import contextlib
import decimal
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from decimal import Decimal

import numpy as np


@dataclass(frozen=True)
class Deposit:
    owner: str
    amount: Decimal
    rate: {type}

    def after(self, days):
        balance = self.amount
        for _ in range(days):
            balance += balance * self.rate / 365
        return balance


def accrue(deposit):
    {first}
    return deposit.owner, deposit.after(30)


def run(policy, deposits):
    {run}


def main():
    print(run(decimal.Context(prec=7), [Deposit("ann", {value}, {value})]))


if __name__ == "__main__":
    main()
"""
AROUND = """with {context}:
        with ProcessPoolExecutor(2) as executor:
            return list(executor.map(accrue, deposits))"""
AROUND_MAP = """with ProcessPoolExecutor(2) as executor:
        {before}
        with decimal.localcontext(policy):
            return list(executor.map(accrue, deposits))"""
AROUND_POOL = """with decimal.localcontext(policy), mp.Pool(2) as pool:
        return pool.map(accrue, deposits)"""
AROUND_TASKS = """with mp.Pool(2) as pool:
        with decimal.localcontext(policy):
            return pool.map(accrue, deposits)"""
LOCAL = AROUND.format(context="decimal.localcontext(policy)")
OWN = "decimal.getcontext().prec = 7"


def said(folder: Path, run: str, first: str = "pass", type_: str = "Decimal") -> Verdict:
    value = "Decimal('1')" if type_ == "Decimal" else "1.0"
    code = CODE.format(run=run, first=first, type=type_, value=value)
    return worst(migrated(folder, code.replace("amount: Decimal", f"amount: {type_}")))


@pytest.mark.parametrize(
    "run",
    [
        LOCAL,
        AROUND.format(context="decimal.localcontext() as context").replace(
            ":\n        with", ":\n        context.prec = 7\n        with"
        ),
        AROUND_MAP.format(before="pass"),
        AROUND_POOL,
    ],
)
def test_contexts_in_which_workers_start_are_not_theirs(run: str, tmp_path: Path) -> None:
    assert said(tmp_path, run) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("run", "first", "type_"),
    [
        (LOCAL, OWN, "Decimal"),  # The worker makes its own.
        (LOCAL, "pass", "float"),
        (AROUND.format(context="contextlib.chdir('/usr')"), "pass", "Decimal"),
        (AROUND.format(context="np.errstate(divide='raise')"), "pass", "Decimal"),
        (AROUND_TASKS, "pass", "Decimal"),  # It is the same under fork.
        (AROUND_MAP.format(before="print(list(executor.map(accrue, deposits)))"), "pass", "Decimal"),
        ("with decimal.localcontext(policy):\n        total = policy.prec\n    with mp.Pool(total) as pool:\n"
         "        return pool.map(accrue, deposits)", "pass", "Decimal"),
    ],
)  # fmt: skip
def test_what_workers_do_not_miss(run: str, first: str, type_: str, tmp_path: Path) -> None:
    assert said(tmp_path, run, first, type_) is Verdict.READY
