"""Signals that the main process sends: each reaches the process that is named, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.settings import SettingsResolver

HANDLING = """\
import multiprocessing
import os
import signal
import sys
import time


def stop(signum, frame):
    print("flushed")
    sys.exit(0)


def spool(meter):
    while True:
        time.sleep(meter)


def count(lines):
    print(len(lines))


"""
GUARD = """

if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
TWO_FUNCTIONS = """\
def run_count():
    process = multiprocessing.Process(target=count, args=(["a"],))
    process.start()
    process.join()


def run_spool():
    process = multiprocessing.Process(target=spool, args=(1,))
    process.start()
    time.sleep(1)
    os.kill(process.pid, signal.SIGTERM)
    process.join()


def main():
    signal.signal(signal.SIGTERM, stop)
    run_spool()
    run_count()
"""
TWO_VARIABLES = """\
def main():
    signal.signal(signal.SIGTERM, stop)
    spooling = multiprocessing.Process(target=spool, args=(1,))
    counting = multiprocessing.Process(target=count, args=(["a"],))
    for each in (spooling, counting):
        each.start()
    counting.join()
    spooling.terminate()
    spooling.join()
"""
TWO_ATTRIBUTES = """\
class Station:
    def start(self):
        self.spooling = multiprocessing.Process(target=spool, args=(1,))
        self.counting = multiprocessing.Process(target=count, args=(["a"],))
        self.spooling.start()
        self.counting.start()

    def stop(self):
        self.counting.join()
        self.spooling.terminate()
        self.spooling.join()


def main():
    signal.signal(signal.SIGTERM, stop)
    station = Station()
    station.start()
    time.sleep(1)
    station.stop()
"""
ALL = """\
def main():
    signal.signal(signal.SIGTERM, stop)
    processes = [multiprocessing.Process(target=spool, args=(1,)) for _ in range(2)]
    processes.append(multiprocessing.Process(target=count, args=(["a"],)))
    for each in processes:
        each.start()
    for each in processes:
        each.terminate()
"""
HANDED_OVER = """\
def start():
    process = multiprocessing.Process(target=spool, args=(1,))
    process.start()
    return process


def main():
    signal.signal(signal.SIGTERM, stop)
    process = start()
    time.sleep(1)
    process.terminate()
    process.join()
"""


def told(folder: Path, code: str) -> dict[str, list[str]]:
    """The rules that speak, by what runs at a boundary."""
    (folder / "main.py").write_text(HANDLING + code + GUARD, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return {each.starts: [finding.diagnostic.code for finding in each.findings] for each in found}


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(TWO_FUNCTIONS, id="of two functions"),
        pytest.param(TWO_VARIABLES, id="of two variables"),
        pytest.param(TWO_ATTRIBUTES, id="of two attributes"),
    ],
)
def test_a_signal_reaches_the_process_that_is_named(code: str, tmp_path: Path) -> None:
    assert told(tmp_path, code) == {"spool": ["LP211"], "count": []}


def test_a_signal_that_all_processes_of_a_list_are_sent(tmp_path: Path) -> None:
    assert told(tmp_path, ALL) == {"spool": ["LP211"], "count": ["LP211"]}


def test_a_signal_for_a_process_that_a_function_hands_over(tmp_path: Path) -> None:
    assert told(tmp_path, HANDED_OVER) == {"spool": ["LP211"]}


def test_the_worker_is_said_to_be_sent_it(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HANDLING + HANDED_OVER + GUARD, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path, overrides={"target-version": "==3.11"})
    found = [
        each
        for boundary in migrate([str(tmp_path)], resolver, StartMethod.SPAWN, "3.11").boundaries
        for each in boundary.findings
    ]
    assert "`spool` runs in workers and is sent `SIGTERM`, but the handler of SIGTERM is set only by `main()`" in (
        found[0].diagnostic.message
    )


CONTEXT = """\
class Handled:
    def __enter__(self):
        self.before = signal.getsignal(signal.SIGTERM)
        signal.signal(signal.SIGTERM, stop)

    def __exit__(self, *error):
        signal.signal(signal.SIGTERM, self.before)


def main():
    {}
    process = multiprocessing.Process(target=spool, args=(1,))
    {}
    process.terminate()
    process.join()
"""


@pytest.mark.parametrize(
    ("before", "starts", "found"),
    [
        ("pass", "process.start()\n    signal.signal(signal.SIGTERM, stop)", []),
        ("pass", "process.start()\n    with Handled():\n        time.sleep(1)", []),
        ("signal.signal(signal.SIGTERM, stop)", "process.start()", ["LP211"]),
        ("pass", "with Handled():\n        process.start()", ["LP211"]),
    ],
)
def test_a_handler_set_when_the_process_runs(before: str, starts: str, found: list[str], tmp_path: Path) -> None:
    assert told(tmp_path, CONTEXT.format(before, starts)) == {"spool": found}
