"""Properties of a part of an object that open what they give on first use, and who reads them before it ships."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import mmap

from torch.utils.data import DataLoader, Dataset


class File:
    def __init__(self, path):
        self.path = path
        self.size = 3
        self._map = None

    @property
    def map(self):
        if self._map is None:
            with open(self.path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0)
        return self._map

    @property
    def rows(self):
        return self.map.size() // 8

    @property
    def name(self):
        return self.path

    def close(self):
        self._map = None


class Rows(Dataset):
    def __init__(self, path):
        self.file = File(path)

    def __len__(self):
        return {length}

    def first(self):
        {first}

    def __getitem__(self, index):
        return self.file.map[index]


def look_at(rows):
    {look}


def main():
    rows = Rows("rows.bin")
    {step}
    print(list(DataLoader(rows, num_workers=2{options})))


if __name__ == "__main__":
    main()
"""


def _found(length: str = "3", first: str = "pass", look: str = "pass", step: str = "pass", options: str = "") -> bool:
    found = marks(TEXT.format(length=length, first=first, look=look, step=step, options=options))
    assert {code for _, code in found} <= {"LP110"}
    return bool(found)


@pytest.mark.parametrize("length", ["self.file.rows", "self.file.map.size() // 8", "1 + self.file.rows * 2"])
def test_the_length_reads_it(length: str) -> None:
    assert _found(length=length, step="print(len(rows))")
    assert _found(length=length, options=", shuffle=True")


@pytest.mark.parametrize(
    "first", ["print(self.file.rows)", "return self.file.map[0]", "size = self.file.rows", "self.file.map"]
)
def test_a_method_reads_it(first: str) -> None:
    assert _found(first=first, step="rows.first()")
    assert not _found(first=first)


@pytest.mark.parametrize("look", ["rows.file.map", "print(rows.file.rows)", "size = rows.file.rows - 1"])
def test_a_function_reads_it(look: str) -> None:
    assert _found(look=look, step="look_at(rows)")
    assert _found(step=look)
    assert not _found(look=look)


@pytest.mark.parametrize("read", ["rows.file.name", "rows.file.size", "rows.file.path.upper()", "rows.other.map"])
def test_other_reads(read: str) -> None:
    assert not _found(look=f"print({read})", step="look_at(rows)")
    assert not _found(first=f"print({read.replace('rows', 'self')})", step="rows.first()")


@pytest.mark.parametrize("closing", ["self.file.close()", "self.file = File('rows.bin')", "self.file._map = None"])
def test_what_is_closed_again(closing: str) -> None:
    assert not _found(first=f"print(self.file.rows)\n        {closing}", step="rows.first()")
    assert not _found(first=f"size = self.file.rows\n        {closing}", step="rows.first()")
    assert _found(first=f"{closing}\n        print(self.file.rows)", step="rows.first()")
