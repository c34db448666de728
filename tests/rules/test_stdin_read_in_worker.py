"""LP247: stdin-read-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, lint


class TestPage(PageTests):
    code = "LP247"


PROGRAM = """\
import multiprocessing as mp
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


class Console(mp.Process):
    def __init__(self, lines):
        super().__init__()
        self.lines = lines

    def run(self):
        self.lines.put(1)


def ask(number):
    return input("? ")


def work(number, verbose=False):
    print(input())


def main():
    mp.Process(target=work, args=(1,)).start()


if __name__ == "__main__":
    main()
"""
READ, STARTED = "print(input())", "mp.Process(target=work, args=(1,)).start()"


def found(*changes: tuple[str, str]) -> list[tuple[str, str | None]]:
    told = lint(changed(PROGRAM, *changes), pedantic=True).diagnostics
    return [(each.confidence.value, each.error) for each in told if each.code == "LP247"]


EOF = "EOFError: EOF when reading a line"


@pytest.mark.parametrize(
    ("read", "error"),
    [
        ("print(input())", EOF),
        ("while True:\n        print(input('> '))", EOF),
        ("print(ask(number))", EOF),
        ("print(sys.stdin.readline())", None),
        ("text = sys.stdin.read()", None),
        ("lines = sys.stdin.readlines()", None),
        ("for line in sys.stdin:\n        print(line)", None),
        ("from sys import stdin\n    print(stdin.readline())", None),
        ("try:\n        print(input())\n    except KeyboardInterrupt:\n        pass", EOF),
    ],
)
def test_ways_to_read(read: str, error: str | None) -> None:
    assert found((READ, read)) == [("likely", error)]


@pytest.mark.parametrize(
    "started",
    [
        "mp.Pool(2).apply(work, (1,))",
        "mp.Pool(2).map(work, [1])",
        "ProcessPoolExecutor(2).submit(work, 1)",
        "mp.get_context('spawn').Process(target=work, args=(1,)).start()",
    ],
)
def test_ways_to_start(started: str) -> None:
    assert found((STARTED, started)) == [("likely", EOF)]


def test_a_process_of_ones_own() -> None:
    own = (STARTED, "Console(mp.Queue()).start()")
    assert found(own, ("self.lines.put(1)", "self.lines.put(input())")) == [("likely", EOF)]
    assert found(own) == []


def test_what_hangs_on_a_condition_is_only_possible() -> None:
    assert found((READ, "if number > 3:\n        input()")) == [("possible", EOF)]
    assert found((READ, "if verbose:\n        input()")) == [("possible", EOF)]
    assert found((READ, "if number > 3:\n        ask(number)")) == [("possible", EOF)]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(((STARTED, "threading.Thread(target=work, args=(1,)).start()"),), id="a thread"),
        pytest.param(((STARTED, "ThreadPoolExecutor(2).submit(work, 1)"),), id="a pool of threads"),
        pytest.param(((STARTED, "work(1)"),), id="no worker"),
        pytest.param(((READ, "print(sys.stdin)"),), id="nothing is read"),
        pytest.param(((READ, "sys.stdin = open(number)\n    print(input())"),), id="opened anew"),
        pytest.param(((READ, "input = print\n    print(input())"),), id="something else"),
        pytest.param(((READ, "try:\n        input()\n    except EOFError:\n        pass"),), id="ready for it"),
    ],
)
def test_what_reads_no_empty_input(changes: tuple[tuple[str, str], ...]) -> None:
    assert found(*changes) == []
