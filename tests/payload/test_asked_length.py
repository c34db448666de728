"""A loader that shuffles asks for the length of its dataset before workers get that."""

from __future__ import annotations

import pytest

from tests.support import marks

CODE = """\
import h5py
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None

    def _open(self):
        if self.file is None:
            self.file = h5py.File(self.path)
        return self.file

    def __len__(self):
        {length}

    def __getitem__(self, index):
        return self._open()["rows"][index]


def main():
    for batch in DataLoader(Rows("rows.h5"), {options}):
        print(batch)
"""
OPENS = 'return len(self._open()["rows"])'


@pytest.mark.parametrize(
    ("length", "row"),
    [(OPENS, 12), ("self.file = h5py.File(self.path)\n        return len(self.file)", 16)],
)
def test_a_length_that_opens_a_file(length: str, row: int) -> None:
    assert marks(CODE.format(length=length, options="num_workers=2, shuffle=True")) == [(row, "LP110")]


@pytest.mark.parametrize(
    ("length", "options"),
    [
        (OPENS, "num_workers=2"),
        (OPENS, "num_workers=2, shuffle=False"),
        (OPENS, "num_workers=0, shuffle=True"),
        ('with h5py.File(self.path) as file:\n            return len(file["rows"])', "num_workers=2, shuffle=True"),
        (
            'n = len(self._open()["rows"])\n        self.file.close()\n        self.file = None\n        return n',
            "num_workers=2, shuffle=True",
        ),
    ],
)
def test_a_length_that_is_asked_later_or_leaves_nothing_open(length: str, options: str) -> None:
    assert not marks(CODE.format(length=length, options=options))
