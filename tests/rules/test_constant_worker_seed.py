"""LP303: constant-worker-seed."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import fixed, marks

SCRIPT = """\
import random

from torch.utils.data import DataLoader

SEED = 3


def seed_worker(worker_id):
    random.seed({seed})


def training_loader(dataset):
    return DataLoader(dataset, num_workers=2, worker_init_fn=seed_worker)
"""


class TestPage(PageTests):
    code = "LP303"


@pytest.mark.parametrize("seed", ["SEED", "SEED + 1", "int(SEED)", "len('abc')"])
def test_only_the_seed_in_the_call_is_replaced(seed: str) -> None:
    text = SCRIPT.format(seed=seed)
    result = fixed(text, unsafe=True)
    assert "SEED = 3\n" in result
    assert marks(result) == [] or result == text


def test_a_seed_that_is_a_literal_is_replaced() -> None:
    text = SCRIPT.format(seed="42")
    assert marks(text) == [(9, "LP303")]
    result = fixed(text, unsafe=True)
    assert "random.seed(torch.initial_seed() % 2**32)" in result
    assert marks(result) == []


@pytest.mark.parametrize(
    ("name", "fires"),
    [
        ("seed_worker", True),
        ("seed_evaluator", True),
        ("validation_worker_init_fn", False),
        ("init_test_worker", False),
    ],
)
def test_a_seed_for_validation_may_repeat_on_purpose(name: str, fires: bool) -> None:
    assert marks(SCRIPT.format(seed="42").replace("seed_worker", name)) == ([(9, "LP303")] if fires else [])


HALVED = """\
import numpy as np
import torch
from torch.utils.data import DataLoader


def seed_worker(worker_id):
    torch_seed = torch.initial_seed()
    info = torch.utils.data.get_worker_info()
    np_seed = {seed}
    np.random.seed(np_seed)


def training_loader(dataset):
    return DataLoader(dataset, num_workers=2, worker_init_fn=seed_worker)
"""


@pytest.mark.parametrize(
    "seed",
    [
        "torch_seed // 2**32 - 1",
        "torch.initial_seed() // 2**32",
        "int(torch.initial_seed() // 4294967296)",
        "torch_seed >> 32",
        "torch.utils.data.get_worker_info().seed // 2 ** 32",
        "info.seed >> 32",
    ],
)
def test_the_upper_half_of_the_seed_is_the_same_in_all_workers(seed: str) -> None:
    assert marks(HALVED.format(seed=seed)) == [(10, "LP303")]


@pytest.mark.parametrize(
    "seed",
    [
        "torch_seed % 2**32",
        "torch_seed // 2**32 + worker_id",
        "(torch_seed >> 32) + info.id",
        "torch_seed // 2",
        "torch_seed & 0xFFFFFFFF",
        "torch_seed // 2**32 + torch_seed % 2**32",
        "next_seed() // 2**32",
        "(torch_seed * 31 + 7) // 2**32",
    ],
)
def test_the_lower_half_of_the_seed_or_more(seed: str) -> None:
    assert marks(HALVED.format(seed=seed)) == []
