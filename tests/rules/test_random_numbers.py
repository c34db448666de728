"""The rules about seeds and generators in workers: what they must find and what they must leave alone."""

from __future__ import annotations

import pytest

from tests.support import marks

INIT = """\
import os
import random
import time
from functools import partial

import numpy as np
import torch
from torch.utils.data import DataLoader, get_worker_info

SEED = 3


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)


def init(worker_id, seed=1):
{body}


def build(dataset, seed, epoch):
    return DataLoader(dataset, num_workers=2, worker_init_fn={function})
"""


def of_init(body: str, function: str = "init") -> list[str]:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return [code for _, code in marks(INIT.format(body=lines, function=function))]


@pytest.mark.parametrize(
    ("body", "function", "expected"),
    [
        ("np.random.seed(SEED)", "init", ["LP303"]),
        ("np.random.seed(seed)", "partial(init, seed=7)", ["LP303"]),
        ("value = seed * 2 + 1\nrandom.seed(value)", "init", ["LP303"]),
        ("set_seed(SEED)", "init", ["LP303"]),
        ("np.random.seed(np.random.get_state()[1][0])", "init", ["LP303"]),
        ("np.random.seed(worker_id)", "init", ["LP308"]),
        ("np.random.seed(seed + worker_id)", "partial(init, seed=seed)", ["LP308"]),
        ("np.random.seed(seed + worker_id)", "partial(init, seed=epoch + seed)", []),
        ("value = seed + worker_id\nrandom.seed(value)", "partial(init, seed=epoch + seed)", []),
        ("np.random.seed(SEED + worker_id)", "partial(init, seed=epoch + seed)", ["LP308"]),
        ("set_seed(worker_id + SEED)", "init", ["LP308"]),
        ("random.seed(seed + 10 * worker_id)", "partial(init, seed=7)", ["LP308"]),
    ],
)
def test_seeds_that_do_not_vary_are_found(body: str, function: str, expected: list[str]) -> None:
    assert of_init(body, function) == expected


@pytest.mark.parametrize(
    ("body", "function"),
    [
        ("np.random.seed(torch.initial_seed() % 2**32)", "init"),
        ("base = torch.initial_seed()\nset_seed((base + worker_id) % 2**32)", "init"),
        ("np.random.seed(get_worker_info().seed % 2**32)", "init"),
        ("info = get_worker_info()\nrandom.seed(info.seed)", "init"),
        ("np.random.seed(np.random.randint(2**31) + worker_id)", "init"),
        ("random.seed(os.getpid())", "init"),
        ("random.seed(time.time())", "init"),
        ("np.random.seed()", "init"),
        ("torch.set_num_threads(1)", "init"),
        ("pass", "None"),
    ],
)
def test_seeds_that_vary_are_left_alone(body: str, function: str) -> None:
    assert of_init(body, function) == []


DATASET = """\
import random

import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self, values, seed, rng=None):
        self.values = values
        self.seed = seed
        self.count = 0
        {init}

    def __len__(self):
        return len(self.values)

{methods}
"""


def of_dataset(init: str, methods: str) -> list[str]:
    lines = "\n".join(f"    {line}" for line in methods.splitlines())
    return [code for _, code in marks(DATASET.format(init=init, methods=lines))]


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
