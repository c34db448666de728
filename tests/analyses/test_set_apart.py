"""LP208: what is set only where no workers are started."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

TIMING = """\
from functools import wraps
from time import perf_counter

ON = False


def timed(function):
    @wraps(function)
    def wrap(*args):
        if ON:
            start = perf_counter()
            result = function(*args)
            print(perf_counter() - start)
            return result
        return function(*args)

    return wrap
"""
EVALUATING = """\
from multiprocessing import Pool

import timing


class Evaluator:
    def __init__(self, given):
        self.config = {{"parallel": False, "show": True, **given}}
        if {set_if}:
            timing.ON = True
{more}
    def evaluate(self, items):
        config = self.config
        if {start_if}:
            with Pool(4) as pool:
                return pool.map(score, items)
        return [score(each) for each in items]


@timing.timed
def score(item):
    return item * 2
"""
SCRIPT = """\
import sys

from evaluating import Evaluator

if __name__ == "__main__":
    Evaluator({"parallel": len(sys.argv) > 2}).evaluate([1, 2])
"""
SHOWN = 'self.config["show"] and not self.config["parallel"]'


def _codes(folder: Path, set_if: str, start_if: str, more: str = "") -> list[str]:
    (folder / "timing.py").write_text(TIMING)
    (folder / "evaluating.py").write_text(EVALUATING.format(set_if=set_if, start_if=start_if, more=more))
    (folder / "run.py").write_text(SCRIPT)
    resolver = SettingsResolver(isolated=True, cwd=folder)
    return [each.code for each in lint_paths([str(folder)], resolver=resolver).diagnostics]


@pytest.mark.parametrize(
    ("set_if", "start_if"),
    [
        (SHOWN, 'config["parallel"]'),
        (SHOWN, 'self.config["parallel"]'),
        (SHOWN, 'len(items) > 1 and config["parallel"]'),
        ('self.config["parallel"]', 'not config["parallel"]'),
        ('self.config["way"] == "serial"', 'config["way"] == "parallel"'),
    ],
)
def test_set_only_where_no_workers_are_started(tmp_path: Path, set_if: str, start_if: str) -> None:
    assert not _codes(tmp_path, set_if, start_if)


@pytest.mark.parametrize(
    ("set_if", "start_if", "more"),
    [
        ('self.config["show"]', 'config["parallel"]', ""),
        ('self.config["show"] and self.config["parallel"]', 'config["parallel"]', ""),
        (SHOWN, 'config["show"]', ""),
        (SHOWN, 'config["parallel"] or len(items) > 9', ""),
        (SHOWN, 'config["parallel"]', '\n    def speed_up(self):\n        self.config["parallel"] = True\n'),
        (SHOWN, 'config["parallel"]', "\n    def change(self, given):\n        self.config.update(given)\n"),
        (SHOWN, 'config["parallel"]', "\n    def change(self, given):\n        self.config = given\n"),
    ],
)
def test_set_where_workers_may_be_started(tmp_path: Path, set_if: str, start_if: str, more: str) -> None:
    assert _codes(tmp_path, set_if, start_if, more) == ["LP208"]
