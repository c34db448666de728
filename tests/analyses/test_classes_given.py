"""Classes that workers get as objects, and of which only the main process sets attributes (LP208, LP210)."""

from __future__ import annotations

import pytest

from tests.support import lint

_PROGRAM = """\
import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context


class Settings:
    penalty = 0.0
    folds = 2
METHODS


class Other:
    penalty = 0.0


class Trial:
    def __init__(self, depth, settings=Settings):
        self.depth = depth
        self.settings = settings

    def run(self):
        return self.depth - self.settings.penalty


def held(trial):
    return trial.run()


def given(settings, number):
    return number - settings.penalty


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--penalty", type=float, default=0.5)
    return parser.parse_args()


def main():
    args = parse()
    SET
    with get_context("spawn").Pool(2) as pool:
        print(TASK)


if __name__ == "__main__":
    main()
"""
_TRIALS = "pool.map(held, [Trial(depth, CLASS) for depth in (1, 2)])"
_FIXED = """
    @classmethod
    def configure(cls, penalty):
        cls.penalty = penalty
"""
_OTHER_ATTRIBUTE = _FIXED.replace("cls.penalty", "cls.folds")
_ANY = """
    @classmethod
    def from_args(cls, args):
        for key, value in vars(args).items():
            if value is not None:
                setattr(cls, key, value)
        return cls
"""
_ON_OBJECTS = """
    def __init__(self, args):
        for key, value in vars(args).items():
            setattr(self, key, value)
"""


def _codes(methods: str, change: str, task: str, held: str = "Settings") -> list[str]:
    text = _PROGRAM.replace("METHODS", methods).replace("SET", change).replace("TASK", task.replace("CLASS", held))
    return [each.code for each in lint(text).diagnostics]


@pytest.mark.parametrize(
    "task",
    [
        _TRIALS,
        "pool.map(held, [Trial(depth) for depth in (1, 2)])",
        "pool.apply(given, (Settings, 1))",
        "pool.map(partial(given, Settings), [1, 2])",
        "ProcessPoolExecutor(2).submit(given, Settings, 1).result()",
    ],
)
@pytest.mark.parametrize(
    ("methods", "change", "code"),
    [
        pytest.param("", "Settings.penalty = 0.5", "LP208", id="set by its name"),
        pytest.param(_FIXED, "Settings.configure(0.5)", "LP208", id="set by a method"),
        pytest.param(_ANY, "Settings.from_args(args)", "LP210", id="set by any name"),
        pytest.param(
            "", "for key, value in vars(args).items():\n        setattr(Settings, key, value)", "LP210", id="in a loop"
        ),
    ],
)
def test_what_workers_read_of_a_class_that_they_are_given(methods: str, change: str, code: str, task: str) -> None:
    assert _codes(methods, change, task) == [code]


def test_a_class_that_its_method_gives_back() -> None:
    assert _codes(_ANY, "config = Settings.from_args(args)", _TRIALS, "config") == ["LP210"]


@pytest.mark.parametrize(
    ("methods", "change", "held"),
    [
        pytest.param("", "Settings.folds = 3", "Settings", id="another attribute"),
        pytest.param(_OTHER_ATTRIBUTE, "Settings.configure(3)", "Settings", id="another by a method"),
        pytest.param("", "Settings.penalty = 0.5", "Other", id="another class"),
        pytest.param(_ANY, "print(args)", "Settings", id="never set"),
        pytest.param(_ON_OBJECTS, "config = Settings(args)", "config", id="an object, which crosses with all it has"),
        pytest.param("", "Settings.penalty = 0.0", "Settings", id="set to the same"),
    ],
)
def test_what_workers_have_too(methods: str, change: str, held: str) -> None:
    assert _codes(methods, change, _TRIALS, held) == []


@pytest.mark.parametrize(
    "task",
    [
        # gap: the items of what a pool maps are not followed into the tuples that they are.
        "pool.starmap(given, [(Settings, 1), (Settings, 2)])",
    ],
)
def test_classes_in_tuples_are_not_seen(task: str) -> None:
    assert _codes("", "Settings.penalty = 0.5", task) == []
