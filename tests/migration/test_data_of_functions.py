"""What a function gives as one of several values, and what is reckoned of arrays, is followed as far as it is data."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

PROGRAM = """\
import functools
import multiprocessing

import numpy as np
import somelib


def make_data(n):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 3))
    y = {given}
    return x, y


def fit(x, y, penalty):
    print(x.shape, y, penalty)


class Sweep:
    def build(self, x, y):
        return functools.partial(fit, x, y)

    def run(self):
        x, y = make_data(20)
        trial = {trial}
        worker = multiprocessing.Process(target=trial, args=(0.5,))
        worker.start()
        worker.join()


if __name__ == "__main__":
    Sweep().run()
"""


def told(folder: Path, given: str, trial: str = "self.build(x, y)") -> tuple[Verdict, str]:
    (folder / "main.py").write_text(PROGRAM.format(given=given, trial=trial), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    [boundary] = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return boundary.verdict, boundary.starts


@pytest.mark.parametrize(
    "given",
    [
        pytest.param("x @ np.array([1.0, -2.0, 0.5]) + 0.1 * rng.normal(size=n)", id="a product and noise"),
        pytest.param("x @ np.array([1.0, -2.0, 0.5])", id="a product"),
        pytest.param("2 * x - rng.normal(size=n)", id="a difference"),
        pytest.param("x.mean() ** 2", id="a power"),
        pytest.param("[0, 1]", id="a list of numbers"),
    ],
)
def test_what_is_reckoned_of_arrays_crosses(given: str, tmp_path: Path) -> None:
    assert told(tmp_path, given)[0] is Verdict.READY


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        pytest.param("somelib.load(n)", Verdict.CANNOT_TELL, id="of a library"),
        pytest.param("[somelib.load(n)] + somelib.more()", Verdict.CANNOT_TELL, id="lists of a library"),
        pytest.param("lambda: 0.1 * x", Verdict.BREAKS, id="a lambda"),
    ],
)
def test_what_is_no_data_is_told(given: str, verdict: Verdict, tmp_path: Path) -> None:
    assert told(tmp_path, given)[0] is verdict


@pytest.mark.parametrize(
    ("trial", "starts"),
    [
        pytest.param("self.build(x, y)", "fit", id="of a method"),
        pytest.param("functools.partial(functools.partial(fit, x), y)", "fit", id="twice"),
        pytest.param("somelib.build(x)", "somelib.build(x)", id="of a library"),
    ],
)
def test_what_runs_there_is_named(trial: str, starts: str, tmp_path: Path) -> None:
    assert told(tmp_path, "2 * x", trial)[1] == starts
