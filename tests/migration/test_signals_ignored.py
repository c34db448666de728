"""Signals that the main process has ignored while it starts workers: an ignored signal stays ignored in what is run, so
spawned workers ignore it, too. Measured with CPython 3.11 under fork, spawn and forkserver (before the server runs)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PROGRAM = """\
import contextlib
import multiprocessing
import os
import signal


def note(number, frame):
    print("asked")


@contextlib.contextmanager
def detached(*signals):
    saved = {{each: signal.signal(each, {handler}) for each in signals}}
    try:
        yield
    finally:
        for each, handler in saved.items():
            signal.signal(each, handler)


@contextlib.contextmanager
def detached_after(*signals):
    yield
    for each in signals:
        signal.signal(each, {handler})


class Detached:
    def __init__(self, each):
        self.each = each

    def __enter__(self):
        self.old = signal.getsignal(self.each)
        signal.signal(self.each, {handler})

    def __exit__(self, *error):
        signal.signal(self.each, self.old)


def work(number):
    os.kill(os.getpid(), signal.SIGHUP)
    return number


def main():
    with {manager}(signal.SIGHUP):
        with multiprocessing.Pool(1) as pool:
            print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


@pytest.mark.parametrize("manager", ["detached", "Detached"])
@pytest.mark.parametrize("to", [StartMethod.SPAWN, StartMethod.FORKSERVER])
def test_a_signal_ignored_in_a_context_is_ignored_by_workers(manager: str, to: StartMethod, tmp_path: Path) -> None:
    text = PROGRAM.format(handler="signal.SIG_IGN", manager=manager)
    assert worst(migrated(tmp_path, text, to)) is Verdict.READY


@pytest.mark.parametrize("manager", ["detached", "Detached"])
def test_a_handler_of_a_context_is_not_there(manager: str, tmp_path: Path) -> None:
    text = PROGRAM.format(handler="note", manager=manager)
    assert worst(migrated(tmp_path, text, StartMethod.SPAWN)) is Verdict.CHANGES


def test_a_handler_set_as_a_context_is_left_is_not_there_for_its_workers_either(tmp_path: Path) -> None:
    text = PROGRAM.format(handler="note", manager="detached_after")
    assert worst(migrated(tmp_path, text, StartMethod.SPAWN)) is Verdict.READY
