"""What workers run by its path may change whatever it imports: nothing is said of that."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import importlib.util
import multiprocessing
import runpy
import sys


class Plan:
    steps = []

    def __init__(self, steps):
        Plan.steps.extend(steps)


def load(path):
    {load}


def work(path):
    load(path)
    return [step for step in Plan.steps]


if __name__ == "__main__":
    Plan(sys.argv)
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, sys.argv))
"""


def _found(load: str) -> bool:
    return "LP210" in [code for _, code in marks(PROGRAM.format(load=load))]


@pytest.mark.parametrize(
    "load",
    [
        "runpy.run_path(path)",
        "spec = importlib.util.spec_from_file_location('', path)\n"
        "    spec.loader.exec_module(importlib.util.module_from_spec(spec))",
        "exec(compile(open(path).read(), path, 'exec'))",
    ],
)
def test_scripts(load: str) -> None:
    assert not _found(load)


@pytest.mark.parametrize("load", ["print(path)", "importlib.import_module(path)"])
def test_other_calls(load: str) -> None:
    assert _found(load)
