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


TOLD = """\
import multiprocessing
import sys

RATES = None


def load_rates():
    global RATES
    RATES = {{"EUR": 1.0}}


def convert(currency):
    return 10 / RATES[currency]


def serve(jobs, replies):
    for currency in iter(jobs.get, None):
        try:
            replies.put({fine})
        except Exception as error:
            replies.put({failed})


def main():
    load_rates()
    jobs, replies = multiprocessing.Queue(), multiprocessing.Queue()
    process = multiprocessing.Process(target=serve, args=(jobs, replies))
    process.start()
    jobs.put("EUR")
    jobs.put(None)
    status, value = replies.get()
    process.join()
    {asks}
    print(status, value)


if __name__ == "__main__":
    main()
"""
FINE, FAILED = '("ok", convert(currency))', '("error", repr(error))'


@pytest.mark.parametrize(
    "asks",
    [
        'if status != "ok":\n        sys.exit(1)',
        'if status == "error":\n        raise RuntimeError(value)',
        'if status == "error":\n        print(value)\n        sys.exit(value)',
    ],
)
def test_errors_that_main_is_told_and_ends_by_break(asks: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, TOLD.format(fine=FINE, failed=FAILED, asks=asks))) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("failed", "asks"),
    [
        pytest.param(FAILED, "pass", id="not asked for"),
        pytest.param(FAILED, 'if status != "ok":\n        print(value)', id="only shown"),
        pytest.param(FAILED, 'if status == "error":\n        sys.exit(0)', id="without an error"),
        pytest.param(FAILED, 'if status == "ok":\n        sys.exit(1)', id="for what is fine"),
        pytest.param(FAILED, 'if status == "stopped":\n        sys.exit(1)', id="for something else"),
        pytest.param(FAILED, 'if value != "ok":\n        sys.exit()', id="plain exit"),
        pytest.param('("ok", 0.0)', 'if status != "ok":\n        sys.exit(1)', id="told as fine"),
    ],
)
def test_errors_that_main_is_told_and_goes_on(failed: str, asks: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, TOLD.format(fine=FINE, failed=failed, asks=asks))) is Verdict.CHANGES
