"""What is advised for an object that cannot be sent: `__getstate__` is of use where a class holds it."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.support import lint

TEXT = """\
import copy, logging, threading, weakref
import torch
import torch.multiprocessing as mp


class Kept:
    def __init__(self):
        self.lock = threading.Lock()
        self.locks = [threading.Lock()]


class Own(mp.Process):
    def __init__(self):
        super().__init__()
        self.file = open("x")


def train(rank, thing):
    print(rank, thing)


if __name__ == "__main__":
    {}
"""
MAKE_IN_WORKER = "create it in the worker; to share one, create it from the context of the processes: `context.Lock()`"
HAND_OVER = (
    "hand it to the processes when they start (`Process(args=…)`, `initargs=`), or keep one of a "
    "`multiprocessing.Manager()`"
)
HELD = "drop it in `__getstate__` and recreate it in `__setstate__`"


@pytest.mark.parametrize(
    ("statement", "advice"),
    [
        ("mp.spawn(train, args=(Kept(),))", {HELD}),
        ("torch.save(Kept(), 'x')", {HELD}),
        ("mp.spawn(train, args=(threading.Lock(),))", {MAKE_IN_WORKER}),
        ("mp.spawn(train, args=({'a': [threading.Lock()]},))", {MAKE_IN_WORKER}),
        ("torch.save({'lock': threading.Lock()}, 'x')", {"leave it out of what is saved"}),
        ("copy.deepcopy([threading.Lock()])", {"leave it out of what is copied"}),
        ("mp.spawn(train, args=(open('x'),))", {"pass what it is opened from (the path), and open it in the worker"}),
        ("mp.spawn(train, args=(weakref.ref(Kept),))", {"pass the object itself"}),
        (
            "mp.spawn(train, args=(logging.FileHandler('x'),))",
            {"leave it in the main process, or ask `logging.getLogger` for it in the worker"},
        ),
        ("Own().start()", {"create it in `run`, which the new process calls"}),
        (
            "torch.save({'net': torch.jit.load('x')}, 'y')",
            {"send its state_dict, and build the module in the worker; for scripts, `torch.jit.save` to a file"},
        ),
    ],
)
def test_advice(statement: str, advice: set[str | None]) -> None:
    found = lint(TEXT.format(statement)).diagnostics
    certain = [
        diagnostic for diagnostic in found if diagnostic.confidence is Confidence.CERTAIN and diagnostic.code < "LP2"
    ]
    assert {diagnostic.help for diagnostic in certain} == advice


_SHARED = """\
import copy
import multiprocessing as mp
import pickle
from concurrent.futures import ProcessPoolExecutor


class Progress:
    def __init__(self):
        self.finished = MADE

    def advance(self, step):
        return step


def advance(progress):
    return progress


def main():
    context = mp.get_context("spawn")
    progress = Progress()
    with context.Pool(2) as pool, ProcessPoolExecutor() as executor:
        USE


if __name__ == "__main__":
    main()
"""


def _advised(made: str, use: str) -> set[str | None]:
    found = lint(_SHARED.replace("MADE", made).replace("USE", use)).diagnostics
    return {each.help for each in found if each.code in ("LP110", "LP111")}


@pytest.mark.parametrize(
    "made",
    [
        *("mp.Value('i', 0)", "mp.Array('d', 3)", "mp.Lock()", "mp.Event()", "mp.Queue()", "mp.Semaphore(2)"),
        *(
            "mp.RawArray('d', 3)",
            "mp.RawValue('i', 0)",
            "mp.Value('i', 0, lock=False)",
            "mp.get_context().Value('i', 0)",
        ),
    ],
)
def test_what_processes_share_is_handed_over_as_they_start(made: str) -> None:
    assert _advised(made, "pool.map(progress.advance, [1, 2])") == {HAND_OVER}
    assert _advised(made, "executor.submit(progress.advance, 1)") == {HAND_OVER}
    assert _advised(made, f"pool.apply(advance, ({made},))") == {HAND_OVER}


@pytest.mark.parametrize(
    ("made", "use", "advice"),
    [
        ("mp.Value('i', 0)", "pickle.dumps(progress)", "drop it in `__getstate__`: it is of use only to the processes"),
        ("mp.Lock()", "copy.deepcopy(progress)", "drop it in `__getstate__`: it is of use only to the processes"),
        ("mp.Lock()", "pickle.dumps(mp.Lock())", "leave it out of what is pickled"),
        ("open('x')", "pool.map(progress.advance, [1, 2])", "open it on first use in the worker"),
        ("mp.Pool()", "pool.map(progress.advance, [1, 2])", "drop it in `__getstate__`: it stays in the process"),
    ],
)
def test_what_is_not_handed_over(made: str, use: str, advice: str) -> None:
    [found] = _advised(made, use)
    assert found is not None and found.startswith(advice)


@pytest.mark.parametrize("made", ["mp.Value('i', 0)", "mp.Lock()", "mp.Queue()", "mp.RawArray('d', 3)"])
def test_what_is_handed_over_as_processes_start(made: str) -> None:
    assert _advised(made, "context.Process(target=progress.advance, args=(1,)).start()") == set()
    assert _advised(made, f"context.Pool(2, advance, ({made},)).close()") == set()
