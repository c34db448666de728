"""Changes that hold while the workers of one pool start, and are taken back before, or made after, those of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

RATES = """\
def fetch(code):
    return {"EUR": 110, "GBP": 130}[code]


def convert(code, amount):
    return fetch(code) * amount // 100
"""
HEAD = """\
import contextlib
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

import rates


def canned(code):
    return 100


def price(job):
    return rates.convert(*job)


def both(jobs):
    with mp.Pool(1) as pool:
        return pool.map(price, jobs)


"""
CLASS = """\
class Offline:
    def __enter__(self):
        self._saved = rates.fetch
        rates.fetch = canned
        return self

    def __exit__(self, *exc):
        rates.fetch = self._saved


"""
FUNCTION = """\
@contextlib.contextmanager
def Offline():
    saved = rates.fetch
    rates.fetch = canned
    try:
        yield
    finally:
        rates.fetch = saved


"""
MAIN = """\
def main():
    jobs = [("EUR", 200), ("GBP", 50)]
    {0}


if __name__ == "__main__":
    mp.set_start_method("fork")
    main()
"""
POOL = """with mp.Pool(1) as pool:
        print(pool.map(price, jobs))
    """
WITHIN, BEHIND = "with Offline():\n        print(both(jobs))\n    ", "print(both(jobs))\n    "
AGAIN = (
    "saved = rates.fetch\n    rates.fetch = canned\n    try:\n        print(both(jobs))\n    finally:\n"
    "        rates.fetch = saved\n    "
)
EXECUTOR = """with ProcessPoolExecutor(1) as pool:
        {0}
            print(list(pool.map(price, jobs)))
        print(list(pool.map(price, jobs)))
    """


def told(folder: Path, body: str) -> list[Verdict]:
    """The verdicts of the boundaries at which `price` runs, in order of the file."""
    (folder / "rates.py").write_text(RATES, encoding="utf-8")
    (folder / "main.py").write_text(HEAD + body, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return [each.verdict for each in sorted(found, key=lambda each: each.spot) if "price" in each.starts]


@pytest.mark.parametrize(
    ("manager", "main"),
    [
        pytest.param(CLASS, WITHIN + POOL, id="behind the context of a class"),
        pytest.param(FUNCTION, WITHIN + POOL, id="behind that of a function"),
        pytest.param(CLASS, POOL + WITHIN, id="before the context"),
        pytest.param("", AGAIN + POOL, id="when the old value is back"),
    ],
)
def test_workers_that_start_while_it_does_not_hold_lack_nothing(manager: str, main: str, tmp_path: Path) -> None:
    assert told(tmp_path, manager + MAIN.format(main)) == [Verdict.CHANGES, Verdict.READY]


@pytest.mark.parametrize(
    ("manager", "main"),
    [
        pytest.param(CLASS, WITHIN + BEHIND, id="of two calls one is within"),
        pytest.param(CLASS, POOL.replace("with mp", "with Offline(), mp"), id="in the same statement"),
        pytest.param(CLASS, EXECUTOR.format("with Offline():"), id="an executor starts them with its first task"),
        pytest.param(CLASS, f"Offline().__enter__()\n    {POOL}", id="never left"),
    ],
)
def test_workers_that_may_start_while_it_holds_lack_it(manager: str, main: str, tmp_path: Path) -> None:
    found = told(tmp_path, manager + MAIN.format(main))
    assert found[-1] is Verdict.CHANGES
