"""LP406: batch-sampler-loses-elements."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP406"


SAMPLER = """\
from torch.utils.data import Sampler


class Batches(Sampler):
    def __init__(self, order, size, keep):
        self.order = order
        self.size = size
        self.keep = keep

    def __iter__(self):
        batch = []
{body}
"""


def in_sampler(body: str) -> list[str]:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return [code for _, code in marks(SAMPLER.format(body=lines))]


def test_the_lost_elements_of_story_four_are_both_found() -> None:
    body = "for index in self.order:\n    if len(batch) < self.size:\n        batch.append(index)\n    else:\n"
    assert in_sampler(f"{body}        yield batch\n        batch = []") == ["LP406", "LP406"]


@pytest.mark.parametrize(
    "body",
    [
        # Whether the last batch is left over is told by the position.
        "for i, index in enumerate(self.order):\n"
        "    batch.append(index)\n"
        "    if len(batch) == self.size or i == len(self.order) - 1:\n"
        "        yield batch\n"
        "        batch = []",
        # Endless: what is left over comes first in the next round.
        "while True:\n"
        "    for index in self.order:\n"
        "        batch.append(index)\n"
        "        if len(batch) == self.size:\n"
        "            yield batch\n"
        "            batch = []",
        # The element that does not fit is put into the next batch below.
        "for index in self.order:\n"
        "    if len(batch) == self.size:\n"
        "        yield batch\n"
        "        batch = []\n"
        "    batch.append(index)\n"
        "if batch:\n"
        "    yield batch",
        # The elements that are skipped are skipped on purpose.
        "for index in self.order:\n    if self.keep(index):\n        batch.append(index)\nyield batch",
    ],
)
def test_samplers_that_keep_their_elements_are_left_alone(body: str) -> None:
    assert in_sampler(body) == []
