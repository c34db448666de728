"""LP122: functions that are wrapped for all, and those that are wrapped for who asks for it."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import speeds
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def step(row):
    return row


class Rows(Dataset):
    def __init__(self, fast=False):
        self.step = step
        {store}

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.step(index)


def main(fast):
    for batch in DataLoader(Rows({given}), num_workers=2):
        print(batch)


if __name__ == "__main__":
    main(True)
"""


@pytest.mark.parametrize(
    ("store", "given", "is_found"),
    [
        ("self.step = torch.compile(step)", "", True),
        ("if fast:\n            self.step = torch.compile(step)", "True", True),
        ("if fast:\n            self.step = torch.compile(step)", "False", False),
        ("if speeds.are_wanted():\n            self.step = torch.compile(step)", "True", False),
    ],
)
def test_what_is_wrapped_behind_an_option(store: str, given: str, is_found: bool) -> None:
    assert ("LP122" in [code for _, code in marks(TEXT.format(store=store, given=given))]) == is_found
