"""Context managers that keep two settings in one variable, and put both back: what starts behind the `with` has them as
at import. The programs were run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated

CODE = """\
import decimal
import multiprocessing
from contextlib import contextmanager
from decimal import Decimal


@contextmanager
def precision(digits):
    context = decimal.getcontext()
    {keep}
    context.prec, context.rounding = digits, decimal.ROUND_DOWN
    try:
        yield context
    finally:
        {back}


def share(amount):
    return str(Decimal(amount) / Decimal(3))


def main():
    with precision(6):
        with multiprocessing.Pool(1) as pool:
            print(pool.map(share, ["100"]))
    with multiprocessing.Pool(1) as pool:
        print(pool.map(share, ["100"]))


if __name__ == "__main__":
    main()
"""
KEEP, BACK = "old = context.prec, context.rounding", "context.prec, context.rounding = old"


def said(folder: Path, keep: str, back: str) -> list[Verdict]:
    found = migrated(folder, CODE.format(keep=keep, back=back)).boundaries
    return [each.verdict for each in sorted(found, key=lambda each: each.spot) if each.starts]


@pytest.mark.parametrize(
    ("keep", "back"),
    [
        (KEEP, BACK),
        ("prec, rounding = context.prec, context.rounding", "context.prec, context.rounding = prec, rounding"),
        (KEEP, "context.prec, context.rounding = old[0], old[1]"),
    ],
)
def test_only_what_starts_within_differs(keep: str, back: str, tmp_path: Path) -> None:
    assert said(tmp_path, keep, back) == [Verdict.CHANGES, Verdict.READY]


@pytest.mark.parametrize(("keep", "back"), [(KEEP, "context.rounding, context.prec = old"), (KEEP, "pass")])
def test_what_is_not_put_back_so_differs_in_both(keep: str, back: str, tmp_path: Path) -> None:
    assert said(tmp_path, keep, back) == [Verdict.CHANGES, Verdict.CHANGES]
