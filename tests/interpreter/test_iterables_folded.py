"""What `map` gives, and what functions give that go through an iterable and end with one thing."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from itertools import starmap
from operator import add

class Batch:
    def __init__(self, size):
        self.size = size
        self.lock = threading.Lock()

    def __add__(self, other):
        return Batch(self.size + other.size)

    def merged(self, other):
        return Batch(self.size + other.size)

def parse(text):
    return Batch(int(text))

class Shipment:
    def __init__(self, texts):
        self.batches = list(map(parse, texts))

def work(texts):
    return {given}

def main():
    with ProcessPoolExecutor(2) as executor:
        print(executor.submit(work, ["1", "2"]).result())

if __name__ == "__main__":
    main()
"""


def codes(given: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.replace("{given}", given)) if code == "LP206"]


@pytest.mark.parametrize(
    "given",
    [
        "reduce(add, map(parse, texts))",
        "reduce(add, map(parse, texts), Batch(0))",
        "reduce(lambda one, other: one.merged(other), map(parse, texts))",
        "reduce(lambda batch, text: batch + parse(text), texts, Batch(0))",
        "sum(map(parse, texts), Batch(0))",
        "sum((parse(text) for text in texts), start=Batch(0))",
        "max(map(parse, texts), key=lambda batch: batch.size)",
        "min([parse(text) for text in texts], key=lambda batch: batch.size, default=None)",
        "max(parse(texts[0]), parse(texts[1]), key=id)",
        "next(map(parse, texts))",
        "next(filter(None, map(parse, texts)), None)",
        "sorted(map(parse, texts), key=id)",
        "list(starmap(parse, zip(texts)))",
        "[batch for batch in map(parse, texts)]",
        "{batch.size: batch for batch in map(parse, texts)}",
        "tuple(map(Batch, range(3)))",
        "Shipment(texts)",
    ],
)
def test_what_the_function_gives_is_what_comes_out(given: str) -> None:
    assert codes(given) == ["LP206"]


@pytest.mark.parametrize(
    "given",
    [
        "reduce(lambda total, batch: total + batch.size, map(parse, texts), 0)",
        "sum(batch.size for batch in map(parse, texts))",
        "sum(map(len, texts))",
        "max(map(parse, texts), key=id).size",
        "max(map(int, texts))",
        "len(list(map(parse, texts)))",
        "sorted(map(str, map(parse, texts)))",
        "any(map(parse, texts))",
    ],
)
def test_numbers_made_of_them_are_plain(given: str) -> None:
    assert codes(given) == []
