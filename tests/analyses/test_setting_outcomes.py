"""What messages say that a worker has instead of what main has set, and what it does that depends on that."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.settings import SettingsResolver

PROGRAM = """\
import logging
import multiprocessing
import random
import sys
import warnings

import numpy as np

log = logging.getLogger("steps")


def noted(number):
    {0}
    return number


def work(number):
    try:
        return noted(number)
    except UserWarning:
        return None


def set_up(level):
    {1}


def main():
    set_up(sys.argv[1])
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


def told(folder: Path, work: str, set_up: str) -> str:
    (folder / "main.py").write_text(PROGRAM.format(work, set_up), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return " / ".join(finding.diagnostic.message for boundary in found for finding in boundary.findings)


@pytest.mark.parametrize(
    ("work", "set_up", "does", "outcome"),
    [
        pytest.param(
            "log.error('%d', number)",
            "logging.basicConfig(level=level)",
            "uses `log.error`",
            "there the root logger has no handler, and its level is WARNING",
            id="logging",
        ),
        pytest.param(
            "log.error('%d', number)",
            "log.addHandler(logging.StreamHandler(sys.stdout))",
            "uses `log.error`",
            "there its logger has no such handler",
            id="a handler",
        ),
        pytest.param(
            "warnings.warn('odd')",
            "warnings.simplefilter('error')",
            "`noted` runs in workers and uses `warnings.warn`",
            "there the filters are those with which Python starts",
            id="a warning of its own",
        ),
        pytest.param(
            "np.linalg.inv([[number]])",
            "warnings.simplefilter('error')",
            "`work` runs in workers and catches `UserWarning`",
            "there the filters are those with which Python starts",
            id="a warning of a library",
        ),
        pytest.param(
            "return np.random.rand()",
            "np.random.seed(int(level))",
            "uses `np.random.rand`",
            "there each process draws its own seed at random",
            id="a seed",
        ),
    ],
)
def test_what_a_worker_has_is_said(work: str, set_up: str, does: str, outcome: str, tmp_path: Path) -> None:
    message = told(tmp_path, work, set_up)
    assert does in message
    assert message.endswith(outcome)


@pytest.mark.parametrize(
    ("work", "set_up"),
    [
        pytest.param("return number + 1", "logging.basicConfig(level=level)", id="nothing is logged"),
        pytest.param("return UserWarning(number)", "np.random.seed(int(level))", id="nothing is drawn"),
        pytest.param(
            "logging.basicConfig(level='INFO'); log.error('%d', number)",
            "logging.basicConfig(level=level)",
            id="workers set it up",
        ),
    ],
)
def test_what_needs_no_word(work: str, set_up: str, tmp_path: Path) -> None:
    assert told(tmp_path, work, set_up) == ""
