"""LP119: runtime-object-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP119"


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.parent = super()", True),
        ("self.steps = [super(), index]", True),
        ("self.parent = super().__getitem__(index)", False),
        ("self.parent = super().__len__", False),
        ("self.parent = type(self)", False),
    ],
)
def test_a_super_object(statement: str, fires: bool) -> None:
    text = f"""
from torch.utils.data import DataLoader, Dataset


class Base(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return index


class Rows(Base):
    def __init__(self, index=0):
        {statement}


def main():
    return DataLoader(Rows(), num_workers=2)
"""
    assert ("LP119" in [code for _, code in marks(text)]) is fires
