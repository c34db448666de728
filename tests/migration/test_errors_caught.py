"""What `migrate` says of errors that workers catch: they end nothing, but the results differ. Each verdict was compared
with what the program does under fork and spawn (CPython 3.11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

TABLE = """\
import contextlib
import multiprocessing

RATES = None


class RateError(Exception):
    pass


class NoRate(RateError):
    pass


def load_rates():
    global RATES
    RATES = {{"EUR": 1.0, "USD": 1.1}}


def convert(currency):
    {convert}


def work(currency):
    {work}


def main():
    load_rates()
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, ["EUR", "USD"]))


if __name__ == "__main__":
    main()
"""
PLAIN = "return 10 / RATES[currency]"
CALLS = "return convert(currency)"
ASKS = "if RATES is None:\n        raise NoRate(currency)\n    return RATES[currency]"


def tried(does: str, caught: str, handles: str) -> str:
    return f"try:\n        {does}\n    except {caught}:\n        {handles}"


@pytest.mark.parametrize(
    ("convert", "work"),
    [
        pytest.param(PLAIN, tried(CALLS, "Exception as error", "return repr(error)"), id="any error, by the caller"),
        pytest.param(PLAIN, tried(CALLS, "(KeyError, TypeError)", "return None"), id="one of several"),
        pytest.param(PLAIN, "with contextlib.suppress(TypeError):\n        return convert(currency)", id="suppressed"),
        pytest.param(ASKS, tried(CALLS, "RateError", "return None"), id="by the class from which it derives"),
        pytest.param(tried(PLAIN, "TypeError", "return None"), CALLS, id="where it is met"),
    ],
)
def test_errors_that_workers_catch_change_results(tmp_path: Path, convert: str, work: str) -> None:
    assert worst(migrated(tmp_path, TABLE.format(convert=convert, work=work))) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("convert", "work"),
    [
        pytest.param(PLAIN, CALLS, id="nowhere"),
        pytest.param(PLAIN, tried(CALLS, "KeyError", "return None"), id="another error"),
        pytest.param(ASKS, tried(CALLS, "ValueError", "return None"), id="a class from which it does not derive"),
        pytest.param(PLAIN, tried(CALLS, "TypeError as error", "raise NoRate(currency) from error"), id="raised again"),
        pytest.param(tried(PLAIN, "TypeError", "raise NoRate(currency)"), CALLS, id="another one raised there"),
        pytest.param(
            PLAIN, tried(CALLS, "TypeError", "pass") + "\n    return convert(currency)", id="caught on one of two ways"
        ),
        pytest.param(PLAIN, tried("pass", "TypeError", "pass") + "\n    return convert(currency)", id="elsewhere"),
    ],
)
def test_errors_that_workers_do_not_catch_break(tmp_path: Path, convert: str, work: str) -> None:
    assert worst(migrated(tmp_path, TABLE.format(convert=convert, work=work))) is Verdict.BREAKS
