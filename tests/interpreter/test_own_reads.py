"""Cached properties that methods of the object read, which makes the object keep what they give."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
from functools import cached_property

from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path
        {init}

    @cached_property
    def handle(self):
        return open(self.path)

    @cached_property
    def offsets(self):
        return [len(line) for line in self.handle]

    @property
    def size(self):
        return len(self.offsets)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.handle.readline()


def main():
    lines = Lines("rows.txt")
    {step}
    print(list(DataLoader(lines, num_workers=2)))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("init", "step"),
    [
        ("pass", "print(len(lines))"),
        ("pass", "print(lines.offsets)"),
        ("pass", "print(lines.size)"),
        ("self.first = self.offsets[0]", "pass"),
        ("for line in self.handle:\n            print(line)", "pass"),
    ],
)
def test_a_read_of_a_read(init: str, step: str) -> None:
    assert marks(TEXT.format(init=init, step=step)) == [(13 + init.count("\n"), "LP110")]


@pytest.mark.parametrize(("init", "step"), [("pass", "pass"), ("pass", "print(lines.path)")])
def test_what_only_workers_read(init: str, step: str) -> None:
    assert marks(TEXT.format(init=init, step=step)) == []


INNER = """\
from functools import cached_property

from torch.utils.data import DataLoader, Dataset


class Rows:
    def __init__(self, path):
        self.path = path

    @cached_property
    def handle(self):
        return open(self.path)

    def __len__(self):
        return len(self.handle.readlines())


class Lines(Dataset):
    def __init__(self, path):
        self.rows = Rows(path)
        {init}

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.rows.handle.readline()


def main():
    print(list(DataLoader(Lines("rows.txt"), num_workers=2)))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("init", "found"),
    [
        ("self.count = len(self.rows)", [(12, "LP110")]),
        ("print(self.rows.handle)", [(12, "LP110")]),
        ("print(self.rows.path)", []),
        ("self.rows.size = 1", []),
    ],
)
def test_a_constructor_that_reads_a_property_of_a_part(init: str, found: list[tuple[int, str]]) -> None:
    assert marks(INNER.format(init=init)) == found
