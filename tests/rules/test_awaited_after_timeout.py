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


_CONVERGING = """\
x, before = float(pattern), 0.0
while abs(x - before) > 1e-9:
    x, before = lines[0](x), x
return x"""


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(_CONVERGING, id="until two values are close"),
        pytest.param(
            _CONVERGING.replace("abs(x - before) > 1e-9", "1e-9 <= abs(before - x)"), id="the other way round"
        ),
        pytest.param(_CONVERGING.replace("abs(x - before)", "np.linalg.norm(x - before)"), id="vectors"),
        pytest.param(
            _CONVERGING.replace("x, before = lines[0](x), x", "before = x\n    x = lines[0](x)"), id="in turn"
        ),
        pytest.param(
            _CONVERGING.replace("x, before = lines[0](x), x", "before = x.copy()\n    x = lines @ x"),
            id="a copy is kept",
        ),
        pytest.param(
            "x, error = 1.0, 1.0\nwhile error > 1e-9:\n    new = lines[0](x)\n    error = abs(new - x)\n    x = new",
            id="a variable keeps how far they are",
        ),
        pytest.param("for number in itertools.count():\n    print(number)", id="counts for ever"),
    ],
)
def test_loops_that_may_go_on_for_ever(task: str) -> None:
    assert _found(task=task) == [Confidence.LIKELY]


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(
            _CONVERGING.replace("> 1e-9", "> 1e-9 and rounds < 9").replace("    x,", "    rounds += 1\n    x,"),
            id="so many rounds",
        ),
        pytest.param(
            _CONVERGING.replace("    x,", "    rounds += 1\n    if rounds > 9:\n        break\n    x,"),
            id="broken off",
        ),
        pytest.param(
            _CONVERGING.replace("    x,", "    rounds = rounds + 1\n    check(rounds)\n    x,"), id="rounds are counted"
        ),
        pytest.param(
            _CONVERGING.replace("    x,", "    if x > 1e9:\n        raise ValueError(x)\n    x,"), id="fails at last"
        ),
        pytest.param(
            "low, high = 0.0, 1.0\nwhile abs(high - low) > 1e-9:\n    middle = (low + high) / 2\n"
            "    if check(middle):\n        low = middle\n    else:\n        high = middle\nreturn low",
            id="bisection",
        ),
        pytest.param(
            "x, before = 2.0, 0.0\nwhile abs(x - before) > 1e-9:\n    x, before = (x + 2 / x) / 2, x\nreturn x",
            id="plain arithmetic",
        ),
        pytest.param("a, b = 12, 9\nwhile b:\n    a, b = b, a % b\nreturn a", id="a remainder"),
        pytest.param("while lines:\n    check(lines.pop())", id="takes out"),
        pytest.param("for number in itertools.count():\n    if check(number):\n        return number", id="returns"),
        pytest.param("for number in range(9):\n    print(number)", id="a range"),
    ],
)
def test_loops_that_end(task: str) -> None:
    assert _found(task=task) == []


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
