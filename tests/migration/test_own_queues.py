"""A queue that each process makes at import, and a main process that takes results out of its own with a limit of time.
Measured with CPython 3.11: under fork it gets them; under spawn `get` raises `_queue.Empty`."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp
import queue
import sys
import time

RESULTS = mp.Queue()


def scan(start):
    RESULTS.put(start * start)


def collect(expected):
    found = []
    while len(found) < expected:
        {take}
    return found


def main():
    workers = [mp.Process(target=scan, args=(each,)) for each in range(3)]
    for worker in workers:
        worker.start()
    {collect}
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""
COLLECT = "print(collect(3))"


def said(folder: Path, take: str, collect: str = COLLECT) -> Verdict:
    return worst(migrated(folder, CODE.format(take=take, collect=collect)))


def trying(kind: str, handler: str) -> str:
    return f"try:\n            found.append(RESULTS.get(timeout=9))\n        except {kind}:\n            {handler}"


@pytest.mark.parametrize(
    "take",
    [
        "found.append(RESULTS.get(timeout=9))",
        "found.append(RESULTS.get(True, 9))",
        "time.sleep(1)\n        found.append(RESULTS.get_nowait())",
        trying("queue.Empty", "raise SystemExit(f'only {len(found)} have come')"),
        trying("queue.Empty", "print('too late')\n            sys.exit(1)"),
        trying("KeyError", "break"),
    ],
)
def test_the_main_process_finds_nothing_in_its_own(take: str, tmp_path: Path) -> None:
    assert said(tmp_path, take) is Verdict.BREAKS


@pytest.mark.parametrize(
    "take",
    [
        trying("queue.Empty", "break"),
        trying("Exception", "return found"),
        "if RESULTS.empty():\n            break\n        found.append(RESULTS.get(timeout=9))",
    ],
)
def test_what_catches_the_error_goes_on_with_less(take: str, tmp_path: Path) -> None:
    assert said(tmp_path, take) is Verdict.CHANGES


def test_a_caller_that_catches_it(tmp_path: Path) -> None:
    collect = "try:\n        print(collect(3))\n    except queue.Empty:\n        print('nothing')"
    assert said(tmp_path, "found.append(RESULTS.get(timeout=9))", collect) is Verdict.CHANGES


def test_what_main_has_put_in_itself(tmp_path: Path) -> None:
    collect = "RESULTS.put(1)\n    print(RESULTS.get(timeout=9))"
    assert said(tmp_path, "break", collect) is Verdict.CHANGES


ASKED = """\
import multiprocessing as mp
import queue

_events = None


def channel():
    global _events
    if _events is None:
        _events = mp.Queue()
    return _events


def scan(start):
    {work}


def collect(number):
    {take}


def main():
    channel(){first}
    workers = [mp.Process(target=scan, args=(each,)) for each in range(3)]
    for worker in workers:
        worker.start()
    print(collect(3))
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""
PUT = "channel().put(start)"
TAKE = "return [channel().get(timeout=9) for _ in range(number)]"


@pytest.mark.parametrize(
    ("work", "take", "first"),
    [
        (PUT, TAKE, ""),
        (PUT, "return [channel().get() for _ in range(number)]", ""),
        (PUT, "return channel().get_nowait()", ""),
        ("print(channel().get())", "return number", ".put(1)"),
        ("print(channel().get(timeout=9))", "return number", ".put(1)"),
    ],
)
def test_a_queue_that_each_process_makes_when_it_asks(work: str, take: str, first: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, ASKED.format(work=work, take=take, first=first))) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("work", "take", "first"),
    [
        pytest.param(PUT, "return number", "", id="nobody takes"),
        pytest.param(PUT, TAKE, ".put(1)", id="main puts something in"),
        pytest.param(PUT, "return channel().get(timeout=9) if not channel().empty() else 0", "", id="asked before"),
        pytest.param(PUT, f"try:\n        {TAKE}\n    except queue.Empty:\n        return []", "", id="caught"),
    ],
)
def test_a_queue_of_each_process_that_nobody_waits_at(work: str, take: str, first: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, ASKED.format(work=work, take=take, first=first))) is Verdict.CHANGES
