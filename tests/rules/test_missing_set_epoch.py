"""LP408: missing-set-epoch."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP408"


_TEXT = """
from torch.utils.data import DataLoader, RandomSampler
from torch.utils.data.distributed import DistributedSampler


def make_sampler(dataset, shuffle=True):
    return DistributedSampler(dataset, 2, 0)


def make_either(dataset, distributed):
    if distributed:
        return DistributedSampler(dataset)
    return None


def train(dataset, step, epochs, distributed):
    sampler = {sampler}
    loader = DataLoader(dataset, batch_size=2, sampler=sampler)
    for epoch in range(epochs):
        {change}
        for batch in loader:
            step(epoch, batch)
"""


@pytest.mark.parametrize(
    ("sampler", "change", "fires"),
    [
        ("DistributedSampler(dataset) if distributed else None", "pass", True),
        ("make_sampler(dataset)", "pass", True),
        ("make_either(dataset, distributed)", "pass", True),
        ("make_sampler(dataset)", "loader.sampler.set_epoch(epoch)", False),
        ("make_either(dataset, distributed)", "step.before(loader)", False),
        ("DistributedSampler(dataset, shuffle=False) if distributed else None", "pass", False),
        ("DistributedSampler(dataset) if distributed else RandomSampler(dataset)", "pass", False),
        ("None", "pass", False),
    ],
)
def test_samplers_by_condition_and_from_factories(sampler: str, change: str, fires: bool) -> None:
    text = _TEXT.format(sampler=sampler, change=change)
    assert ("LP408" in [code for _, code in marks(text)]) is fires
