"""Seeds that the main process sets before it starts workers that are never forked (LP211)."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAD = """\
import argparse
import multiprocessing
import os
import random
import time
import numpy as np
import torch
import torch.multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def jitter(x):
    return x + np.random.randn(*x.shape)


def shifted(x):
    return jitter(np.ones(x))


def rank(r, args):
    print({draws})


def seeded(r, args):
    torch.manual_seed(r)
    np.random.seed(r)
    print({draws})


"""
LAUNCH = """\
def launch(args):
    mp.spawn(rank, args=(args,), nprocs=2)


"""
GUARD = """

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    main(parser.parse_args())
"""
SPAWN = "mp.spawn(rank, args=(args,), nprocs=2)"


def found(body: str, draws: str = "torch.randn(3)") -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{HEAD.replace('{draws}', draws)}{LAUNCH if 'launch' in body else ''}def main(args):\n{lines}{GUARD}"
    if "seeded" not in body:
        text = text.replace("    torch.manual_seed(r)\n    np.random.seed(r)\n", "")
    return [code for _, code in marks(text) if code == "LP211"]


@pytest.mark.parametrize(
    ("body", "draws"),
    [
        pytest.param(f"torch.manual_seed(0)\n{SPAWN}", "torch.randn(3)", id="by torch"),
        pytest.param(f"np.random.seed(0)\n{SPAWN}", "jitter(np.ones(3))", id="by NumPy, in a function"),
        pytest.param(f"np.random.seed(args.seed)\n{SPAWN}", "np.random.permutation(3)", id="an order"),
        pytest.param(f"seed_everything(args.seed)\n{SPAWN}", "torch.randperm(3)", id="seeded by a function"),
        pytest.param(
            f"if args.seed is not None:\n    torch.manual_seed(args.seed)\n{SPAWN}", "torch.rand(3)", id="if given"
        ),
        pytest.param("seed_everything(args.seed)\nlaunch(args)", "torch.bernoulli(torch.ones(3) / 2)", id="in another"),
        pytest.param(
            "np.random.seed(0)\nctx = mp.get_context('spawn')\nwith ctx.Pool(2) as p:\n    p.map(shifted, [1, 2])",
            "1",
            id="a pool",
        ),
        pytest.param(
            "np.random.seed(0)\nwith ProcessPoolExecutor(2, mp_context=mp.get_context('spawn')) as pool:\n"
            "    list(pool.map(shifted, [1, 2]))",
            "1",
            id="an executor",
        ),
        pytest.param(
            "np.random.seed(0)\nmultiprocessing.get_context('spawn').Process(target=rank, args=(0, args)).start()",
            "np.random.rand()",
            id="a process",
        ),
    ],
)
def test_spawned_workers_that_draw_by_a_seed_of_the_main_process(body: str, draws: str) -> None:
    assert found(body, draws) == ["LP211"]


@pytest.mark.parametrize(
    ("body", "draws"),
    [
        pytest.param("torch.manual_seed(0)\nmp.spawn(seeded, args=(args,), nprocs=2)", "torch.randn(3)", id="seeded"),
        pytest.param(f"seed_everything(0)\n{SPAWN}", "torch.nn.Linear(2, 1)", id="weights that DDP sends"),
        pytest.param(f"{SPAWN}\ntorch.manual_seed(0)", "torch.randn(3)", id="afterwards"),
        pytest.param(f"seed_everything(0)\n{SPAWN}", "np.random.default_rng(0).random()", id="a generator"),
        pytest.param(f"seed_everything(0)\n{SPAWN}", "torch.randn(3, generator=args.generator)", id="of torch"),
        pytest.param(f"seed_everything(0)\n{SPAWN}", "time.sleep(np.random.rand())", id="a pause"),
        pytest.param(f"seed_everything(0)\n{SPAWN}", "1", id="nothing drawn"),
        pytest.param(
            "if args.evaluate:\n    np.random.seed(0)\n" + SPAWN, "np.random.rand()", id="only if something else is so"
        ),
        pytest.param(
            "np.random.seed(0)\nmultiprocessing.Process(target=rank, args=(0, args)).start()",
            "np.random.rand()",
            id="perhaps forked",
        ),
    ],
)
def test_workers_that_need_no_seed_of_the_main_process(body: str, draws: str) -> None:
    assert found(body, draws) == []


def test_a_port_that_is_drawn() -> None:
    worker = "def rank(r, args):\n    os.environ['MASTER_PORT'] = str(np.random.randint(10000, 20000))\n\n\n"
    text = f"{HEAD.partition('def rank')[0]}{worker}def main(args):\n    np.random.seed(0)\n    {SPAWN}\n{GUARD}"
    assert [code for _, code in marks(text) if code == "LP211"] == []
