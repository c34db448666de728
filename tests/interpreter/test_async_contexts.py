"""What `async with`, `async for` and `await` run and give."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import asyncio
import contextlib
from concurrent.futures import ProcessPoolExecutor


class Background:
    def __init__(self, held=None):
        self.held = held

    async def __aenter__(self):
        {enters}

    async def __aexit__(self, *raised):
        pass

    async def start(self):
        self.task = asyncio.create_task(asyncio.sleep(0))

    async def __aiter__(self):
        await self.start()
        yield self

    @classmethod
    async def create(cls):
        service = cls()
        {creates}
        return service


class Service(Background):
    def resize(self, image):
        return image[::2]


@contextlib.asynccontextmanager
async def running():
    service = Service()
    {runs}
    yield service


async def main():
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(2) as executor:
        {main}


if __name__ == "__main__":
    asyncio.run(main())
"""
SENDS = "print(await loop.run_in_executor(executor, service.resize, b'abc'))"
KEEPS = "self.task = asyncio.create_task(asyncio.sleep(0))"


def codes(main: str, enters: str = "return self", creates: str = "pass", runs: str = "pass") -> list[str]:
    lines = "\n        ".join(main.splitlines())
    text = PROGRAM.format(main=lines, enters="\n        ".join(enters.splitlines()), creates=creates, runs=runs)
    return [code for _, code in marks(text)]


@pytest.mark.parametrize(
    "main",
    [
        f"async with Service() as service:\n    {SENDS}",
        f"service = Service()\nasync with service:\n    {SENDS}",
        f"async with contextlib.AsyncExitStack() as stack:\n"
        f"    service = await stack.enter_async_context(Service())\n    {SENDS}",
        f"async with contextlib.AsyncExitStack() as stack:\n"
        f"    service = Service()\n    await stack.enter_async_context(service)\n    {SENDS}",
        f"async def inner(service):\n    async with service:\n        {SENDS}\nawait inner(Service())",
    ],
)
def test_entering_runs_it(main: str) -> None:
    assert codes(main, f"{KEEPS}\nreturn self") == ["LP111"]
    assert codes(main, f"task = {KEEPS.removeprefix('self.task = ')}\nreturn self") == []


def test_what_is_entered_instead() -> None:
    main = f"async with Background() as service:\n    {SENDS}"
    other = "service = Service()\nservice.held = asyncio.create_task(asyncio.sleep(0))\nreturn service"
    assert codes(main, other) == ["LP111"]
    assert codes(main, "self.task = asyncio.create_task(asyncio.sleep(0))\nreturn Service()") == []


def test_what_a_function_of_a_context_yields() -> None:
    main = f"async with running() as service:\n    {SENDS}"
    assert codes(main, runs="service.held = asyncio.create_task(asyncio.sleep(0))") == ["LP111"]
    assert codes(main, runs="await service.start()") == ["LP111"]
    assert codes(main) == []


def test_what_is_awaited() -> None:
    main = f"service = await Service.create()\n{SENDS}"
    assert codes(main, creates="service.held = asyncio.create_task(asyncio.sleep(0))") == ["LP111"]
    assert codes(main, creates="await service.start()") == ["LP111"]
    assert codes(main) == []


def test_what_is_gone_through() -> None:
    main = f"async for service in Service():\n    {SENDS}"
    assert codes(main) == ["LP111"]
