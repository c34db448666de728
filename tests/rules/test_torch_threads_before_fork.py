"""LP320: torch-threads-before-fork."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP320"


_PROGRAM = """\
import multiprocessing as mp
import os
from concurrent.futures import ProcessPoolExecutor

import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 10)

    def forward(self, rows):
        return self.layer(rows)


net = Net()


def work(shard, model, queue):
    {worker}


def task(shard):
    return net(torch.randn(64, 32))


def train(model, rows):
    return model(rows)


def main(rows, dataset):
    {context}
    {before}
    {started}
    {after}


if __name__ == "__main__":
    main(None, None)
"""
_STARTED = "p = context.Process(target=work, args=(1, net, None))\n    p.start()"


def _found(
    is_pedantic: bool = False,
    /,
    worker: str = "model(torch.randn(64, 32))",
    context: str = "context = mp.get_context('fork')",
    before: str = "net(torch.randn(64, 32))",
    started: str = _STARTED,
    after: str = "p.join()",
) -> bool:
    text = _PROGRAM.format(worker=worker, context=context, before=before, started=started, after=after)
    found = [each.code for each in lint(text, pedantic=is_pedantic).diagnostics if each.code == "LP320"]
    assert len(found) <= 1
    return bool(found)


_POOL = "with context.Pool(2) as pool:\n        pool.map(task, range(4))"


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"context": "context = mp"},
        {"before": "train(net, torch.randn(64, 32))"},
        {"before": "train(net, rows=torch.zeros((64, 32)))"},
        {"before": "for x, y in DataLoader(dataset, batch_size=16):\n        net(x)"},
        {"before": "torch.matmul(torch.rand(64, 64), rows)"},
        {"before": "nn.Linear(32, 10)(torch.ones(64, 32))"},
        {"worker": "torch.bmm(torch.randn(64, 8, 8), torch.randn(64, 8, 8))"},
        {"worker": "net(torch.randn(64, 32))"},
        {"worker": "train(model, torch.randn(64, 32))"},
        {"started": _POOL, "after": ""},
        {
            "started": "with ProcessPoolExecutor(mp_context=context) as pool:\n        pool.submit(task, 1)",
            "after": "",
        },
        {"context": "context = mp.get_context('fork')\n    torch.set_num_threads(4)"},
    ],
)
def test_torch_has_started_threads_before_the_fork(program: dict[str, str]) -> None:
    assert _found(**program)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"before": "net(rows)"}, id="main: rows that are not known"),
        pytest.param({"before": "net(torch.randn(1, 32))"}, id="main: one row"),
        pytest.param({"worker": "model(torch.load('rows.pt'))"}, id="worker: rows that are not known"),
        pytest.param({"worker": "model(torch.randn(1, 32))"}, id="worker: one row"),
        pytest.param({"before": "for x in DataLoader(dataset):\n        net(x)"}, id="a loader of single rows"),
    ],
)
def test_told_only_if_asked(program: dict[str, str]) -> None:
    assert not _found(**program)
    assert _found(True, **program)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param({"context": "context = mp.get_context('spawn')"}, id="spawn"),
        pytest.param({"context": "context = mp.get_context('forkserver')"}, id="forkserver"),
        pytest.param({"context": "mp.set_start_method('spawn')\n    context = mp"}, id="spawn for all"),
        pytest.param({"context": "context = mp\n    torch.set_num_threads(1)"}, id="one thread"),
        pytest.param({"context": "context = mp\n    torch.set_num_threads(len(rows))"}, id="who knows how many"),
        pytest.param({"worker": "torch.set_num_threads(1)\n    model(torch.randn(64, 32))"}, id="one in the worker"),
        pytest.param({"context": "context = mp\n    os.environ['OMP_NUM_THREADS'] = '1'"}, id="environment"),
        pytest.param({"before": "net.cuda()(torch.randn(64, 32))"}, id="another device"),
        pytest.param({"before": "", "after": "net(torch.randn(64, 32))\n    p.join()"}, id="behind the start"),
        pytest.param({"before": "", "after": "p.join()"}, id="nothing in main"),
        pytest.param({"before": "net.share_memory()"}, id="nothing is computed"),
        pytest.param({"before": "torch.randn(64, 32)"}, id="only made"),
        pytest.param({"worker": "print(shard)"}, id="nothing in the worker"),
        pytest.param(
            {
                "before": "",
                "started": "with context.Pool(2) as pool:\n        net(torch.randn(64, 32))\n"
                "        pool.map(task, range(4))",
                "after": "",
            },
            id="behind the pool",
        ),
        pytest.param(
            {"started": "for x in DataLoader(dataset, num_workers=2, collate_fn=task):\n        print(x)", "after": ""},
            id="workers of a loader",
        ),
    ],
)
def test_no_hazard(program: dict[str, str]) -> None:
    assert not _found(True, **program)
