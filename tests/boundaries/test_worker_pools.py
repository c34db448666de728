"""Functions and pools of third parties that start worker processes: what the libraries refuse, lose and let through
(`catalog/worker-pools.toml` says with which versions)."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import StartMethod
from tests.support import lint, marks

HEAD = """\
import threading
from functools import partial
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool

import dynesty
import emcee
import gymnasium
import mmcv
import parmap
import pathos
import scipy.optimize
import torch_xla.distributed.xla_multiprocessing as xmp
from bounded_pool_executor import BoundedProcessPoolExecutor
from fastcore.parallel import parallel
from mmengine.utils import track_parallel_progress
from mpire import WorkerPool
from p_tqdm import p_map, p_umap
from pathos.multiprocessing import ProcessingPool
from pqdm.processes import pqdm
from pqdm.threads import pqdm as in_threads
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv


def work(item, *rest):
    return item


def main(items, count, executor):
    """
ROW = HEAD.count("\n") + 1
_WITH_POOL = "with Pool(2) as pool:\n        "
_WITH_THREADS = "with ThreadPool(2) as pool:\n        "


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("mmcv.track_parallel_progress(lambda item: item, items, 4)", [(ROW, "LP201")]),
        ("mmcv.utils.track_parallel_progress(work, [threading.Lock()], nproc=4)", [(ROW, "LP111")]),
        ("track_parallel_progress(work, items, 4, initializer=lambda: None)", [(ROW, "LP201")]),
        ("pqdm(items, lambda item: item, 4)", [(ROW, "LP201")]),
        ("pqdm([threading.Lock()], work, n_jobs=count)", [(ROW, "LP111")]),
        ("parmap.starmap(lambda item: item, items, pm_pbar=True)", [(ROW, "LP201")]),
        ("parmap.starmap(work, items, threading.Lock())", [(ROW, "LP111")]),
        ("parallel(lambda item: item, items, n_workers=2)", [(ROW, "LP201")]),
        ("scipy.optimize.differential_evolution(lambda x: x[0], items, workers=-1)", [(ROW, "LP201")]),
        ("scipy.optimize.brute(work, items, (threading.Lock(),), workers=count)", [(ROW, "LP111")]),
        ("scipy.optimize.shgo(lambda x: x[0], items, workers=4)", [(ROW, "LP201")]),
        (
            _WITH_POOL + "scipy.optimize.differential_evolution(lambda x: x[0], items, workers=pool.map)",
            [(ROW + 1, "LP201")],
        ),
        (_WITH_POOL + "emcee.EnsembleSampler(32, 2, lambda x: x[0], pool=pool)", [(ROW + 1, "LP201")]),
        (_WITH_POOL + "dynesty.NestedSampler(lambda x: x[0], work, 2, pool=pool)", [(ROW + 1, "LP201")]),
        (_WITH_POOL + "dynesty.NestedSampler(work, lambda x: x[0], 2, pool=pool)", [(ROW + 1, "LP201")]),
        (
            _WITH_POOL + "dynesty.DynamicNestedSampler(lambda x: x[0], work, 2, pool=pool, queue_size=2)",
            [(ROW + 1, "LP201")],
        ),
        ("WorkerPool(4).map(work, [threading.Lock()])", [(ROW, "LP111")]),
        ("WorkerPool(4).apply(lambda item: item, (1,))", [(ROW, "LP201")]),
        ("WorkerPool(4, start_method='spawn').map(lambda item: item, items)", [(ROW, "LP201")]),
        ("WorkerPool(4, start_method='spawn', shared_objects=threading.Lock())", [(ROW, "LP111")]),
        ("BoundedProcessPoolExecutor(4).submit(lambda: 1)", [(ROW, "LP201")]),
        ("SubprocVecEnv([partial(work, threading.Lock())])", [(ROW, "LP111")]),
        ("gymnasium.vector.AsyncVectorEnv([partial(work, threading.Lock())])", [(ROW, "LP111")]),
        ("xmp.spawn(lambda index: index, nprocs=8)", [(ROW, "LP201")]),
    ],
)
def test_what_they_refuse(code: str, found: list[tuple[int, str]]) -> None:
    assert marks(f"{HEAD}{code}\n") == found


@pytest.mark.parametrize(
    "code",
    [
        "mmcv.track_progress(lambda item: item, items)",
        "mmcv.track_parallel_progress(work, items, 4)",
        "pqdm(items, lambda item: item, 1)",
        "in_threads(items, lambda item: item, 4)",
        "parmap.starmap(lambda item: item, items, pm_parallel=False)",
        "parmap.starmap(lambda item: item, items, pm_pool=ThreadPool(2))",
        "parallel(lambda item: item, items, threadpool=True)",
        "parallel(lambda item: item, items, n_workers=0)",
        "p_map(lambda item: item, items)",
        "p_umap(work, [threading.Lock(), {}.keys()], num_cpus=2)",
        "ProcessingPool(4).map(lambda item: item, items)",
        "pathos.pools.ProcessPool(4).amap(lambda item: item, [threading.Lock()])",
        "WorkerPool(4).map(lambda item: item, items)",
        "WorkerPool(4, start_method='threading').map(lambda item: item, [threading.Lock()])",
        "WorkerPool(4, start_method='spawn', use_dill=True).map(lambda item: item, items)",
        "scipy.optimize.differential_evolution(lambda x: x[0], items)",
        "scipy.optimize.differential_evolution(lambda x: x[0], items, workers=1)",
        _WITH_THREADS + "scipy.optimize.differential_evolution(lambda x: x[0], items, workers=pool.map)",
        "scipy.optimize.brute(lambda x: x[0], items, workers=executor.map)",
        _WITH_THREADS + "emcee.EnsembleSampler(32, 2, lambda x: x[0], pool=pool)",
        "emcee.EnsembleSampler(32, 2, lambda x: x[0])",
        _WITH_THREADS + "dynesty.NestedSampler(lambda x: x[0], work, 2, pool=pool)",
        "dynesty.NestedSampler(lambda x: x[0], lambda x: x, 2)",
        "SubprocVecEnv([lambda: gymnasium.make('CartPole-v1') for _ in range(4)])",
        "DummyVecEnv([lambda: threading.Lock()])",
        "gymnasium.vector.AsyncVectorEnv([lambda: gymnasium.make('CartPole-v1')], context='spawn')",
        "xmp.spawn(lambda index: index, nprocs=1)",
        "xmp.spawn(lambda index: index, nprocs=8, start_method='fork')",
    ],
)
def test_what_they_take(code: str) -> None:
    assert not marks(f"{HEAD}{code}\n")


@pytest.mark.parametrize(
    ("call", "methods"),
    [
        ("track_parallel_progress(lambda item: item, items, 4)", tuple(StartMethod)),
        ("track_parallel_progress(work, items, 4, lambda: None)", (StartMethod.SPAWN, StartMethod.FORKSERVER)),
        ("WorkerPool(4, start_method='spawn').map(lambda item: item, items)", (StartMethod.SPAWN,)),
    ],
)
def test_under_which_start_methods(call: str, methods: tuple[StartMethod, ...]) -> None:
    (found,) = lint(f"{HEAD}{call}\n").diagnostics
    assert found.start_methods == methods


@pytest.mark.parametrize(
    ("imported", "start", "needs"),
    [
        ("from mmcv import track_parallel_progress", "track_parallel_progress(work, [1], 2)", True),
        ("from mmcv import track_progress", "track_progress(work, [1])", False),
        ("from pqdm.processes import pqdm", "pqdm([1], work, 2)", True),
        ("from pqdm.processes import pqdm", "pqdm([1], work, 1)", False),
        ("from pqdm.threads import pqdm", "pqdm([1], work, 2)", False),
        ("import parmap", "parmap.starmap(work, [(1, 2)])", True),
        ("from fastcore.parallel import parallel", "parallel(work, [1], n_workers=2)", True),
        ("from fastcore.parallel import parallel", "parallel(work, [1], method='fork')", False),
        ("from p_tqdm import p_map", "p_map(work, [1])", True),
        ("from p_tqdm import t_map", "t_map(work, [1])", False),
        ("from pathos.multiprocessing import ProcessingPool", "ProcessingPool(2).map(work, [1])", True),
        ("from pathos.multiprocessing import ThreadPool", "ThreadPool(2).map(work, [1])", False),
        ("from mpire import WorkerPool", "WorkerPool(2).map(work, [1])", False),
        ("from mpire import WorkerPool", "WorkerPool(2, start_method='spawn').map(work, [1])", True),
        ("from scipy.optimize import brute", "brute(work, [(0, 1)], workers=-1)", True),
        ("from scipy.optimize import brute", "brute(work, [(0, 1)])", False),
        ("from stable_baselines3.common.vec_env import SubprocVecEnv", "SubprocVecEnv([work])", True),
        ("from stable_baselines3.common.vec_env import SubprocVecEnv", "SubprocVecEnv([work], 'fork')", False),
        ("from gymnasium.vector import AsyncVectorEnv", "AsyncVectorEnv([work])", True),
        ("from gymnasium.vector import SyncVectorEnv", "SyncVectorEnv([work])", False),
    ],
)
def test_which_need_a_main_guard(imported: str, start: str, needs: bool) -> None:
    script = f"{imported}\n\n\ndef work(*given):\n    return given\n\n\n"
    assert marks(f"{script}{start}\n") == ([(8, "LP203")] if needs else [])
    assert not marks(f"{script}if __name__ == '__main__':\n    {start}\n")


STATE = """\
{imported}

