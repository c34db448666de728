"""The device on which torch makes tensors by default: set in the main process alone, or for as long as it starts
workers. Measured with CPython 3.11 and torch 2.13 under fork, spawn and forkserver: only forked workers have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp
import torch
import torch.nn as nn

DEVICE = torch.device("meta")


def work(queue):
    {work}


def start(queue):
    worker = mp.Process(target=work, args=(queue,))
    worker.start()
    print(queue.get())
    worker.join()


def main():
    queue = mp.Queue()
    {main}


if __name__ == "__main__":
    main()
"""
MAKES = "queue.put(torch.zeros(2).device.type)"
META = 'with torch.device("meta"):\n        start(queue)'


def said(folder: Path, main: str, work: str, to: StartMethod) -> Verdict:
    return worst(migrated(folder, CODE.format(main=main, work=work), to))


@pytest.mark.parametrize("to", [StartMethod.SPAWN, StartMethod.FORKSERVER])
@pytest.mark.parametrize(
    ("main", "work"),
    [
        pytest.param(META, MAKES, id="context"),
        pytest.param("with DEVICE:\n        start(queue)", MAKES, id="context of a global"),
        pytest.param(
            "device = torch.device('meta')\n    with device:\n        start(queue)", MAKES, id="context of a variable"
        ),
        pytest.param(META, "queue.put(torch.zeros(2, dtype=torch.int8).device.type)", id="a type alone says no device"),
        pytest.param(META, "queue.put(nn.Linear(2, 2).weight.device.type)", id="layer"),
        pytest.param(
            META, "queue.put(torch.zeros(2).to(torch.device('cpu')).shape)", id="a device that is not entered"
        ),
        pytest.param('torch.set_default_device("meta")\n    start(queue)', MAKES, id="set"),
    ],
)
def test_workers_make_tensors_elsewhere(main: str, work: str, to: StartMethod, tmp_path: Path) -> None:
    assert said(tmp_path, main, work, to) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("main", "work"),
    [
        pytest.param('with torch.device("cpu"):\n        start(queue)', MAKES, id="the default"),
        pytest.param(META, 'queue.put(torch.zeros(2, device="cpu").device.type)', id="the call says it"),
        pytest.param(
            META,
            'with torch.device("meta"):\n        queue.put(torch.zeros(2).device.type)',
            id="workers enter it, too",
        ),
        pytest.param('with torch.device("meta"):\n        nn.Linear(2, 2)\n    start(queue)', MAKES, id="left before"),
        pytest.param('torch.device("meta")\n    start(queue)', MAKES, id="named and not entered"),
        pytest.param(META, "queue.put(2)", id="no tensor is made"),
    ],
)
def test_workers_make_them_in_the_same_place(main: str, work: str, tmp_path: Path) -> None:
    assert said(tmp_path, main, work, StartMethod.SPAWN) is Verdict.READY


LOADER = """\
import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.zeros(2)


def main():
    with torch.device("meta"):
        loader = DataLoader(Rows(), num_workers=2)
    for batch in loader:
        print(batch.device)


if __name__ == "__main__":
    main()
"""


def test_a_loader_that_is_made_in_a_context(tmp_path: Path) -> None:
    # gap: it starts its workers where it is iterated, behind the context here.
    assert worst(migrated(tmp_path, LOADER, StartMethod.SPAWN)) is Verdict.CANNOT_TELL
