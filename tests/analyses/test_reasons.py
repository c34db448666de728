"""What migrate says of a change once, and at the place that matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Finding
from lintpickle.settings import SettingsResolver

COUNTING = """\
import multiprocessing


class Progress:
    counter = None
    steps = []

    @classmethod
    def attach(cls, counter):
        cls.counter = counter

    @classmethod
    def note(cls, step):
        cls.steps.append(step)

    @classmethod
    def add(cls, n):
        with cls.counter.get_lock():
            cls.counter.value += n


def work(n):
    Progress.add(n)
    return n{}


def main():
    Progress.attach(multiprocessing.Value("l", 0))
    Progress.note("start")
    with multiprocessing.Pool(2) as pool:
        pool.map(work, [1, 2])


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
SPOOLING = """\
import multiprocessing
import signal
import sys
import time


def stop(signum, frame):
    print("flushed")
    sys.exit(0)


def spool(meter):
    while True:
        time.sleep(meter)


def main():
    signal.signal(signal.SIGTERM, stop)
    process = multiprocessing.Process(target=spool, args=(1,))
    process.start()
    time.sleep(1)
    process.{}
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


def told(folder: Path, code: str, to: StartMethod = StartMethod.SPAWN) -> list[Finding]:
    (folder / "main.py").write_text(code, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, to, "3.11").boundaries
    return [finding for boundary in found for finding in boundary.findings]


def test_the_attribute_is_named_and_not_its_class_again(tmp_path: Path) -> None:
    assert [each.diagnostic.code for each in told(tmp_path, COUNTING.format(""))] == ["LP208"]


def test_what_another_method_changes_is_told_beside_it(tmp_path: Path) -> None:
    code = COUNTING.format(" + len(Progress.steps)")
    assert sorted(each.diagnostic.code for each in told(tmp_path, code)) == ["LP208", "LP210"]


def test_the_place_that_sends_a_signal_is_pointed_at(tmp_path: Path) -> None:
    code = SPOOLING.format("terminate()")
    found = told(tmp_path, code)
    row = code[: code.index("process.terminate")].count("\n") + 1
    assert [each.diagnostic.location.start.row for each in found] == [row]
    assert [step.location.start.row for step in found[0].diagnostic.trail].count(row) == 1


@pytest.mark.parametrize("ends", ["kill()", "join(1)"])
def test_what_sends_no_such_signal(ends: str, tmp_path: Path) -> None:
    assert told(tmp_path, SPOOLING.format(ends)) == []
