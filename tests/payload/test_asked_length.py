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


_WRAPPERS = """\
class Twice(Dataset):
    def __init__(self, dataset):
        self.dataset = dataset

    def __len__(self):
        return {length}

    def __getitem__(self, index):
        return self.dataset[index // 2]


def main():
    data = Twice(Rows("rows.h5"))
    {before}
    for batch in DataLoader(data, {options}):
        print(batch)
"""
_OF_HELD = "2 * len(self.dataset)"


@pytest.mark.parametrize(
    ("length", "before", "options", "fires"),
    [
        pytest.param(_OF_HELD, "pass", "num_workers=2, shuffle=True", True, id="asked by the loader"),
        pytest.param(_OF_HELD, "print(len(data))", "num_workers=2", True, id="asked by the program"),
        pytest.param(_OF_HELD, "pass", "num_workers=2", False, id="not asked"),
        pytest.param("40", "print(len(data))", "num_workers=2, shuffle=True", False, id="known without the file"),
        pytest.param(_OF_HELD, "print(len(data))", "num_workers=0", False, id="no workers"),
    ],
)
def test_the_length_of_what_a_dataset_holds(length: str, before: str, options: str, fires: bool) -> None:
    classes = CODE.partition("def main")[0].format(length=OPENS)
    program = classes + _WRAPPERS.format(length=length, before=before, options=options)
    assert marks(program) == ([(12, "LP110")] if fires else [])
