"""Methods of objects: what is stored in their place counts, and where nothing is, constructors are not run."""

from __future__ import annotations

import pytest

from lintpickle.interpreter.constructor_runs import ConstructorRun
from tests.support import lint


def codes(text: str) -> list[str]:
    return [each.code for each in lint(text).diagnostics]


RUNNER = """\
import multiprocessing


class Runner:
    def __init__(self, steps):
        self.steps = steps
        {inside}

    def work(self):
        return self.steps


def replace_in(runner):
    runner.work = lambda: 0


def main():
    runner = Runner(3)
    {outside}
    multiprocessing.get_context("spawn").Process(target=runner.work).start()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ("self.work = lambda: 0", "pass"),
        ("setattr(self, 'work', lambda: 0)", "pass"),
        ("self.__dict__['work'] = lambda: 0", "pass"),
        ("pass", "runner.work = lambda: 0"),
        ("pass", "setattr(runner, 'work', lambda: 0)"),
        ("pass", "replace_in(runner)"),
    ],
)
def test_what_is_stored_in_place_of_a_method_is_what_is_called(inside: str, outside: str) -> None:
    assert codes(RUNNER.format(inside=inside, outside=outside)), "the lambda cannot be pickled"


def test_a_method_in_whose_place_nothing_is_stored_is_the_method() -> None:
    assert codes(RUNNER.format(inside="self.other = lambda: 0", outside="runner.steps = 4")) == ["LP102"]
    assert codes(RUNNER.format(inside="pass", outside="runner.steps = 4")) == []


CALLED = """\
import pickle


class Rows:
    def __init__(self, path):
        self.path = path

    def read(self):
        return [1, 2]


def main():
    pickle.dumps(Rows("a.csv").read())
"""


def test_no_constructor_is_run_to_find_a_method(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[ConstructorRun] = []
    monkeypatch.setattr(ConstructorRun, "construct", lambda self: run.append(self))
    assert codes(CALLED) == []
    assert codes(CALLED.replace("[1, 2]", "[lambda: 1]")) == ["LP102"]
    assert not run
