"""LP304: seed-in-getitem."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.rules.random_numbers import of_dataset
from tests.support import lint


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


_CONFIGURED = """\
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, config, seed={default}):
        self.seed = {kept}

    def __getitem__(self, index):
        np.random.seed(self.seed)
        return np.random.rand()


def load(config):
    return DataLoader(Noisy({given}), num_workers=2)
"""


@pytest.mark.parametrize(
    ("default", "kept", "given", "confidence"),
    [
        ("None", "config.get('seed', None)", "config", Confidence.POSSIBLE),
        ("None", "config.get('seed')", "config", Confidence.POSSIBLE),
        ("None", "getattr(config, 'seed', None)", "config", Confidence.POSSIBLE),
        ("None", "seed", "config", None),  # seeded anew each time
        ("None", "config.get('seed', None)", "{}", None),
        ("None", "config.get('seed', 0)", "config", Confidence.CERTAIN),
        ("None", "config['seed']", "config", Confidence.CERTAIN),
        ("None", "config.get('seed')", "{'seed': 1}", Confidence.CERTAIN),
        ("None", "seed", "config, seed=1", Confidence.CERTAIN),
        ("0", "seed", "config", Confidence.CERTAIN),
    ],
)
def test_a_seed_that_someone_may_ask_for(default: str, kept: str, given: str, confidence: Confidence | None) -> None:
    text = _CONFIGURED.format(default=default, kept=kept, given=given)
    found = [each.confidence for each in lint(text, pedantic=True).diagnostics if each.code == "LP304"]
    assert found == ([] if confidence is None else [confidence])
