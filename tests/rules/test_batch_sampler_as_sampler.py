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
