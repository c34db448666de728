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
