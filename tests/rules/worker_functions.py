"""What tests of LP201 to LP208 have in common."""

from __future__ import annotations

from tests.support import marks

IMPORTS = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from torch.utils.data import DataLoader, Dataset, IterableDataset
"""


def codes(body: str) -> list[str]:
    return [code for _, code in marks(IMPORTS + body) if code.startswith("LP2")]
