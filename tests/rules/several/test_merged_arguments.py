"""Arguments of a loader that are merged in a dictionary first (as pytorch-forecasting does it)."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
from torch.utils.data import DataLoader


def loader(ds, **options):
    {merging}
    return DataLoader(ds, **merged)


for batch in loader([1], num_workers={workers}):
    print(batch)
"""
MERGING = {
    "updated": "merged = dict(shuffle=True)\n    merged.update(options)",
    "a display that is updated": "merged = {'shuffle': True}\n    merged.update(options)",
    "updated by keywords": "merged = dict(shuffle=True)\n    merged.update(num_workers=options['num_workers'])",
    "updated and named again": "merged = dict(shuffle=True)\n    merged.update(options)\n    options = merged",
    "spread": "merged = {'shuffle': True, **options}",
    "added": "merged = {'shuffle': True} | options",
}


@pytest.mark.parametrize("merging", MERGING.values(), ids=MERGING)
@pytest.mark.parametrize("workers", [0, 2])
def test_the_number_of_workers_is_seen(merging: str, workers: int) -> None:
    found = [code for _, code in marks(TEXT.format(merging=merging, workers=workers))]
    assert found == (["LP203"] if workers else [])
