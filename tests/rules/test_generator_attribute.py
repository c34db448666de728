"""LP112: generator-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint, marks


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


STREAM = """
from multiprocessing import Process


class Rows:
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        {iterates}


class Shuffled:
    def __init__(self, rows):
        self.rows = rows


def work(rows):
    for row in rows:
        print(row)


def main():
    Process(target=work, args=({sent},)).start()


if __name__ == "__main__":
    main()
"""
_GENERATES = "yield from open(self.path)"


@pytest.mark.parametrize(
    ("iterates", "sent", "codes"),
    [
        (_GENERATES, "iter(Rows('a.txt'))", ["LP112"]),
        (_GENERATES, "Shuffled(iter(Rows('a.txt')))", ["LP112"]),
        (_GENERATES, "Shuffled(Rows('a.txt'))", []),
        (_GENERATES, "list(iter(Rows('a.txt')))", []),
        (_GENERATES, "next(iter(Rows('a.txt')))", []),
        ("return iter(self.path)", "iter(Rows('a.txt'))", []),
        ("return self", "iter(Rows('a.txt'))", []),
    ],
)
def test_what_iter_gives_of_an_object_whose_iter_is_a_generator(iterates: str, sent: str, codes: list[str]) -> None:
    text = STREAM.format(iterates=iterates, sent=sent)
    assert [each.code for each in lint(text).diagnostics] == codes


GROUPS = """\
import copy

from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)


def main():
    model = Net()
    model.groups = [{{{group}: filter(lambda each: each.requires_grad, model.parameters()), "lr": 0.1}}]
    {made}
    print(copy.deepcopy(model))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("group", "made", "fires"),
    [
        ("'params'", "model.optimizer = optim.Adam(model.groups)", False),
        ("'params'", "print(model)", True),
        ("'weights'", "model.optimizer = optim.Adam(model.parameters())", True),
    ],
)
def test_a_group_of_parameters_of_which_an_optimizer_makes_a_list(group: str, made: str, fires: bool) -> None:
    found = lint(GROUPS.format(group=group, made=made)).diagnostics
    assert any(each.code == "LP112" for each in found) is fires


GROUPED = """\
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby


def count(key, group):
    return key, len(list(group))


def main(rows):
    with ProcessPoolExecutor(2) as pool:
        {sends}


if __name__ == "__main__":
    main([1, 2])
"""
_EACH = "for key, group in groupby(rows, key=str)"


@pytest.mark.parametrize(
    ("sends", "fires"),
    [
        (f"return [pool.submit(count, key, group) {_EACH}]", True),
        (f"{_EACH}:\n            pool.submit(count, key, group)", True),
        ("for pair in groupby(rows):\n            pool.submit(count, 1, pair)", True),
        (f"pool.submit(count, 1, [group {_EACH}])", True),
        (f"return [pool.submit(count, key, list(group)) {_EACH}]", False),
        (f"{_EACH}:\n            pool.submit(count, key, [*group])", False),
        (f"{_EACH}:\n            group = tuple(group)\n            pool.submit(count, key, group)", False),
        (f"{_EACH}:\n            pool.submit(count, key, sorted(group))", False),
        (f"{_EACH}:\n            pool.submit(count, 1, key)", False),
    ],
)
def test_a_group_of_groupby(sends: str, fires: bool) -> None:
    found = lint(GROUPED.format(sends=sends)).diagnostics
    assert [each.code for each in found] == ["LP112"] * fires
    assert all("_grouper" in each.message and each.fix is None for each in found)
