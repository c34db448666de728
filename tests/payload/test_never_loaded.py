"""Datasets of which the program itself makes objects that no loader gets."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import threading

import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset, Subset, random_split


class Locked(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.lock = threading.Lock()

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index


class Plain(Dataset):
    def __init__(self, inner=None):
        self.inner = inner

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index


def main(path):
    {steps}


if __name__ == "__main__":
    main("rows")
"""
STAYS = {
    "looked at": "print(len(Locked([1])))\n    print(list(DataLoader(Plain(), num_workers=2)))",
    "kept": "locked = Locked([1])\n    print(locked[0])\n    print(list(DataLoader(Plain(), num_workers=2)))",
    "a part of it": (
        "parts = random_split(Locked([1]), [2, 2])\n    print(len(parts))\n"
        "    print(list(DataLoader(Plain(), num_workers=2)))"
    ),
}
SHIPPED = {
    "loaded": "print(list(DataLoader(Locked([1]), num_workers=2)))",
    "a part of it": "print(list(DataLoader(random_split(Locked([1]), [2, 2])[0], num_workers=2)))",
    "unpacked parts": (
        "first, second = random_split(Locked([1]), [2, 2])\n    print(list(DataLoader(second, num_workers=2)))"
    ),
    "inside": "print(list(DataLoader(Plain(Locked([1])), num_workers=2)))",
    "a view": "print(list(DataLoader(Subset(Locked([1]), [0]), num_workers=2)))",
    "joined": "print(list(DataLoader(ConcatDataset([Plain(), Locked([1])]), num_workers=2)))",
    "an unknown loaded": (
        "print(len(Locked([1])))\n    print(list(DataLoader(torch.load(path, weights_only=False), num_workers=2)))\n"
        "    print(list(DataLoader(unknown(path), num_workers=2)))"
    ),
    "given to a library": (
        "torch.hub.load_state_dict_from_url(Locked([1]))\n    print(list(DataLoader(Plain(), num_workers=2)))"
    ),
    "no loader": "print(len(Locked([1])))",
    "made by nobody": "print(list(DataLoader(Plain(), num_workers=2)))",
}


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in STAYS.items()])
def test_what_no_loader_gets_is_left_alone(steps: str) -> None:
    assert marks(TEXT.format(steps=steps)) == []


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in SHIPPED.items()])
def test_what_a_loader_gets_or_may_get_is_found(steps: str) -> None:
    assert (10, "LP111") in marks(TEXT.format(steps=steps))
