"""LP324: map-of-endless-iterable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import changed, lint_files, marks


class TestPage(PageTests):
    code = "LP324"


PROGRAM = """\
import itertools, multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count, cycle, islice, repeat
def task(*given):
    return given
def ticks():
    number = 0
    while True:
        number += 1
        yield number
def named():
    for number in itertools.count():
        yield str(number)
def nested():
    with open("log") as log:
        while 1:
            for line in log:
                if not line:
                    break
                yield line
def limited(limit):
    for number in itertools.count():
        if number > limit:
            return
        yield number
def left():
    while True:
        if sys.stdin.closed:
            break
        yield 1
def failing():
    while True:
        if sys.stdin.closed:
            raise StopIteration
        yield 1
def taken(items):
    while True:
        yield items.pop()
def after(items):
    while True:
        yield next(items)
def waited(queue):
    try:
        while True:
            yield queue.get()
    except EOFError:
        pass
def while_open(file):
    while not file.closed:
        yield file.readline()
def main(items, executor=None):
    with ProcessPoolExecutor() as executor, ThreadPoolExecutor() as threads, multiprocessing.Pool() as pool:
        {call}
if __name__ == "__main__":
    main(sys.argv)
"""


def of(call: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.format(call=call)) if code == "LP324"]


@pytest.mark.parametrize(
    "call",
    [
        "executor.map(task, itertools.count())",
        "executor.map(task, count(3), chunksize=10)",
        "executor.map(task, cycle([1, 2]))",
        "executor.map(task, count(), repeat(1))",
        "executor.map(task, ticks())",
        "executor.map(task, named())",
        "executor.map(task, nested())",
        "executor.map(task, (str(each) for each in count()))",
        "executor.map(task, map(str, count()))",
        "executor.map(task, zip(count(), repeat(1)))",
        "pool.map(task, ticks())",
        "pool.map(task, iterable=filter(None, count()))",
        "pool.starmap(task, enumerate(ticks()))",
        "pool.map_async(task, named())",
        "numbers = count()\n        pool.starmap_async(task, zip(numbers, numbers))",
    ],
)
def test_all_items_of_what_has_no_end(call: str) -> None:
    assert of(call) == ["LP324"]


@pytest.mark.parametrize(
    "call",
    [
        "executor.map(task, items)",
        "executor.map(task, items, repeat(1))",
        "executor.map(task, repeat(1, 3))",
        "executor.map(task, repeat(1, times=3))",
        "executor.map(task, cycle([]))",
        "executor.map(task, islice(count(), 10))",
        "executor.map(task, itertools.takewhile(lambda each: each < 9, count()))",
        "executor.map(task, zip(items, count()))",
        "executor.map(task, (str(each) for each, _ in zip(items, count())))",
        "executor.map(task, ticks(), buffersize=10)",
        "executor.map(task, count(), *items)",
        "executor.map(task, limited(3))",
        "executor.map(task, left())",
        "executor.map(task, failing())",
        "executor.map(task, taken(items))",
        "executor.map(task, after(iter(items)))",
        "executor.map(task, waited(items))",
        "executor.map(task, while_open(items))",
        "executor.map(task, count() if items is None else items)",
        "executor.submit(task, count())",
        "pool.imap(task, ticks())",
        "pool.imap_unordered(task, count())",
        "threads.map(task, ticks())",
        "map(task, ticks())",
    ],
)
def test_what_ends_or_is_not_taken_at_once(call: str) -> None:
    assert of(call) == []


def test_the_source_of_another_module(tmp_path: Path) -> None:
    files = {
        "source.py": "import itertools\ndef numbers():\n    for each in itertools.count():\n        yield each\n",
        "main.py": "from concurrent.futures import ProcessPoolExecutor\nfrom source import numbers\nclass Search:\n"
        "    def __init__(self, numbers):\n        self.numbers = numbers\n    def run(self):\n"
        "        with ProcessPoolExecutor() as pool:\n            return next(pool.map(abs, self.numbers))\n"
        "if __name__ == '__main__':\n    Search(numbers()).run()\n",
    }
    found = [each for each in lint_files(tmp_path, files) if each.code == "LP324"]
    assert [(Path(each.location.path).name, each.confidence.value) for each in found] == [("main.py", "likely")]


SLOW = """\
class Slow(ProcessPoolExecutor):
    def submit(self, f, *given):
        raise RuntimeError("no room")
"""


def test_an_executor_that_submits_in_its_own_way() -> None:
    program = PROGRAM.format(call="executor.map(task, ticks())")
    own = changed(program, ("def task(", f"{SLOW}def task("), ("with ProcessPoolExecutor()", "with Slow()"))
    assert [code for _, code in marks(own) if code == "LP324"] == []


@pytest.mark.parametrize("loop", ["yield from numbers", "for each in numbers:\n        yield each"])
def test_loops_over_variables(loop: str) -> None:
    given = f"def given():\n    numbers = count()\n    {loop}\n"
    program = changed(PROGRAM, ("def task(", f"{given}def task(")).format(call="executor.map(task, given())")
    assert [code for _, code in marks(program) if code == "LP324"] == []  # gap: what a variable holds is not asked
