"""Pools and queues that are made by a context which a function, or the object whose method it is, was given."""

from __future__ import annotations

import pytest

from tests.support import marks

AROUND = """\
import multiprocessing
import multiprocessing.dummy
from collections import Counter
from somewhere import Store


class Tokenizer:
    lowercase = False


def count(lines):
    return Counter(line.lower() if Tokenizer.lowercase else line for line in lines)  # row 12


{}


def main():
    Tokenizer.lowercase = True
    {}


if __name__ == "__main__":
    main()
"""
CLASS = """\
class Builder:
    def __init__(self, workers, context{}):
        self.workers, self.context = workers, context

    def feed(self, piles):
        {}
"""
ENTERED = "with self.context.Pool(self.workers) as pool:\n            return pool.map(count, piles)"
SPAWN = 'multiprocessing.get_context("spawn")'
MADE = f"Builder(2, {SPAWN}).feed([['The fox']])"
GIVEN = {
    "kept on the object": (CLASS.format("", ENTERED), MADE),
    "annotated": (CLASS.format(': "multiprocessing.context.BaseContext"', ENTERED), MADE),
    "None unless it is given": (CLASS.format("=None", ENTERED), MADE),
    "by a local name": (
        CLASS.format("", "context = self.context\n        " + ENTERED.replace("self.context", "context")),
        MADE,
    ),
    "not entered": (CLASS.format("", "pool = self.context.Pool(2)\n        return pool.map(count, piles)"), MADE),
    "made by the constructor": (
        "class Builder:\n    def __init__(self, context):\n        self.pool = context.Pool(2)\n\n"
        "    def feed(self, piles):\n        return self.pool.imap_unordered(count, piles)",
        f"print(list(Builder({SPAWN}).feed([['The fox']])))",
    ),
    "a parameter": (
        "def feed(piles, context):\n    with context.Pool(2) as pool:\n        return pool.map(count, piles)",
        f"feed([['The fox']], {SPAWN})",
    ),
    "a parameter with a default": (
        "def feed(piles, context=None):\n    with context.Pool(2) as pool:\n        return pool.map(count, piles)",
        f"feed([['The fox']], context={SPAWN})",
    ),
    "with the function": (
        "class Builder:\n    def __init__(self, context):\n        self.context = context\n\n"
        "    def feed(self, function, piles):\n        with self.context.Pool(2) as pool:\n"
        "            return pool.map(function, piles)",
        f"Builder({SPAWN}).feed(count, [['The fox']])",
    ),
}


@pytest.mark.parametrize(("around", "call"), GIVEN.values(), ids=GIVEN)
def test_what_workers_of_the_pool_run_is_seen(around: str, call: str) -> None:
    assert marks(AROUND.format(around, call)) == [(12, "LP208")]


OTHER = {
    "forked": (GIVEN["kept on the object"][0], MADE.replace("spawn", "fork")),
    "threads": (GIVEN["kept on the object"][0], MADE.replace(SPAWN, "multiprocessing.dummy")),
    "whatever is stored": (GIVEN["kept on the object"][0], MADE.replace(SPAWN, "Store()")),
    "a class of the program": (
        "class Local:\n    def Pool(self, workers):\n        return self\n\n"
        "    def __enter__(self):\n        return self\n\n"
        "    def __exit__(self, *exception):\n        pass\n\n    def map(self, function, piles):\n"
        f"        return [function(each) for each in piles]\n\n\n{GIVEN['kept on the object'][0]}",
        MADE.replace(SPAWN, "Local()"),
    ),
    "nobody calls it": (GIVEN["a parameter"][0], "print(count([]))"),
    "handed over": (
        GIVEN["kept on the object"][0].replace("map(count, piles)", "map(str.lower, piles)"),
        MADE,
    ),
    "another method of it": (
        GIVEN["a parameter"][0].replace("context.Pool(2)", "context.Lock()").replace("pool.map(", "map("),
        GIVEN["a parameter"][1],
    ),
}


@pytest.mark.parametrize(("around", "call"), OTHER.values(), ids=OTHER)
def test_what_no_worker_runs_is_not(around: str, call: str) -> None:
    assert marks(AROUND.format(around, call)) == []


def test_what_is_put_into_a_queue_of_a_context_is_pickled() -> None:
    code = "def feed(context):\n    lines = context.Queue()\n    lines.put({}.keys())\n    return lines"
    assert marks(AROUND.format(code, f"feed({SPAWN})")) == [(17, "LP101")]
