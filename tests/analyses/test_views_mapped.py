"""Parts of arrays over shared memory that workers get as copies (LP221)."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAT = """\
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import Pool, get_context
from multiprocessing.pool import ThreadPool
from multiprocessing.shared_memory import SharedMemory

import numpy as np


class Plate:
    def __init__(self, rows):
        self.shm = SharedMemory(create=True, size=rows * 8)
        self.grid = np.ndarray((rows,), dtype=np.float64, buffer=self.shm.buf)
        self.other = np.zeros(rows)

    def bands(self, count):
        for low in range(count):
            yield self.grid[low : low + 3]

    def listed(self, count):
        return [self.grid[low : low + 3] for low in range(count)]

    def others(self, count):
        for low in range(count):
            yield self.other[low : low + 3]

    def solve(self):
        with Pool(2) as pool:
            {solved}
        return self.grid.sum()


def cut(grid, count):
    for low in range(count):
        yield grid[low : low + 3]


@contextmanager
def plate(rows):
    made = Plate(rows)
    yield made


def relax(band, low=0):
    {body}


def main():
    shm = SharedMemory(create=True, size=80)
    grid = np.ndarray((10,), dtype=np.float64, buffer=shm.buf)
    own = np.ones(10)
    with plate(10) as p, Pool(2) as pool, ProcessPoolExecutor(2) as executor, ThreadPool(2) as threads:
        {sent}
        print({read})


if __name__ == "__main__":
    main()
"""
FILLS = "inner = band[1:-1]\n    inner[:] = 1.0\n    return float(inner.max())"


def codes(body: str, sent: str, read: str, solved: str = "pass") -> list[str]:
    text = HEAT.format(body=body, sent=sent, read=read, solved=solved)
    return [code for _, code in marks(text) if code == "LP221"]


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("pool.map(relax, [grid[:5], grid[5:]])", "grid.sum()"),
        ("pool.map(relax, (grid[:5], grid[5:]))", "grid.sum()"),
        ("list(pool.imap(relax, [grid[low : low + 3] for low in range(3)]))", "grid.sum()"),
        ("pool.map(relax, np.array_split(grid, 2))", "grid.sum()"),
        ("pool.map(relax, cut(grid, 2))", "grid.sum()"),
        ("pool.starmap(relax, [(grid[:5], 0), (grid[5:], 5)])", "grid.sum()"),
        ("list(executor.map(relax, [grid[:5], grid[5:]]))", "grid.sum()"),
        ("executor.submit(relax, grid[:5]).result()", "grid.sum()"),
        ("pool.apply(relax, (grid[:5], 0))", "grid.sum()"),
        ("pool.map(relax, p.bands(2))", "p.grid.sum()"),
        ("pool.map(relax, list(p.bands(2)))", "p.grid.sum()"),
        ("pool.map(relax, p.listed(2))", "p.grid.sum()"),
        ("pool.map(relax, [p.grid[:5], p.grid[5:]])", "p.grid.sum()"),
        ("parts = [grid[:5]]\n        parts.append(grid[5:])\n        pool.map(relax, parts)", "grid.sum()"),
    ],
)
def test_parts_that_are_filled_and_read_later(sent: str, read: str) -> None:
    assert codes(FILLS, sent, read) == ["LP221"]


def test_a_method_that_gives_parts_of_its_own_object() -> None:
    assert codes(FILLS, "p.solve()", "p.other", "pool.map(relax, self.bands(2))") == ["LP221"]


@pytest.mark.parametrize(
    ("body", "sent", "read"),
    [
        pytest.param("return float(band.max())", "pool.map(relax, [grid[:5]])", "grid.sum()", id="only read"),
        pytest.param("band[:] = 1\n    return band", "pool.map(relax, [grid[:5]])", "grid.sum()", id="given back"),
        pytest.param("band[:] = 1\n    return low, band", "pool.map(relax, p.bands(2))", "p.grid", id="with a number"),
        pytest.param("band[:] = 1\n    return band.copy()", "pool.map(relax, p.bands(2))", "p.grid", id="as a copy"),
        pytest.param("band = band + 1\n    band[:] = 1", "pool.map(relax, [grid[:5]])", "grid.sum()", id="another one"),
        pytest.param(FILLS, "pool.map(relax, [own[:5], own[5:]])", "own.sum()", id="no shared memory"),
        pytest.param(FILLS, "pool.map(relax, p.others(2))", "p.other.sum()", id="no shared memory in the object"),
        pytest.param(FILLS, "print(pool.map(relax, [grid[:5]]))", "own.sum()", id="nobody reads it"),
        pytest.param(FILLS, "threads.map(relax, [grid[:5], grid[5:]])", "grid.sum()", id="threads"),
        pytest.param(FILLS, "list(map(relax, [grid[:5], grid[5:]]))", "grid.sum()", id="no workers"),
    ],
)
def test_parts_of_which_nothing_is_lost(body: str, sent: str, read: str) -> None:
    assert codes(body, sent, read) == []
