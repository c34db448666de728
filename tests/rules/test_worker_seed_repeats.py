"""LP308: worker-seed-repeats."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP308"


OPTIONAL_SEED = """\
from functools import partial

import numpy as np
from torch.utils.data import DataLoader


def init(worker_id, rank, seed):
    np.random.seed(seed + rank + worker_id)


def build(dataset, rank=0, seed=None):
    prepare = partial(init, rank=rank, seed=seed) if seed is not None else None
    return DataLoader(dataset, num_workers=2, worker_init_fn=prepare)


def main(dataset):
    return build(dataset{given})
"""


@pytest.mark.parametrize(("given", "expected"), [("", []), (", seed=None", []), (", seed=3", ["LP308"])])
def test_a_seed_that_no_call_passes(given: str, expected: list[str]) -> None:
    assert [code for _, code in marks(OPTIONAL_SEED.format(given=given))] == expected


DRAWN = """\
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import Compose, ToTensor


class Flip:
    def __call__(self, image):
        return {drawn}


class Images(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.transform(index)


def init(worker_id):
    {seed}(7 + worker_id)


def main(transform):
    return DataLoader(Images({given}), num_workers=2, worker_init_fn=init)
"""


COMPOSED = "Compose([Flip(), ToTensor()])"


@pytest.mark.parametrize("given", ["Flip()", COMPOSED])
@pytest.mark.parametrize(
    "drawn", ["np.random.randint(9)", "torch.randint(9, (1,))", "np.random.rand() + torch.rand(1)"]
)
def test_workers_that_draw_from_another_generator(drawn: str, given: str) -> None:
    assert marks(DRAWN.format(drawn=drawn, seed="random.seed", given=given)) == []


@pytest.mark.parametrize(
    ("drawn", "seed", "given"),
    [
        ("random.random()", "random.seed", "Flip()"),
        ("random.choice([np.random.rand(), 1])", "random.seed", "Flip()"),
        ("image", "random.seed", "Flip()"),
        ("np.random.rand()", "np.random.seed", "Flip()"),
        ("np.random.rand()", "random.seed", "transform"),
        ("np.random.rand()", "random.seed", "Compose([Flip(), transform])"),
        ("random.random()", "random.seed", COMPOSED),
    ],
)
def test_workers_that_may_draw_from_the_generator(drawn: str, seed: str, given: str) -> None:
    assert [code for _, code in marks(DRAWN.format(drawn=drawn, seed=seed, given=given))] == ["LP308"]
