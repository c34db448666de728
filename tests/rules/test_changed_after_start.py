"""LP240: changed-after-start."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP240"


_PROGRAM = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

import numpy as np

_held = None


def start(held):
    global _held
    _held = held


def score(number):
    return number * _held


def weigh(number):
    return number * _held.weights[0]


def look(number):
    return number * _held["bias"]


def score_both(held, number):
    return held, number


def serve(held, tasks):
    for number in iter(tasks.get, None):
        print(number * held["bias"])


class Policy:
    def __init__(self):
        self.weights = [0.0]
        self.label = "first"


class Trainer:
    def __init__(self):
        self.policy = Policy()
        self.pool = mp.Pool(2, initializer=start, initargs=(self.policy,))

    def step(self, number):
        STEP


def main(items):
    BODY


if __name__ == "__main__":
    main([1, 2])
"""
_POOL = "with mp.Pool(2, initializer=start, initargs=(held,)) as pool:\n"
_ROUNDS = "    for _ in range(3):\n        found = pool.map({}, items)\n        {}"
_STEP = "found = self.pool.map(weigh, range(4))\nself.policy.weights = [sum(found)]"
_STEPS = "trainer = Trainer()\nfor number in range(3):\n    trainer.step(number)"


def _found(body: str, step: str = "pass") -> list[str]:
    text = _PROGRAM.replace("BODY", body.replace("\n", "\n    ")).replace("STEP", step.replace("\n", "\n        "))
    return [each.message for each in lint(text).diagnostics if each.code == "LP240"]


def _in_rounds(made: str, task: str, change: str, pool: str = _POOL) -> str:
    return f"held = {made}\n{pool}{_ROUNDS.format(task, change)}"


@pytest.mark.parametrize(
    ("body", "step"),
    [
        pytest.param(_in_rounds("np.zeros(3)", "score", "held += sum(found)"), "", id="an array"),
        pytest.param(_in_rounds("1", "score", "held = held + sum(found)"), "", id="a number"),
        pytest.param(_in_rounds("{'bias': 1}", "look", "held['bias'] = sum(found)"), "", id="an item"),
        pytest.param(_in_rounds("{'bias': 1}", "look", "held.update(bias=2)"), "", id="updated"),
        pytest.param(_in_rounds("Policy()", "weigh", "held.weights = [sum(found)]"), "", id="an attribute"),
        pytest.param(_in_rounds("Policy()", "weigh", "held.weights[0] += sum(found)"), "", id="an item of one"),
        pytest.param(
            _in_rounds(
                "{'bias': 1}",
                "look",
                "held['bias'] = 2",
                "with ProcessPoolExecutor(2, initializer=start, initargs=(held,)) as pool:\n",
            ),
            "",
            id="an executor",
        ),
        pytest.param(
            "held = {'bias': 1}\n" + _POOL + "    print(pool.map(look, items))\n    held['bias'] = 2\n"
            "    print(pool.map(look, items))",
            "",
            id="between two calls",
        ),
        pytest.param(_STEPS, _STEP, id="a method that a loop calls"),
        pytest.param(
            _STEPS, "self.policy.weights = [number]\nprint(self.pool.map(weigh, range(4)))", id="before the tasks"
        ),
        pytest.param(
            "held, tasks = {'bias': 1}, mp.Queue()\nprocess = mp.Process(target=serve, args=(held, tasks))\n"
            "process.start()\ntasks.put(1)\nheld['bias'] = 2\ntasks.put(1)\ntasks.put(None)",
            "",
            id="a process that is fed",
        ),
    ],
)
def test_what_later_tasks_do_not_see(body: str, step: str) -> None:
    [message] = _found(body, step or "pass")
    assert "still find it as it was" in message


@pytest.mark.parametrize(
    ("body", "step"),
    [
        pytest.param(_in_rounds("{'bias': 1}", "look", "print(held['bias'])"), "", id="only read"),
        pytest.param(
            _in_rounds("Policy()", "weigh", "held.label = 'next'"), "", id="an attribute that no worker reads"
        ),
        pytest.param(_in_rounds("mp.Value('i', 1)", "score", "held.value += 1"), "", id="shared"),
        pytest.param(_in_rounds("mp.Manager().dict()", "look", "held['bias'] = 2"), "", id="a manager's"),
        pytest.param(_in_rounds("load()", "look", "held['bias'] = 2"), "", id="not known"),
        pytest.param(_in_rounds("1", "score", "held = 7"), "", id="a name that is used again"),
        pytest.param(
            "held = {'bias': 1}\n" + _POOL + "    print(pool.map(look, items))\nheld['bias'] = 2",
            "",
            id="after the last task",
        ),
        pytest.param(
            "held = {'bias': 1}\nheld['bias'] = 2\n" + _POOL + "    print(pool.map(look, items))",
            "",
            id="before the start",
        ),
        pytest.param(
            "held = {'bias': 1}\nfor _ in range(3):\n    with mp.Pool(2, start, (held,)) as pool:\n"
            "        found = pool.map(look, items)\n    held['bias'] = sum(found)",
            "",
            id="a pool for each round",
        ),
        pytest.param(
            "held = {'bias': 1}\n" + _POOL + "    for _ in range(3):\n"
            "        found = pool.starmap(score_both, [(held, each) for each in items])\n        held['bias'] = 2",
            "",
            id="sent with each task",
        ),
        pytest.param(
            _in_rounds(
                "{'bias': 1}",
                "look",
                "held['bias'] = 2",
                "with mp.Pool(2, initializer=start, initargs=(held,), maxtasksperchild=1) as pool:\n",
            ),
            "",
            id="workers that are renewed",
        ),
        pytest.param("trainer = Trainer()\ntrainer.step(1)", _STEP, id="a method that runs once"),
        pytest.param(
            "for number in range(3):\n    trainer = Trainer()\n    trainer.step(number)", _STEP, id="made each time"
        ),
        pytest.param(_STEPS, "self.policy.label = number\nprint(self.pool.map(weigh, range(4)))", id="a label"),
        pytest.param(
            "held, tasks = {'bias': 1}, mp.Queue()\nprocess = mp.Process(target=serve, args=(held, tasks))\n"
            "held['bias'] = 2\nprocess.start()\ntasks.put(1)\ntasks.put(None)",
            "",
            id="before the process starts",
        ),
        pytest.param(
            "held, tasks = {'bias': 1}, mp.Queue()\nprocess = mp.Process(target=serve, args=(held, tasks))\n"
            "process.start()\ntasks.put(1)\ntasks.put(None)\nprocess.join()\nheld['bias'] = 2",
            "",
            id="when the process has ended",
        ),
    ],
)
def test_what_is_seen_or_not_needed(body: str, step: str) -> None:
    assert _found(body, step or "pass") == []


