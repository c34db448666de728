"""Classes that only the main process lets `torch.load` read: forked workers have its list, others not (torch 2.13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst
from tests.support import changed

_PROGRAM = """\
import multiprocessing as mp
import sys

import torch


class Info:
    step = 0


def read(path):
    return torch.load(path, weights_only=True)


def step_of(path):
    return read(path)["info"].step


def trust_own_types():
    torch.serialization.add_safe_globals([Info])


def main(paths):
    trust_own_types()
    with mp.Pool(2) as pool:
        print(pool.map(step_of, paths))


if __name__ == "__main__":
    mp.set_start_method("fork")
    main(sys.argv[1:])
"""
_WHILE_ENTERED = """\
def main(paths):
    with torch.serialization.safe_globals([Info]):
        pool = mp.Pool(2)
        print(pool.map(step_of, paths))
"""


def _entering(text: str) -> str:
    start, end = text.index("def main"), text.index("\n\nif __name__")
    return text[:start] + _WHILE_ENTERED + text[end:]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(_PROGRAM, id="weights only"),
        pytest.param(changed(_PROGRAM, (", weights_only=True", "")), id="weights only by default, since torch 2.6"),
        pytest.param(_entering(_PROGRAM), id="while a context is entered"),
    ],
)
def test_classes_that_only_main_allows(program: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, program)) is Verdict.BREAKS


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(changed(_PROGRAM, ("weights_only=True", "weights_only=False")), id="whatever is in the file"),
        pytest.param(changed(_PROGRAM, ("weights_only=True", "pickle_module=mine")), id="by another pickle"),
        pytest.param(changed(_PROGRAM, ("mp.Pool(2)", "mp.Pool(2, trust_own_types)")), id="by an initializer"),
        pytest.param(
            changed(_PROGRAM, ("def trust_own_types():\n    ", "")).replace("    trust_own_types()\n", ""),
            id="as the script is imported",
        ),
        pytest.param(changed(_PROGRAM, ('read(path)["info"].step', "len(path)")), id="workers load nothing"),
        pytest.param(
            changed(
                _PROGRAM,
                (
                    "    return torch.load(path, weights_only=True)",
                    "    with torch.serialization.safe_globals([Info]):\n"
                    "        return torch.load(path, weights_only=True)",
                ),
            ),
            id="workers allow them for themselves",
        ),
    ],
)
def test_nothing_is_said(program: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, program)) is Verdict.READY
