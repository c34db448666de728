"""LP207: globals that a worker changes and only the code that started it reads."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP207"


TEXT = """\
import multiprocessing
import os
from multiprocessing import Manager, Process

FOUND = {bound}


def work(number, shared=None):
    {change}


{elsewhere}


def main(numbers):
    {start}
    {read}


if __name__ == "__main__":
    main([1, 2])
"""
PROCESS = "Process(target=work, args=(1,)).start()"
POOL = "with multiprocessing.Pool(2) as pool:\n        pool.map(work, numbers)"


def _is_found(
    bound: str = "[]",
    change: str = "FOUND.append(number)",
    start: str = PROCESS,
    read: str = "print(FOUND)",
    elsewhere: str = "",
) -> bool:
    text = TEXT.format(bound=bound, change=change, start=start, read=read, elsewhere=elsewhere)
    return [code for _, code in marks(text)] == ["LP207"]


@pytest.mark.parametrize(
    ("bound", "change"),
    [
        ("[]", "FOUND.append(number)"),
        ("[]", "FOUND.extend([number])  # FOUND"),
        ("{}", "FOUND[number] = os.getpid()"),
        ("dict()", "FOUND[number] += 1"),
        ("set()", "if number:\n        FOUND.add(number)"),
        ("{}", "FOUND.setdefault(number, 1)"),
        ("0", "global FOUND\n    FOUND += number"),
        ("None", "global FOUND\n    FOUND = number\n    print(FOUND)"),
        ("0", "global FOUND\n    FOUND = FOUND + number"),
        ("[]", "FOUND.append(len(FOUND))"),
        ("False", "global FOUND\n    FOUND = True"),
        ("[]", "global FOUND\n    FOUND = [number]"),
        ("''", "global FOUND\n    for FOUND in os.listdir('.'):\n        pass"),
    ],
)
def test_ways_to_change_it(bound: str, change: str) -> None:
    assert _is_found(bound, change)
    assert _is_found(bound, change, POOL)


@pytest.mark.parametrize(
    "read",
    [
        "print(FOUND)",
        "return FOUND",
        "while not FOUND:\n        pass",
        "for each in FOUND:\n        print(each)",
        "return FOUND[0] if FOUND else None",
        "return len(FOUND)",
        "assert FOUND == [1]",
        "numbers.extend(FOUND)",
    ],
)
def test_ways_to_read_it(read: str) -> None:
    assert _is_found(read=read)


def test_a_function_that_the_workers_own_calls() -> None:
    record = "def record(number):\n    FOUND.append(number)"
    assert _is_found(change="record(number)", elsewhere=record)
    assert not _is_found(change="record(number)", elsewhere=f"{record}\n\nrecord(0)")


def test_a_loop_in_the_main_guard() -> None:
    text = TEXT.format(bound="[]", change="FOUND.append(number)", start="pass", read="pass", elsewhere="")
    text = text.replace("main([1, 2])", f"{PROCESS}\n    print(FOUND)")
    assert [code for _, code in marks(text)] == ["LP207"]


@pytest.mark.parametrize(
    ("bound", "change"),
    [
        ("[]", "print(number)"),
        ("[]", "FOUND = [number]\n    FOUND.append(number)"),
        ("[]", "print(FOUND)\n    FOUND.append(number)"),
        ("[]", "shared.append(number)"),
        ("{}", "if number not in FOUND:\n        FOUND[number] = 1"),
        ("0", "global FOUND\n    if not FOUND:\n        FOUND = number"),
        ("0", "FOUND = number"),
        ("[]", "last = FOUND.pop()"),
        ("[1]", "FOUND.append(number)"),  # gap: a list that is not empty
        ("Manager().list()", "FOUND.append(number)"),
        ("multiprocessing.Queue()", "FOUND.put(number)"),
        ("multiprocessing.Array('i', 3)", "FOUND[0] = number"),
        ("os.environ", "FOUND['a'] = 'b'"),
        ("[]", "rows = FOUND\n    rows.append(number)"),  # gap: another name
    ],
)
def test_what_is_not_lost(bound: str, change: str) -> None:
    text = TEXT.format(bound=bound, change=change, start=PROCESS, read="print(FOUND)", elsewhere="")
    assert "LP207" not in [code for _, code in marks(text)]


@pytest.mark.parametrize(
    ("start", "read", "elsewhere"),
    [
        (PROCESS, "pass", ""),
        (PROCESS, "FOUND.clear()", ""),
        (PROCESS, "print('FOUND')", ""),
        (PROCESS, "print(numbers.FOUND)", ""),
        (f"print(FOUND)\n    {PROCESS}", "pass", ""),
        (PROCESS, "print(FOUND)", "def add(number):\n    FOUND.append(number)"),
        (PROCESS, "work(2)\n    print(FOUND)", ""),
        ("multiprocessing.dummy.Process(target=work)", "print(FOUND)", ""),
        ("print(numbers)", "print(FOUND)", ""),
        (PROCESS, "FOUND = []\n    print(FOUND)", ""),
        (PROCESS, "show()", "def show():\n    print(FOUND)"),  # gap: read by what the starter calls
    ],
)
def test_what_the_starter_does_not_read_or_has_itself(start: str, read: str, elsewhere: str) -> None:
    assert not _is_found(start=start, read=read, elsewhere=elsewhere)


def test_what_an_initializer_sets_for_the_function_of_the_pool() -> None:
    start = "with multiprocessing.Pool(2, work) as pool:\n        pool.map(scale, numbers)"
    scale = "def scale(number):\n    return FOUND * number"
    assert not _is_found("2", "global FOUND\n    FOUND = number", start, elsewhere=scale)
    assert _is_found("2", "global FOUND\n    FOUND = number", start, elsewhere="from math import sqrt as scale")


def test_the_callback_of_a_pool_runs_in_the_main_process() -> None:
    start = "with multiprocessing.Pool(2) as pool:\n        pool.apply_async(len, ([1],), callback=work)"
    assert not _is_found(start=start)
