"""What torch's samplers and loaders, and tqdm, do to a dataset before a loader pickles it: they ask for its length, in
which it may open what cannot be pickled. Measured with torch 2.13 and tqdm 4.70, workers started by spawn."""

from __future__ import annotations

import pytest

from tests.support import marks

_PROGRAM = """\
from functools import cached_property

from torch.utils.data import (
    BatchSampler, ConcatDataset, DataLoader, Dataset, DistributedSampler, RandomSampler, SequentialSampler, Subset,
    random_split,
)
from tqdm import tqdm


class Rows(Dataset):
    def __init__(self, path):
        self.path = path

    @cached_property
    def lines(self):
        return open(self.path)

    def __len__(self):
        return sum(1 for _ in self.lines)

    def __getitem__(self, index):
        return index


def batches_of(rows, size):
    return BatchSampler(SequentialSampler(rows), size, drop_last=False)


def make_loader(rows, size):
    batches = BatchSampler(SequentialSampler(rows), size, drop_last=False)
    print(len(batches))
    return DataLoader(rows, batch_sampler=batches, num_workers=2)


def main(verbose):
    rows = Rows("rows.txt")
BODY


if __name__ == "__main__":
    main(False)
"""


def _codes(body: str) -> list[str]:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return [code for _, code in marks(_PROGRAM.replace("BODY", lines))]


@pytest.mark.parametrize(
    "body",
    [
        "loader = DataLoader(rows, sampler=RandomSampler(rows), num_workers=2)",
        "sampler = DistributedSampler(rows, 2, 0)\nloader = DataLoader(rows, sampler=sampler, num_workers=2)",
        "batches = BatchSampler(RandomSampler(rows), 4, False)\n"
        "loader = DataLoader(rows, batch_sampler=batches, num_workers=2)",
        "batches = BatchSampler(SequentialSampler(rows), 4, False)\nprint(len(batches))\n"
        "loader = DataLoader(rows, batch_sampler=batches, num_workers=2)",
        "loader = make_loader(rows, 4)",
        "loader = DataLoader(rows, num_workers=2)\nprint(len(loader))\nfor row in loader:\n    print(row)",
        "loader = DataLoader(rows, num_workers=2)\nfor row in tqdm(loader):\n    print(row)",
        "loader = DataLoader(rows, num_workers=2)\nfor number, row in enumerate(tqdm(loader)):\n    print(row)",
        "train, test = random_split(rows, [8, 2])\nloader = DataLoader(train, num_workers=2)",
        "loader = DataLoader(ConcatDataset([rows, Rows('b.txt')]), num_workers=2)",
    ],
)
def test_the_length_is_asked_before(body: str) -> None:
    assert _codes(body) == ["LP110"]


@pytest.mark.parametrize(
    "body",
    [
        "loader = DataLoader(rows, num_workers=2)\nfor row in loader:\n    print(row)",
        "loader = DataLoader(rows, sampler=SequentialSampler(rows), num_workers=2)",
        "loader = DataLoader(rows, batch_sampler=batches_of(rows, 4), num_workers=2)",
        "loader = DataLoader(rows, num_workers=2)\nfor row in loader:\n    print(row)\nprint(len(loader))",
        "loader = DataLoader(rows, num_workers=2)\nfor row in tqdm(loader, total=9):\n    print(row)",
        "loader = DataLoader(rows, num_workers=0)\nprint(len(loader))\nfor row in loader:\n    print(row)",
        "loader = DataLoader(Subset(rows, [1, 2]), num_workers=2)",
        "loader = DataLoader(rows, sampler=RandomSampler(rows, num_samples=4), num_workers=2)",
        "loader = DataLoader(rows, sampler=RandomSampler(Rows('b.txt')), num_workers=2)",
        "if verbose:\n    print(len(batches_of(rows, 4)))\nloader = DataLoader(rows, num_workers=2)",
        "print(len(batches_of(rows, 4)))\nloader = DataLoader(rows, num_workers=2)",  # gap: made by another function
        "loader = DataLoader(rows, num_workers=2)\n"
        "for epoch in range(2):\n    for row in loader:\n        print(row)",  # gap: the first epoch asks for it
    ],
)
def test_the_length_is_not_asked_by_then(body: str) -> None:
    assert _codes(body) == []
