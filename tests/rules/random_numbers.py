"""What tests of seeds and generators in workers have in common."""

from __future__ import annotations

from tests.support import marks

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
