"""Workers that reckon with decimals which they are given, where only the main process sets the context. Measured with
CPython 3.11 under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import decimal
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal

LOANS = [("L-1", Decimal("250000"), 240), ("L-2", Decimal("18000"), 60)]
FLOATS = [("L-1", 250000.0, 240), ("L-2", 18000.0, 60)]


def rate(principal, months):
    {worker}


def schedule(loan):
    ident, principal, months = loan
    return ident, str(rate(principal, months))


def apart(ident, principal, months):
    return ident, str(rate(principal, months))


def by_name(loan):
    return str(loan["principal"] / 7)


def main():
    {main}
    {start}


if __name__ == "__main__":
    main()
"""
SETS = "decimal.getcontext().prec = 50"
DIVIDES = "return principal / months"
STARTS = [
    "with mp.Pool(2) as pool:\n        print(pool.map(schedule, {0}))",
    "with mp.Pool(2) as pool:\n        print(pool.starmap(apart, {0}))",
    "with ProcessPoolExecutor(2) as pool:\n        print(list(pool.map(schedule, {0})))",
    "with ProcessPoolExecutor(2) as pool:\n        print([pool.submit(schedule, each).result() for each in {0}])",
    "worker = mp.Process(target=schedule, args=({0}[0],))\n    worker.start()\n    worker.join()",
]


def said(folder: Path, start: str, worker: str = DIVIDES, main: str = SETS) -> Verdict:
    code = CODE
    if "begin" in start:
        code = code.replace("def main", f"def begin():\n    {SETS}\n\n\ndef main")
    for name, text in {"worker": worker, "main": main, "start": start}.items():
        code = code.replace(f"{{{name}}}", text)
    return worst(migrated(folder, code))


@pytest.mark.parametrize("start", [each.format("LOANS") for each in STARTS])
def test_decimals_of_the_tasks(tmp_path: Path, start: str) -> None:
    assert said(tmp_path, start) is Verdict.CHANGES


@pytest.mark.parametrize("start", [each.format("FLOATS") for each in STARTS])
def test_other_numbers(tmp_path: Path, start: str) -> None:
    assert said(tmp_path, start) is Verdict.READY


@pytest.mark.parametrize("start", [each.format("LOANS") for each in STARTS])
@pytest.mark.parametrize("worker", ["return principal", "return months / 12", 'return f"{principal} in {months}"'])
def test_decimals_that_are_not_reckoned_with(tmp_path: Path, start: str, worker: str) -> None:
    assert said(tmp_path, start, worker) is Verdict.READY


@pytest.mark.parametrize("start", [each.format("LOANS") for each in STARTS])
def test_nobody_sets_it(tmp_path: Path, start: str) -> None:
    assert said(tmp_path, start, main="print(decimal.getcontext())") is Verdict.READY


@pytest.mark.parametrize("start", [each.format("LOANS") for each in STARTS])
@pytest.mark.parametrize(
    "worker",
    [
        "with decimal.localcontext() as context:\n        context.prec = 50\n        return principal / months",
        "decimal.getcontext().prec = 50\n    return principal / months",
    ],
)
def test_workers_with_their_own(tmp_path: Path, start: str, worker: str) -> None:
    assert said(tmp_path, start, worker) is Verdict.READY


def test_workers_that_begin_with_it(tmp_path: Path) -> None:
    start = "with mp.Pool(2, begin) as pool:\n        print(pool.map(schedule, LOANS))"
    assert said(tmp_path, start) is Verdict.READY


@pytest.mark.parametrize(("made", "verdict"), [('Decimal("2")', Verdict.CHANGES), ("2.5", Verdict.READY)])
def test_items_by_name(tmp_path: Path, made: str, verdict: Verdict) -> None:
    given = f'[{{"name": "tea", "principal": {made}}}]'
    start = f"with mp.Pool(2) as pool:\n        print(pool.map(by_name, {given}))"
    assert said(tmp_path, start) is verdict


@pytest.mark.parametrize(("made", "verdict"), [('Decimal("2")', Verdict.CHANGES), ("2.5", Verdict.READY)])
def test_sums(tmp_path: Path, made: str, verdict: Verdict) -> None:
    start = f"with mp.Pool(2) as pool:\n        print(pool.starmap(rate, [([{made}, {made}], 3)]))"
    assert said(tmp_path, start, "return str(sum(principal))") is verdict
