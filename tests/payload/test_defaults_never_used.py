"""A default that stands beside what callers give is not kept, if every caller gives something."""

from __future__ import annotations

import pytest

from tests.support import marks

DATASET = """\
from torch.utils.data import DataLoader, Dataset


def twice(value):
    return 2 * value


class Numbers(Dataset):
    def __init__(self, transform=None):
{store}

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.transform(index)


if __name__ == "__main__":
    dataset = Numbers({given})
    print(list(DataLoader(dataset, num_workers=1, multiprocessing_context="spawn")))
"""
STORES = (
    "        self.transform = transform if transform is not None else (lambda value: value)",
    "        if transform is None:\n            transform = lambda value: value\n        self.transform = transform",
)


@pytest.mark.parametrize("store", STORES)
def test_a_default_that_is_used(store: str) -> None:
    assert [code for _, code in marks(DATASET.format(store=store, given=""))] == ["LP102"]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("given", ["transform=twice", "abs"])
def test_a_default_that_is_not_used(store: str, given: str) -> None:
    assert not marks(DATASET.format(store=store, given=given))
