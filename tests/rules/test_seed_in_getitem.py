"""LP304: seed-in-getitem."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.random_numbers import of_dataset


class TestPage(PageTests):
    code = "LP304"


@pytest.mark.parametrize(
    ("seeding", "expected"),
    [
        ("np.random.seed(0)", ["LP304"]),
        ("random.seed(self.seed)", ["LP304"]),
        ("torch.manual_seed(self.seed + 1)", ["LP304"]),
        ("np.random.seed(index)", []),
        ("np.random.seed(self.seed + index)", []),
        ("random.seed(random.random())", []),
        ("self.count += 1; np.random.seed(self.count)", []),
        ("state = np.random.get_state(); np.random.seed(0); np.random.set_state(state)", []),
    ],
)
def test_only_seeds_that_freeze_all_items_are_found(seeding: str, expected: list[str]) -> None:
    assert of_dataset("pass", f"def __getitem__(self, index):\n    {seeding}\n    return index") == expected
