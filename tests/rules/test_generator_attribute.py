"""LP112: generator-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP112"


_SENT = """
import asyncio
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


async def fetch(number):
    return number


async def stream(number):
    yield number


async def awaiting(number):
    return mp.Process(target=print, args=(await fetch(number),))


def load(number):
    return asyncio.run(fetch(number))


def main():
    {sent}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("sent", "fires"),
    [
        ("ProcessPoolExecutor(2).submit(asyncio.run, fetch(1))", True),
        ("mp.Process(target=asyncio.run, args=(fetch(1),)).start()", True),
        ("mp.Process(target=print, args=(stream(1),)).start()", True),
        ("mp.Pool(2).map(asyncio.run, [fetch(n) for n in (1, 2)])", True),
        ("ThreadPoolExecutor(2).submit(asyncio.run, fetch(1))", False),
        ("ProcessPoolExecutor(2).submit(load, 1)", False),
        ("ProcessPoolExecutor(2).submit(print, asyncio.run(fetch(1)))", False),
    ],
)
def test_coroutines(sent: str, fires: bool) -> None:
    assert [code for _, code in marks(_SENT.format(sent=sent))] == ["LP112"] * fires
