"""Methods of pools that are one of several options for what is called: `run = pool.map if workers > 1 else map`."""

from __future__ import annotations

import pytest

from tests.support import marks

SCORES = """\
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


class Scorer:
    def __init__(self, table):
        self.weigh = lambda word: table[word]

    def __call__(self, text):
        return sum(map(self.weigh, text.split()))


def rank(texts, table, workers=2):
    with {pool}(workers) as pool:
        run = {options}
        return {use}


def main():
    print(rank(["a b", "c"], {{"a": 1, "b": 2, "c": 3}}))


if __name__ == "__main__":
    main()
"""


def _found(options: str, use: str = "list(run(Scorer(table), texts))", pool: str = "Pool") -> list[tuple[int, str]]:
    return marks(SCORES.format(options=options, use=use, pool=pool))


@pytest.mark.parametrize(
    "options", ["pool.map if workers > 1 else map", "map if len(texts) < 2 else pool.map", "pool.imap or map"]
)
def test_what_a_pool_may_be_given(options: str) -> None:
    assert _found(options) == [(7, "LP102")]


@pytest.mark.parametrize(
    ("options", "pool"),
    [
        pytest.param("map if workers else iter", "Pool", id="no method of the pool"),
        pytest.param("pool.map if workers > 1 else map", "ThreadPool", id="of threads"),
        pytest.param("pool.close if workers > 1 else pool.join", "Pool", id="methods that ship nothing"),
    ],
)
def test_what_no_pool_is_given(options: str, pool: str) -> None:
    assert _found(options, pool=pool) == []


@pytest.mark.parametrize("method", ["imap", "map"])
def test_results_in_order(method: str) -> None:
    zipped = "dict(zip(texts, run(len, texts)))"
    assert _found(f"pool.{method} if workers > 1 else map", zipped) == []


def test_results_as_they_are_completed() -> None:
    zipped = "dict(zip(texts, run(len, texts)))"
    assert _found("pool.imap_unordered if workers > 1 else map", zipped) == [(16, "LP232")]


MAPPER = """\
import contextlib
from multiprocessing import Pool


@contextlib.contextmanager
def mapper(workers):
    if workers < 2:
        yield map
        return
    with Pool(workers) as pool:
        yield pool.imap_unordered


def rank(texts, workers):
    with mapper(workers) as apply:
        return dict(zip(texts, apply(len, texts)))


if __name__ == "__main__":
    print(rank(["a b", "c"], 2))
"""


def test_a_method_that_a_context_manager_gives() -> None:
    assert marks(MAPPER) == [(16, "LP232")]


def test_a_method_that_gives_results_in_order_from_a_context_manager() -> None:
    assert marks(MAPPER.replace("imap_unordered", "imap")) == []
