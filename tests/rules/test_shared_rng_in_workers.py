"""LP302: shared-rng-in-workers."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.random_numbers import of_dataset


class TestPage(PageTests):
    code = "LP302"


DRAW = "def __getitem__(self, index):\n    return self.values[index] + self.rng.random()"


@pytest.mark.parametrize(
    ("init", "methods"),
    [
        ("self.rng = np.random.default_rng(seed)", DRAW),
        ("self.rng = rng or random.Random()", DRAW),
        ("self.rng = np.random.RandomState(seed)", DRAW.replace("self.rng.random()", "draw(self.rng)")),
        ("self._make()", f"def _make(self):\n    self.rng = np.random.default_rng(self.seed)\n\n{DRAW}"),
    ],
)
def test_a_generator_made_at_construction_is_found(init: str, methods: str) -> None:
    assert of_dataset(init, methods) == ["LP302"]


@pytest.mark.parametrize(
    ("init", "methods"),
    [
        # Seeded for each item, so that it repeats on purpose.
        ("self.rng = np.random.RandomState()", DRAW.replace("    return", "    self.rng.seed(index)\n    return")),
        # Renewed by the class.
        ("self.rng = random.Random(0)", f"def set_epoch(self, epoch):\n    self.rng = random.Random(epoch)\n\n{DRAW}"),
        # The class knows which worker it is in.
        (
            "self.rng = random.Random(0)",
            DRAW.replace("    return", "    info = get_worker_info()\n    return"),
        ),
        # Made where it is used.
        ("pass", "@property\ndef rng(self):\n    return np.random.default_rng()\n\n" + DRAW),
        # Used up at construction.
        ("self.rng = random.Random(0); self.rng.shuffle(values)", "def __getitem__(self, index):\n    return index"),
        # Global generators are seeded by torch.
        ("pass", "def __getitem__(self, index):\n    return np.random.random() + random.random()"),
    ],
)
def test_generators_that_differ_are_left_alone(init: str, methods: str) -> None:
    assert of_dataset(init, methods) == []
