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
