"""What a function makes that is shipped by its kind, and returns with functions in it."""

from __future__ import annotations

import pytest

from tests.support import marks

CODE = """\
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.transform(index)


class Report:
    def __init__(self, order):
        self.order = order


def build(scale):
    return Rows({transform})


def report():
    return Report(lambda row: row[0])


def run(dataset):
    return DataLoader(dataset, num_workers={workers})
"""


def test_a_dataset_that_a_function_gives_a_lambda() -> None:
    assert marks(CODE.format(transform="lambda value: value * scale", workers=2)) == [(21, "LP102")]


@pytest.mark.parametrize(("transform", "workers"), [("abs", 2), ("lambda value: value * scale", 0)])
def test_a_dataset_that_holds_none_or_is_not_shipped(transform: str, workers: int) -> None:
    assert not marks(CODE.format(transform=transform, workers=workers))
