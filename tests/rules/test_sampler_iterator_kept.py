"""LP410: sampler-iterator-kept."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP410"


DRAWN = """\
import random
from torch.utils.data import DataLoader


def batches(size, rows):
{body}


def make_loader(dataset, rows):
    return DataLoader(dataset, batch_sampler=batches(8, rows), num_workers=2)
"""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    while True:\n        yield [random.randrange(rows) for _ in range(size)]", id="draws"),
        pytest.param(
            "    while 1:\n        order = list(range(rows))\n        random.shuffle(order)\n"
            "        for start in range(0, rows, size):\n            yield order[start : start + size]",
            id="goes through all again and again",
        ),
        pytest.param(
            "    while True:\n        for row in range(rows):\n            if row % 7 == 0:\n                break\n"
            "            yield [row] * size",
            id="leaves only the inner loop",
        ),
    ],
)
def test_a_generator_that_never_ends_is_not_used_up(body: str) -> None:
    assert marks(DRAWN.format(body=body)) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "    for start in range(0, rows, size):\n        yield range(start, start + size)", id="one epoch"
        ),
        pytest.param(
            "    start = 0\n    while True:\n        yield range(start, start + size)\n        start += size\n"
            "        if start >= rows:\n            break",
            id="breaks",
        ),
        pytest.param(
            "    start = 0\n    while True:\n        if start >= rows:\n            return\n"
            "        yield range(start, start + size)\n        start += size",
            id="returns",
        ),
    ],
)
def test_a_generator_that_ends_is_used_up(body: str) -> None:
    assert [code for _, code in marks(DRAWN.format(body=body))] == ["LP410"]


KEPT = """\
import random
from torch.utils.data import DataLoader, Sampler


def drawn(rows):
    while True:
        yield random.randrange(rows)
{end}

class Draws(Sampler):
    def __init__(self, rows):
        self.order = drawn(rows)

    def __iter__(self):
        return self.order


def make_loader(dataset):
    return DataLoader(dataset, sampler=Draws(len(dataset)), num_workers=2)
"""


@pytest.mark.parametrize(("end", "shown"), [("", []), ("        if rows < 0:\n            break\n", ["LP410"])])
def test_a_generator_that_a_sampler_keeps(end: str, shown: list[str]) -> None:
    assert [code for _, code in marks(KEPT.format(end=end)) if code == "LP410"] == shown