_FOLDERS = """\
import contextlib
import multiprocessing as mp
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


@contextlib.contextmanager
def pushd(path):
    before = os.getcwd()
    os.chdir(path)
    try:
        yield path
    finally:
        os.chdir(before)


@contextlib.contextmanager
def timed(path):
    yield path
    os.chdir(path)


def draw(name):
    with open(name, "w") as file:
        file.write("x")


def draw_named(name):
    target = Path(f"{name}.svg")
    target.write_text("x")


def log(number):
    open("log.txt", "a").write(str(number))


def go(name):
    os.chdir("/tmp")
    return draw(name)


def reckon(number):
    return number + 1


class Studio:
    def __init__(self, path):
        self.pool = mp.Pool(2)

    def export(self, path, names):
        with pushd(path):
            self.pool.map(draw_named, names)

    def prepare(self, path):
        with timed(path):
            self.pool.map(draw, ["a.svg"])


def main(path, names):
    BODY


if __name__ == "__main__":
    main("/tmp/plots", NAMES)
"""
_POOL = "pool = mp.Pool(2)\n    "
_GO = "os.chdir(path)\n    "


def _found_in_folders(body: str, names: str = '["a", "b"]') -> list[str]:
    program = _FOLDERS.replace("BODY", body).replace("NAMES", names)
    return [each.code for each in lint(program).diagnostics if each.code == "LP240"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{_POOL}{_GO}pool.map(draw, ['a.svg', 'b.svg'])", id="names sent"),
        pytest.param(f"{_POOL}{_GO}pool.map(log, [1, 2])", id="a name in the task"),
        pytest.param(f"{_POOL}{_GO}pool.map(draw, names)", id="names of the caller"),
        pytest.param("with mp.Pool(2) as pool:\n        os.chdir(path)\n        pool.map(log, [1])", id="a with"),
        pytest.param(f"{_POOL}with pushd(path):\n        list(pool.imap(log, [1]))", id="a context manager"),
        pytest.param(f"{_POOL}with contextlib.chdir(path):\n        pool.map(log, [1])", id="that of contextlib"),
        pytest.param("studio = Studio(path)\n    studio.export(path, ['a', 'b'])", id="a pool of an object"),
    ],
)
def test_the_folder_is_changed_behind_the_pool(body: str) -> None:
    assert _found_in_folders(body) == ["LP240"]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        pytest.param(f"{_GO}{_POOL}pool.map(draw, ['a.svg'])", "[]", id="changed before"),
        pytest.param(f"{_POOL}pool.map(draw, ['a.svg'])\n    {_GO}", "[]", id="changed behind the tasks"),
        pytest.param(f"{_POOL}{_GO}os.chdir('..')\n    pool.map(draw, ['a.svg'])", "[]", id="changed back"),
        pytest.param(f"{_POOL}with pushd(path):\n        pass\n    pool.map(draw, ['a.svg'])", "[]", id="left again"),
        pytest.param(f"{_POOL}{_GO}pool.map(draw, ['/tmp/a.svg'])", "[]", id="whole paths"),
        pytest.param(
            f"{_POOL}{_GO}pool.map(draw, [os.path.abspath(each) for each in names])", "['a']", id="made whole"
        ),
        pytest.param(f"{_POOL}{_GO}pool.map(draw, names)", "input().split()", id="nobody knows the names"),
        pytest.param(f"{_POOL}{_GO}pool.map(draw, names)", "['a', '/tmp/b']", id="one is whole"),
        pytest.param(f"{_POOL}{_GO}pool.map(reckon, [1])", "[]", id="opens nothing"),
        pytest.param(f"{_POOL}{_GO}pool.map(go, ['a.svg'])", "[]", id="goes itself"),
        pytest.param(
            f"pool = ProcessPoolExecutor(2)\n    {_GO}list(pool.map(draw, ['a.svg']))", "[]", id="starts with the task"
        ),
        pytest.param(
            f"pool = mp.Pool(2, maxtasksperchild=1)\n    {_GO}pool.map(draw, ['a.svg'])", "[]", id="workers made anew"
        ),
        pytest.param(
            f"{_POOL}if names:\n        os.chdir(path)\n    else:\n        pool.map(draw, ['a.svg'])", "[]", id="or"
        ),
        pytest.param("Studio(path).prepare(path)", "[]", id="as a context is left"),
    ],
)
def test_the_folder_is_that_of_the_pool(body: str, names: str) -> None:
    assert _found_in_folders(body, names) == []
