"""LP401: batch-sampler-as-sampler."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP401"


LOADER = """\
from torch.utils.data import BatchSampler, DataLoader, Dataset, SequentialSampler


class Images(Dataset):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, chosen):
        {}


dataset = Images(["a", "b"])
loader = DataLoader(dataset, sampler=BatchSampler(SequentialSampler(dataset), 2, False))
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return [self.names[each] for each in chosen]", False),
        ("return self.names[: len(chosen)]", False),
        ("return self.names[chosen]", True),
        ("return [name for name in self.names if name != chosen]", True),
    ],
)
def test_a_dataset_that_takes_lists_of_indices(body: str, found: bool) -> None:
    assert any(code == "LP401" for _, code in marks(LOADER.format(body))) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if isinstance(chosen, list):\n            chosen = chosen[0]\n        return self.names[chosen]", False),
        ("return self.names[chosen[0]] if isinstance(chosen, (list, tuple)) else self.names[chosen]", False),
        ("return self.names[chosen[-1]] if type(chosen) is list else self.names[chosen]", False),
        ("if isinstance(chosen, slice):\n            print(chosen)\n        return self.names[chosen]", True),
        ("assert isinstance(chosen, int)\n        return self.names[chosen]", True),
    ],
)
def test_a_dataset_that_asks_whether_its_index_is_a_list(body: str, found: bool) -> None:
    assert any(code == "LP401" for _, code in marks(LOADER.format(body))) == found


HANDED_ON = """\
from torch.utils.data import BatchSampler, DataLoader, Dataset, SequentialSampler


class Chunks:
    def __init__(self, names):
        self.names = names

    def __getitem__(self, first):
        {}


class Rows:
    def __init__(self, names, whole):
        if whole:
            self.chunks = Chunks(names)
        else:
            self.chunks = Chunks(names[1:])

    def __getitem__(self, row):
        return self.chunks[row]


class Images(Dataset):
    def __init__(self, names, whole):
        self.rows = Rows(names, whole)
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, chosen):
        return self.rows[chosen]


dataset = Images(["a", "b"], input() == "whole")
loader = DataLoader(dataset, batch_size=1, sampler=BatchSampler(SequentialSampler(dataset), 2, False))
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return self.names[first[0] : first[-1] + 1] if isinstance(first, list) else self.names[first]", False),
        ("return [self.names[each] for each in first]", False),
        ("return self.names[first]", True),
        ("return self.names[first + 1]", True),
    ],
)
def test_a_dataset_that_hands_its_index_on(body: str, found: bool) -> None:
    assert any(code == "LP401" for _, code in marks(HANDED_ON.format(body))) == found


def test_a_dataset_that_hands_its_index_to_itself_again() -> None:
    """Nothing is known of what a dataset of the same class does with it."""
    again = LOADER.format("return self.names[chosen]").replace("Images([", "Images(Images([").replace('"b"])', '"b"]))')
    assert any(code == "LP401" for _, code in marks(again))
