"""Signals whose default action ends a worker that lacks the handler of the main process (`migrate`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

WATCHED = """\
import faulthandler
import multiprocessing as mp
import os
import signal
import time


def note(number, frame):
    print("asked")


def warm(n):
    return n + 1


def crunch(seconds):
    {first}
    time.sleep(seconds)


def install():
    {install}


def main():
    {before}
    install()
    process = mp.Process(target=crunch, args=(2.0,))
    process.start()
    time.sleep(1.0)
    {send}
    process.join()


if __name__ == "__main__":
    main()
"""
DUMPS = "faulthandler.register(signal.SIGUSR1, all_threads=False)"
IGNORES = "signal.signal(signal.SIGUSR1, signal.SIG_IGN)"
SENDS = "os.kill(process.pid, signal.SIGUSR1)"
POOL = "with mp.Pool(1) as pool:\n        print(pool.map(warm, [1, 2]))"


def said(folder: Path, first: str, install: str, before: str, send: str, to: StartMethod) -> Verdict:
    return worst(migrated(folder, WATCHED.format(first=first, install=install, before=before, send=send), to))


@pytest.mark.parametrize(
    ("install", "before", "send", "to"),
    [
        pytest.param(DUMPS, "pass", SENDS, StartMethod.SPAWN, id="faulthandler"),
        pytest.param("signal.signal(signal.SIGUSR1, note)", "pass", SENDS, StartMethod.SPAWN, id="a handler"),
        pytest.param(IGNORES, POOL, SENDS, StartMethod.FORKSERVER, id="ignored when the server runs"),
    ],
)
def test_workers_that_a_signal_ends_break(
    install: str, before: str, send: str, to: StartMethod, tmp_path: Path
) -> None:
    assert said(tmp_path, "pass", install, before, send, to) is Verdict.BREAKS


def test_a_worker_that_is_told_to_end_changes(tmp_path: Path) -> None:
    install = "signal.signal(signal.SIGTERM, note)"
    assert said(tmp_path, "pass", install, "pass", "process.terminate()", StartMethod.SPAWN) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("first", "install", "before", "send", "to"),
    [
        pytest.param("install()", DUMPS, "pass", SENDS, StartMethod.SPAWN, id="workers install it, too"),
        pytest.param("pass", DUMPS, "pass", "pass", StartMethod.SPAWN, id="nothing is sent"),
        pytest.param("pass", DUMPS, "pass", "os.kill(process.pid, signal.SIGUSR2)", StartMethod.SPAWN, id="another"),
        pytest.param("pass", DUMPS, "pass", "os.kill(os.getpid(), signal.SIGUSR1)", StartMethod.SPAWN, id="to itself"),
        pytest.param("pass", IGNORES, "pass", SENDS, StartMethod.FORKSERVER, id="ignored before the server runs"),
        pytest.param("pass", IGNORES, POOL, SENDS, StartMethod.SPAWN, id="ignored, under spawn"),
        pytest.param("pass", "faulthandler.enable()", "pass", SENDS, StartMethod.SPAWN, id="fatal errors alone"),
    ],
)
def test_workers_that_no_signal_ends_are_ready(
    first: str, install: str, before: str, send: str, to: StartMethod, tmp_path: Path
) -> None:
    assert said(tmp_path, first, install, before, send, to) is Verdict.READY


LIMITED = """\
import multiprocessing as mp
import signal


class OutOfTime(Exception):
    pass


def give_up(number, frame):
    raise OutOfTime


def solve(n):
    {own}
    {alarm}
    try:
        return sum(range(n))
    except OutOfTime:
        return None


def main():
    {main}
    with mp.Pool(2) as pool:
        print(pool.map(solve, [1, 2]))


if __name__ == "__main__":
    main()
"""
HANDLES = "signal.signal(signal.SIGALRM, give_up)"


@pytest.mark.parametrize("alarm", ["signal.alarm(1)", "signal.setitimer(signal.ITIMER_REAL, 0.5)"])
def test_an_alarm_without_its_handler_breaks(alarm: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, LIMITED.format(own="pass", alarm=alarm, main=HANDLES))) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("own", "alarm", "main"),
    [
        pytest.param(HANDLES, "signal.alarm(1)", "pass", id="the worker's own"),
        pytest.param(HANDLES, "signal.alarm(1)", HANDLES, id="both"),
        pytest.param("pass", "pass", HANDLES, id="no alarm"),
        pytest.param("pass", "signal.alarm(1)", "signal.signal(signal.SIGTERM, give_up)", id="of another signal"),
    ],
)
def test_other_alarms_are_ready(own: str, alarm: str, main: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, LIMITED.format(own=own, alarm=alarm, main=main))) is Verdict.READY
