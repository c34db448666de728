"""Boundaries in installed packages: how far calls are followed there, and what is not told."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Outcome
from lintpickle.settings import SettingsResolver

SITE = "env/lib/python3.11/site-packages"
POOL = """\
from multiprocessing import Pool


def last(function):
    with Pool(2) as pool:
        return pool.map(function, [1])
"""
"""A module of the package, with the function that pickles."""


class Project:
    """A project whose environment has a package `kit`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("pyproject.toml", '[tool.lintpickle]\npython = "env"\n')
        self.write("env/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.0\n")

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def kit(self, text: str) -> None:
        """Write the package's own module."""
        self.write(f"{SITE}/kit/__init__.py", text)

    def outcome(self, main: str) -> Outcome:
        self.write("main.py", main)
        return lint_paths([str(self.folder)], resolver=SettingsResolver(cwd=self.folder))

    def found(self, main: str) -> list[tuple[int, str, str]]:
        """The rows, codes and confidences of what is found with this main module."""
        outcome = self.outcome(main)
        return [(each.location.start.row, each.code, each.confidence.value) for each in outcome.diagnostics]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


MAIN = "import kit\n\n\ndef main():\n    return kit.each(lambda item: item)\n"


def test_through_functions_of_the_package(project: Project) -> None:
    project.write(f"{SITE}/kit/pools.py", POOL)
    project.kit("from kit.pools import last\n\n\ndef each(function):\n    return last(function)\n")
    assert project.found(MAIN) == [(5, "LP201", "certain")]


def test_what_a_condition_of_the_package_decides_is_likely(project: Project) -> None:
    project.write(f"{SITE}/kit/pools.py", POOL)
    project.kit(
        "from kit.pools import last\n\n\n"
        "def each(function, quick=None):\n"
        "    if quick and quick > len(function.__name__):\n"
        "        return function(1)\n"
        "    return last(function)\n"
    )
    main = "import kit\n\n\ndef main(quick):\n    return kit.each(lambda item: item, quick)\n"
    assert project.found(main) == [(5, "LP201", "likely")]


def test_not_further_than_the_limit(project: Project) -> None:
    project.write(f"{SITE}/kit/pools.py", POOL)
    steps = "".join(f"def step{n}(function):\n    return step{n + 1}(function)\n\n\n" for n in range(8))
    project.kit(
        f"from kit.pools import last\n\n\n{steps}"
        "def step8(function):\n    return last(function)\n\n\ndef each(function):\n    return step0(function)\n"
    )
    outcome = project.outcome(MAIN)
    assert not outcome.diagnostics
    assert "dependency-steps" in {cut.limit for cut in outcome.cuts}


@pytest.mark.parametrize(
    "text",
    [
        "import copy\n\n\ndef each(function):\n    return copy.deepcopy([function])\n",
        "from multiprocessing.pool import ThreadPool\n\n\n"
        "def each(function):\n    with ThreadPool(2) as pool:\n        return pool.map(function, [1])\n",
        "from multiprocessing import Pool\n\n\n"
        "def each(function):\n    with Pool(2) as pool:\n        return function(pool.map(len, ['a']))\n",
        "import pickle\n\n\n"
        "def each(function):\n"
        "    try:\n        return pickle.dumps(function)\n    except Exception:\n        return repr(function)\n",
        "import cloudpickle\n\n\ndef each(function):\n    return cloudpickle.dumps(function)\n",
    ],
    ids=["a copy", "threads", "called here", "a question", "cloudpickle"],
)
def test_what_does_not_pickle_the_function(project: Project, text: str) -> None:
    project.kit(text)
    assert project.found(MAIN) == []


def test_what_a_package_ships_of_its_own_is_not_told(project: Project) -> None:
    project.kit(
        "import threading\nfrom multiprocessing import Process\n\n\n"
        "class Runner:\n"
        "    def __init__(self, function):\n"
        "        self.lock = threading.Lock()\n"
        "        self.function = function\n\n"
        "    def start(self):\n        Process(target=self.run).start()\n\n"
        "    def run(self):\n        self.function()\n"
    )
    main = "from kit import Runner\n\n\ndef work():\n    pass\n\n\ndef main():\n    Runner({}).start()\n"
    assert project.found(main.format("work")) == []
    assert [code for _, code, _ in project.found(main.format("lambda: work()"))] == ["LP102"]


WRAPPED = """\
from multiprocessing import Process

import cloudpickle


class ByValue:
    def __init__(self, held):
        self.held = held

    def __getstate__(self):
        return cloudpickle.dumps(self.held)

    def __setstate__(self, state):
        self.held = cloudpickle.loads(state)


def serve(wrapped):
    wrapped.held()


def each(functions):
    for function in functions:
        Process(target=serve, args=(ByValue(function),)).start()
"""
MAKING = """\
import threading

import kit


def making(held):
    def made():
        return held

    return made


def main():
    kit.each([making({})])
"""


def test_what_a_wrapper_of_the_package_pickles_in_its_hook(project: Project) -> None:
    """As the vectorised environments of gymnasium and stable-baselines3 do (both measured)."""
    project.kit(WRAPPED)
    assert [found[:2] for found in project.found(MAKING.format("threading.Lock()"))] == [(14, "LP111")]
    assert project.found(MAKING.format("'text'")) == []
