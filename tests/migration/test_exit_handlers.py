"""Handlers of `atexit` that the import of a module registers, and that write what workers gather. Measured with CPython
3.11 and 3.13: a forked worker does not come to them; a spawned process, worker of a pool or of an executor does as it
ends by itself (not if it is terminated), and from 3.13 on one of the server does, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict
from tests.trees import write

from .test_verdicts import migrated, worst

TELEMETRY = """\
import atexit

_events = []
_names = []


def record(name):
    _events.append(name)


def name(given):
    _names.append(given)


def _flush():
    {flush}


{register}
"""
MAIN = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import telemetry


def crunch(number):
    telemetry.record(str(number))
    {then}
    return number * number


def main():
    {main}
    {start}


if __name__ == "__main__":
    main()
"""
WRITES = """if {asked}:
        with open("telemetry.log", "a") as file:
            file.write(",".join({asked}))"""
EVENTS, NAMES = WRITES.format(asked="_events"), WRITES.format(asked="_names")
ALWAYS = 'with open("telemetry.log", "a") as file:\n        file.write("end")'
FORGETS = "if _events:\n        _events.clear()"
REGISTER = "atexit.register(_flush)"
PROCESS = "process = multiprocessing.Process(target=crunch, args=(1,))\n    process.start()\n    process.join()"
POOL = "with multiprocessing.Pool(1) as pool:\n        print(pool.map(crunch, [1]))"
EXECUTOR = "with ProcessPoolExecutor(1) as executor:\n        print(list(executor.map(crunch, [1])))"


def said(
    folder: Path,
    flush: str = EVENTS,
    register: str = REGISTER,
    start: str = PROCESS,
    then: str = "pass",
    main: str = "pass",
    to: StartMethod = StartMethod.SPAWN,
    python: str = "3.11",
) -> Verdict:
    write(folder, {"telemetry.py": TELEMETRY.format(flush=flush, register=register)})
    return worst(migrated(folder, MAIN.format(start=start, then=then, main=main), to, python))


@pytest.mark.parametrize("start", [PROCESS, POOL, EXECUTOR])
@pytest.mark.parametrize("flush", [EVENTS, ALWAYS])
def test_a_handler_that_writes(flush: str, start: str, tmp_path: Path) -> None:
    assert said(tmp_path, flush, start=start) is Verdict.CHANGES


def test_workers_of_a_server_end_so_from_3_13_on(tmp_path: Path) -> None:
    assert said(tmp_path, to=StartMethod.FORKSERVER) is Verdict.READY
    assert said(tmp_path, to=StartMethod.FORKSERVER, python="3.13") is Verdict.CHANGES


@pytest.mark.parametrize(
    ("flush", "then", "register", "main"),
    [
        (NAMES, "pass", REGISTER, "telemetry.name('run')"),  # Workers gather nothing of that.
        (FORGETS, "pass", REGISTER, "pass"),
        (EVENTS, "telemetry._flush()", REGISTER, "pass"),
        (EVENTS, "pass", "def main():\n    atexit.register(_flush)", "telemetry.main()"),
    ],
)
def test_what_workers_do_not_do_at_their_end(flush: str, then: str, register: str, main: str, tmp_path: Path) -> None:
    assert said(tmp_path, flush, register, then=then, main=main) is Verdict.READY
