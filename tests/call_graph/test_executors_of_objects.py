"""Executors that an object keeps, and a method of it that gives them what it is given."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import asyncio
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


class Offload:
    def __init__(self, executor):
        self.executor = executor

    async def run(self, function, *arguments):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.executor, function, *arguments)


class Crawler:
    def __init__(self):
        self.jobs = set()

    def parse(self, page):
        return len(page)

    def keep(self, work):
        self.jobs.add(asyncio.create_task(work))

    async def crawl(self, offload, page):
        {before}
        return await offload.run({function}, page)


async def main():
    with {pool}(2) as pool:
        {call}


if __name__ == "__main__":
    asyncio.run(main())
"""
HERE = "print(await Offload(pool).run(lambda page: page, 'a'))"
BY_A_PARAMETER = "print(await Crawler().crawl(Offload(pool), 'a'))"
KEEPS = "self.keep(asyncio.sleep(1))"


def found(function: str, call: str, before: str = "pass", pool: str = "ProcessPoolExecutor") -> list[tuple[int, str]]:
    return marks(PROGRAM.format(function=function, call=call, before=before, pool=pool))


@pytest.mark.parametrize(
    ("function", "call", "before", "line", "code"),
    [
        pytest.param("self.parse", HERE, "pass", 31, "LP201", id="the object is made where it is used"),
        pytest.param("lambda page: 1", BY_A_PARAMETER, "pass", 26, "LP201", id="a function is given the object"),
        pytest.param("self.parse", BY_A_PARAMETER, KEEPS, 22, "LP111", id="a task that the method has kept by then"),
    ],
)
def test_what_the_method_is_given(function: str, call: str, before: str, line: int, code: str) -> None:
    assert found(function, call, before) == [(line, code)]


@pytest.mark.parametrize(
    ("function", "before", "pool"),
    [
        pytest.param("self.parse", "pass", "ProcessPoolExecutor", id="no task by then"),
        pytest.param("len", KEEPS, "ProcessPoolExecutor", id="a function instead of a method"),
        pytest.param("self.parse", KEEPS, "ThreadPoolExecutor", id="threads"),
    ],
)
def test_what_may_be_given(function: str, before: str, pool: str) -> None:
    assert found(function, BY_A_PARAMETER, before, pool) == []


def test_what_another_object_is_given() -> None:
    given = "print(await Crawler().crawl(Other(), 'a'), Offload(pool))"
    other = "class Other:\n    async def run(self, function, page):\n        return function(page)\n\n\nclass Crawler"
    program = PROGRAM.format(function="lambda page: 1", call=given, before="pass", pool="ProcessPoolExecutor")
    assert marks(program.replace("class Crawler", other)) == []
