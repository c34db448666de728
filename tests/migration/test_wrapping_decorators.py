"""What decorators change around the function that starts the workers. The programs were run with CPython 3.11 under
fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PROGRAM = """\
import decimal
import functools
import multiprocessing as mp

LEVEL = {at_import}
TABLE = {{"kind": "plain"}}


class Config:
    name = "default"
    seen = []


def load():
    global LEVEL
    LEVEL = 3


def plain(function):
    @functools.wraps(function)
    def wrapper(*args):
        {plain}

    return wrapper


def made(value):
    def decorate(function):
        def inner(*args, **options):
            Config.name = value
            Config.seen.append(function.__name__)
            return function(*args, **options)

        return inner

    return decorate


class Precise:
    def __init__(self, digits):
        self.digits = digits

    def __call__(self, function):
        def inner(*args):
            before = decimal.getcontext().prec
            decimal.getcontext().prec = self.digits
            try:
                return function(*args)
            finally:
                decimal.getcontext().prec = before

        return inner


class Rich:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        TABLE["kind"] = "rich"
        return self.function(*args)


{of_other}
def other():
    return 1


{of_worker}
def work(row):
    return row, {reads}


{decorator}
def run(rows):
    with mp.Pool(2) as pool:
        return pool.map(work, rows)


{at_end}
if __name__ == "__main__":
    print(other())
    print(run([1, 2]))
"""
BEFORE = "global LEVEL\n        LEVEL = 2\n        return function(*args)"
AFTER = "global LEVEL\n        result = function(*args)\n        LEVEL = 2\n        return result"
CALLS = "load()\n        return function(*args)"


def verdict(
    tmp_path: Path,
    decorator: str = "@plain",
    reads: str = "LEVEL",
    plain: str = BEFORE,
    at_import: str = "0",
    of_worker: str = "",
    of_other: str = "",
    at_end: str = "",
) -> Verdict:
    code = PROGRAM.format(
        decorator=decorator,
        reads=reads,
        plain=plain,
        at_import=at_import,
        of_worker=of_worker,
        of_other=of_other,
        at_end=at_end,
    )
    return worst(migrated(tmp_path, code))


@pytest.mark.parametrize(
    ("decorator", "reads", "plain"),
    [
        ("@plain", "LEVEL", BEFORE),
        ("@plain", "LEVEL", CALLS),
        ('@made("big")', "Config.name", BEFORE),
        ('@made("big")', "list(Config.seen)", BEFORE),
        ("@Precise(5)", "decimal.Decimal(row) / 3", BEFORE),
        ("@Rich", 'TABLE["kind"]', BEFORE),
    ],
    ids=["global", "by a function", "attribute", "list", "taken back", "class"],
)
def test_what_a_decorator_changes_workers_lack(decorator: str, reads: str, plain: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, decorator, reads, plain) is Verdict.CHANGES


def test_what_is_none_without_the_decorator_breaks(tmp_path: Path) -> None:
    assert verdict(tmp_path, reads="row * LEVEL", at_import="None") is Verdict.BREAKS


def test_the_decorator_may_stand_in_another_module(tmp_path: Path) -> None:
    home, _, _ = PROGRAM.partition("{of_other}")
    (tmp_path / "marks.py").write_text(home.format(at_import="0", plain=BEFORE), encoding="utf-8")
    code = """\
import multiprocessing as mp

import marks
from marks import Config, made


def work(row):
    return Config.name, row


class Job:
    @{decorator}
    def run(self, rows):
        with mp.Pool(2) as pool:
            return pool.map(work, rows)


if __name__ == "__main__":
    print(Job().run([1, 2]))
"""
    assert worst(migrated(tmp_path, code.format(decorator='made("big")'))) is Verdict.CHANGES
    assert worst(migrated(tmp_path, code.format(decorator="marks.made('big')"))) is Verdict.CHANGES
    assert worst(migrated(tmp_path, code.format(decorator="marks.plain"))) is Verdict.READY


def test_what_is_not_taken_back_holds_for_later_starts(tmp_path: Path) -> None:
    assert verdict(tmp_path, decorator="", of_other="@plain") is Verdict.CHANGES


def test_a_decorator_that_the_module_calls_itself_is_not_followed(tmp_path: Path) -> None:
    called = verdict(tmp_path, decorator="", at_end="other = plain(other)")
    assert called is Verdict.READY  # gap: `other()` sets it in the main process alone


@pytest.mark.parametrize(
    "options",
    [
        {"plain": AFTER},
        {"of_worker": "@plain"},
        {"decorator": "", "of_other": "@Precise(5)", "reads": "decimal.Decimal(row) / 3"},
        {"of_other": "@plain", "at_end": "ONE = other()"},
    ],
    ids=["only afterwards", "around the worker's function too", "left by then", "at import, too"],
)
def test_what_workers_have_too_or_main_has_not(options: dict[str, str], tmp_path: Path) -> None:
    assert verdict(tmp_path, **options) is Verdict.READY