SCALE, SEEN = 1, []


def scaled(number, *rest):
    return number * SCALE


def noted(number, *rest):
    SEEN.append(number)


def start():
    global SCALE
    SCALE = 3


def main():
    start()
    {run}
    print(SEEN)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("imported", "run"),
    [
        ("import mmcv", "mmcv.track_parallel_progress({}, [1, 2], 4)"),
        ("from pqdm.processes import pqdm", "pqdm([1, 2], {}, 4)"),
        ("from fastcore.parallel import parallel", "parallel({}, [1, 2])"),
        ("from pathos.multiprocessing import ProcessingPool", "ProcessingPool(4).map({}, [1, 2])"),
        ("from p_tqdm import p_map", "p_map({}, [1, 2])"),
        ("from mpire import WorkerPool", "WorkerPool(4, start_method='spawn').map({}, [1, 2])"),
    ],
)
def test_what_workers_lack_and_what_is_lost(imported: str, run: str) -> None:
    lacking = marks(STATE.format(imported=imported, run=run.format("scaled")))
    assert [code for _, code in lacking] == ["LP208"]
    lost = marks(STATE.format(imported=imported, run=run.format("noted")))
    assert [code for _, code in lost] == ["LP207"]


@pytest.mark.parametrize(
    ("imported", "run"),
    [
        ("import mmcv", "mmcv.track_progress({}, [1, 2])"),
        ("from pqdm.processes import pqdm", "pqdm([1, 2], {}, 1)"),
        ("import parmap", "parmap.starmap({}, [(1, 2)], 3, pm_parallel=False)"),
        ("from fastcore.parallel import parallel", "parallel({}, [1, 2], threadpool=True)"),
        ("from pathos.multiprocessing import ThreadPool", "ThreadPool(4).map({}, [1, 2])"),
        ("from mpire import WorkerPool", "WorkerPool(4, start_method='threading').map({}, [1, 2])"),
    ],
)
def test_threads_share_all(imported: str, run: str) -> None:
    for function in ("scaled", "noted"):
        assert not marks(STATE.format(imported=imported, run=run.format(function)))


def test_an_initializer_sets_what_workers_read() -> None:
    run = "mmcv.track_parallel_progress(scaled, [1, 2], 4, start)"
    assert not marks(STATE.format(imported="import mmcv", run=run))


def test_an_item_comes_before_the_further_arguments() -> None:
    text = (
        "from fastcore.parallel import parallel\n\n\nclass Box:\n    def __init__(self):\n        self.lines = []\n\n\n"
        "def fill(number, box):\n    box.lines.append(number)\n\n\n"
        "def main():\n    box = Box()\n    parallel(fill, [1, 2], box)\n    print(box.lines)\n"
    )
    assert marks(text) == [(10, "LP207")]


ASYNC = """\
import asyncio

from aiomultiprocess import Pool


async def work(item):
    return item


async def main():
    async with Pool() as pool:
        await pool.map({}, [1])


if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_pool_awaits_coroutine_functions() -> None:
    assert not marks(ASYNC.format("work"))
    assert marks(ASYNC.format("lambda item: work(item)")) == [(12, "LP201")]
