"""LP316: awaited-after-timeout."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP316"


_PROGRAM = """\
import asyncio
import concurrent.futures
import re
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed

import requests


def count(pattern, lines):
    TASK


ASYNC

def main(patterns, lines):
    MAIN


if __name__ == "__main__":
    main(["a+"], ["a"])
"""
_ASYNC = """\
async def limited(executor, pattern, lines):
    loop = asyncio.get_running_loop()
    task = loop.run_in_executor(executor, count, pattern, lines)
    try:
        return await asyncio.wait_for(task, 3)
    except asyncio.TimeoutError:
        return None


async def several(patterns, lines):
    with ProcessPoolExecutor() as executor:
        return await asyncio.gather(*[limited(executor, pattern, lines) for pattern in patterns])
"""
_TASK = "return sum(1 for line in lines if re.search(pattern, line))"
_RESULT = """\
with ProcessPoolExecutor() as executor:
    future = executor.submit(count, patterns[0], lines)
    try:
        print(future.result(timeout=3))
    except concurrent.futures.TimeoutError:
        print("gave up")"""
_EACH = """\
with ProcessPoolExecutor() as executor:
    futures = [executor.submit(count, pattern, lines) for pattern in patterns]
    try:
        for future in as_completed(futures, timeout=3):
            print(future.result())
    except TimeoutError:
        print("gave up")"""


def _found(main: str = _RESULT, task: str = _TASK, pedantic: bool = False) -> list[Confidence]:
    program = _PROGRAM.replace("ASYNC", _ASYNC if "several" in main else "")
    text = program.replace("MAIN", main.replace("\n", "\n    ")).replace("TASK", task.replace("\n", "\n    "))
    return [each.confidence for each in lint(text, pedantic=pedantic).diagnostics if each.code == "LP316"]


@pytest.mark.parametrize(
    ("main", "task"),
    [
        (_RESULT, _TASK),
        (_EACH, _TASK),
        (_RESULT.replace("timeout=3", "3"), "while True:\n    time.sleep(1)"),
        (_RESULT, "compiled = re.compile(pattern)\nreturn [compiled.match(line) for line in lines]"),
        (_RESULT, "return requests.get(pattern).text"),
        (_RESULT, "return subprocess.run([pattern, *lines]).returncode"),
        ("print(asyncio.run(several(patterns, lines)))", _TASK),
    ],
)
def test_tasks_that_may_take_for_ever(main: str, task: str) -> None:
    assert _found(main, task) == [Confidence.LIKELY]


def test_a_task_that_ends_in_time_is_possible_only() -> None:
    assert _found(task="return len(lines)") == []
    assert _found(task="return len(lines)", pedantic=True) == [Confidence.POSSIBLE]


@pytest.mark.parametrize(
    ("main", "task"),
    [
        pytest.param(_RESULT.replace("timeout=3", ""), _TASK, id="no timeout"),
        pytest.param(_RESULT.replace("timeout=3", "timeout=None"), _TASK, id="a timeout of None"),
        pytest.param(_RESULT.replace("ProcessPool", "ThreadPool"), _TASK, id="threads"),
        pytest.param(_RESULT.replace('print("gave up")', "raise"), _TASK, id="raised again"),
        pytest.param(_RESULT.replace("concurrent.futures.TimeoutError", "ValueError"), _TASK, id="another error"),
        pytest.param(
            _RESULT.replace(
                'print("gave up")', "for process in executor._processes.values():\n            process.kill()"
            ),
            _TASK,
            id="the workers are ended",
        ),
        pytest.param(_RESULT, "while True:\n    if time.time() > 0:\n        break", id="a loop that ends"),
        pytest.param(_RESULT, "return re.search('a+', pattern)", id="a pattern of the program's own"),
        pytest.param(_RESULT, "return requests.get(pattern, timeout=5).text", id="a limit in the task"),
        pytest.param(
            "executor = ProcessPoolExecutor()\nfuture = executor.submit(count, patterns[0], lines)\n"
            "try:\n    print(future.result(timeout=3))\nexcept TimeoutError:\n    executor.shutdown(wait=False)",
            _TASK,
            id="no with",
        ),
        pytest.param(
            "with ProcessPoolExecutor() as executor:\n    print(list(executor.map(count, patterns, [lines])))",
            _TASK,
            id="map",
        ),
    ],
)
def test_nothing_is_given_up_or_all_ends(main: str, task: str) -> None:
    assert _found(main, task) == []
