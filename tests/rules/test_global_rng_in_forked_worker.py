"""LP309: global-rng-in-forked-worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import lint_files, marks


class TestPage(PageTests):
    code = "LP309"


HEAD = """\
import multiprocessing as mp
import random
import time
from concurrent.futures import ProcessPoolExecutor
import numpy as np
import torch
"""
POOL = "with mp.Pool(4) as pool:\n        print(pool.map(sim, range(4)))"
EXECUTOR = "with ProcessPoolExecutor() as e:\n        print([f.result() for f in [e.submit(sim, i) for i in range(4)]])"
LOOP = "for i in range(4):\n        mp.Process(target=sim, args=(i,)).start()"


MAIN_DRAWS = "WEIGHTS = np.random.rand(3)\n"


def codes(body: str, starts: str = POOL, more: str = MAIN_DRAWS, pedantic: bool = False) -> list[str]:
    text = f"{HEAD}{more}def sim(i):\n    {body}\ndef main():\n    {starts}\nif __name__ == '__main__':\n    main()\n"
    return [code for _, code in marks(text, pedantic=pedantic) if code.startswith("LP30")]


@pytest.mark.parametrize(
    ("body", "starts"),
    [
        pytest.param("return np.random.normal(size=3)", POOL, id="in a pool"),
        pytest.param("return np.random.normal()", f"np.random.seed(0)\n    {POOL}", id="seeded in main"),
        pytest.param("return np.random.rand() + i", EXECUTOR, id="in an executor"),
        pytest.param("np.save(str(i), np.random.choice(4))", LOOP, id="in processes of a loop"),
        pytest.param("np.save(str(i), np.random.choice(4))", LOOP.replace("mp.", "mp.get_context('fork')."), id="fork"),
        pytest.param(
            "for k in range(np.random.randint(9)):\n        i += k\n    return i", POOL, id="how often to add"
        ),
        pytest.param(
            "for k in range(np.random.randint(9)):\n        save(k)\n    return i", POOL, id="how often to save"
        ),
        pytest.param(
            "pause = np.random.rand()\n    time.sleep(pause)\n    return pause", POOL, id="a time that is given back"
        ),
        pytest.param("return torch.randn(3).tolist()", POOL, id="from torch"),
    ],
)
def test_a_draw_in_forked_workers_is_found(body: str, starts: str) -> None:
    assert codes(body, starts) == ["LP309"]


PARTIAL = "from functools import partial\n    " + POOL.replace("sim,", "partial(sim, {}),")


@pytest.mark.parametrize("starts", [PARTIAL.format("1"), PARTIAL.format("scale=2"), PARTIAL.format("scale=[draw, 2]")])
def test_a_draw_in_the_function_of_a_partial_is_found(starts: str) -> None:
    assert codes("return np.random.rand()", starts) == ["LP309"]


def test_a_draw_below_the_function_of_a_partial_is_possible() -> None:
    more = f"{MAIN_DRAWS}def draw(n):\n    return np.random.rand(n)\n"
    assert codes("return draw(i)", PARTIAL.format("scale=2"), more) == []
    assert codes("return draw(i)", PARTIAL.format("scale=2"), more, pedantic=True) == ["LP309"]


def test_a_function_that_is_only_given_to_a_partial_draws_nothing() -> None:
    more = f"{MAIN_DRAWS}def draw(n):\n    return np.random.rand(n)\n"
    assert codes("return i", PARTIAL.format("scale=draw"), more, pedantic=True) == []


def test_the_function_of_a_partial_that_seeds() -> None:
    assert codes("np.random.seed(i)\n    return np.random.rand()", PARTIAL.format("scale=2"), pedantic=True) == []


def test_a_draw_of_what_is_called_is_found_in_processes_that_a_helper_starts() -> None:
    more = f"{MAIN_DRAWS}def step():\n    return np.random.rand()\n"
    more += "def launch(i):\n    mp.Process(target=sim, args=(i,)).start()\n"
    assert codes("np.save(str(i), step())", "for i in range(4):\n        launch(i)", more) == []
    assert codes("np.save(str(i), step())", "for i in range(4):\n        launch(i)", more, pedantic=True) == ["LP309"]


@pytest.mark.parametrize(
    ("body", "starts"),
    [
        pytest.param("return random.random()", POOL, id="Python's own is seeded in each process"),
        pytest.param("np.random.seed(i)\n    return np.random.rand()", POOL, id="seeded by the task"),
        pytest.param("return np.random.default_rng(i).normal()", POOL, id="a generator of its own"),
        pytest.param("return np.random.rand()", POOL.replace("(4) as", "(4, np.random.seed) as"), id="an initializer"),
        pytest.param("return np.random.rand()", POOL.replace("mp.", "mp.get_context('spawn')."), id="spawned"),
        pytest.param("return np.random.rand()", f"mp.set_start_method('spawn')\n    {POOL}", id="spawn is set"),
        pytest.param("return np.random.rand()", POOL.replace("Pool(4)", "Pool(1)"), id="one worker"),
        pytest.param("np.save('a', np.random.rand())", LOOP.partition("\n")[2].strip(), id="one process"),
        pytest.param("np.save(str(i), np.random.rand())", LOOP.replace("(i,)", "(np.random.rand(),)"), id="main draws"),
        pytest.param("time.sleep(np.random.rand())\n    return i", POOL, id="only how long to sleep"),
        pytest.param(
            "pause = 3 * np.random.rand()\n    print('a')\n    time.sleep(pause)\n    return i",
            POOL,
            id="a time to sleep",
        ),
        pytest.param(
            "for k in range(np.random.randint(9)):\n        j = k**2\n    return i", POOL, id="how often to do nothing"
        ),
        pytest.param("for _ in range(np.random.randint(9)):\n        pass\n    return i", POOL, id="an empty loop"),
        pytest.param("return i", f"np.random.rand()\n    {POOL}", id="only main draws"),
    ],
)
def test_workers_that_differ_are_left_alone(body: str, starts: str) -> None:
    assert codes(body, starts) == []


def test_what_seeds_all_forked_processes_is_respected() -> None:
    more = f"{MAIN_DRAWS}import os\nos.register_at_fork(after_in_child=np.random.seed)\n"
    assert codes("return np.random.rand()", POOL, more) == []


FACTORY = """\
import multiprocessing as mp
import numpy as np

NOISE = np.random.rand(3)


class Env:
    def __init__(self, config):
        self.size = config["size"]
        {seeds}

    def reset(self):
        return self.place()

    def place(self):
        return np.random.rand(self.size)


class Tower(Env):
    def __init__(self, config):
        super().__init__(config)
        self.height = config["height"]

    def reset(self):
        return super().reset() * np.random.choice([1, 2], p=[0.75, 0.25])


class TallTower(Tower):
    def __init__(self, config):
        super().__init__(dict(config, height=9))


def make_tower(config):
    return TallTower(config)


def make_env(config):
    return Env(config)


MAKERS = {{"tower": make_tower, "env": make_env}}


def maker_of(kind):
    if kind in MAKERS:
        return MAKERS[kind]
    raise ValueError(kind)


def work(connection, make):
    env = make()
    while connection.recv() == "reset":
        connection.send(env.reset())


class Runner:
    def __init__(self, makers):
        self.pipes = [mp.Pipe() for _ in makers]
        for (mine, theirs), make in zip(self.pipes, makers):
            mp.Process(target=work, args=(theirs, make), daemon=True).start()

    def reset(self):
        for mine, _ in self.pipes:
            mine.send("reset")
        return [mine.recv() for mine, _ in self.pipes]


def start_many(count, config):
    make = maker_of(config["kind"])

    def maker(given):
        def made():
            return make(given)

        return made

    return Runner([maker(dict(config, seed=number)) for number in range(count)])


def start(count, config):
    return start_many(count, config)


class Wrapper:
    def __init__(self, count):
        self.runner = start(count, {{"kind": "tower", "size": 3}})


if __name__ == "__main__":
    print(Wrapper(4).runner.reset())
"""


def test_all_draws_below_one_unseeded_entry_are_one_finding() -> None:
    found = [row for row, code in marks(FACTORY.format(seeds="self.steps = 0"), pedantic=True) if code == "LP309"]
    assert len(found) == 1


@pytest.mark.parametrize("seeds", ["np.random.seed(config['seed'])", "self.seed(config['seed'])"])
def test_the_constructor_of_a_base_class_seeds_what_a_factory_makes_in_the_worker(seeds: str) -> None:
    assert "LP309" not in [code for _, code in marks(FACTORY.format(seeds=seeds))]


def test_a_constructor_seeds_that_stands_too_far_up_to_be_followed() -> None:
    level = "class Tower{0}({1}):\n    def __init__(self, config):\n        super().__init__(config)\n\n\n"
    levels = "".join(level.format(each, f"Tower{each - 1}" if each > 1 else "Tower") for each in range(1, 7))
    text = FACTORY.format(seeds="np.random.seed(config['seed'])")
    text = text.replace("class TallTower(Tower):", f"{levels}class TallTower(Tower6):")
    assert "LP309" not in [code for _, code in marks(text)]


def test_the_seed_of_an_object_that_main_makes_is_none_of_the_workers() -> None:
    text = FACTORY.format(seeds="np.random.seed(config['seed'])")
    text = text.replace("return made", "return made()").replace("env = make()", "env = make")
    assert "LP309" in [code for _, code in marks(text, pedantic=True)]


@pytest.mark.parametrize(
    ("starts", "more", "found"),
    [
        pytest.param(POOL, "", [], id="only workers load numpy.random"),
        pytest.param(f"np.random.seed(0)\n    {POOL}", "", ["LP309"], id="main seeds it"),
        pytest.param(f"sim(1)\n    {POOL}", "", ["LP309"], id="main calls the same"),
        pytest.param(POOL, "import pandas as pd\n", ["LP309"], id="a library loads it"),
    ],
)
def test_the_generator_must_be_there_before_the_workers(starts: str, more: str, found: list[str]) -> None:
    assert codes("return np.random.rand()", starts, more) == found


def test_what_only_the_main_process_asks_of_the_object_that_is_sent() -> None:
    body = """\
import multiprocessing as mp
import numpy as np
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, paths):
        self.noise = np.random.rand(3)
        self.rows = mp.Manager().list(paths)
        for path in paths:
            mp.Process(target=self.read, args=(path,)).start()

    def read(self, path):
        self.rows.append(path)

    def __getitem__(self, index):
        return self.rows[index] + np.random.rand()


if __name__ == "__main__":
    print(Rows(["a", "b"])[0])
"""
    assert "LP309" not in [code for _, code in marks(body)]


SIMULATION = """\
import multiprocessing as mp

import numpy as np

import world


def agent(number):
    made = world.World(number)
    print(made, np.random.rand())


if __name__ == "__main__":
    np.random.seed(0)
    for number in range(4):
        mp.Process(target=agent, args=(number,)).start()
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("        self.number = number", ["likely"]),
        ("        np.random.seed(number)", []),
        ("\tnp.random.seed(number)", []),
    ],
    ids=["seeds nothing", "seeds", "cannot be read: tabs and spaces"],
)
def test_code_that_cannot_be_read_may_seed(tmp_path: Path, line: str, expected: list[str]) -> None:
    world = f"import numpy as np\n\n\nclass World:\n    def __init__(self, number):\n        print(number)\n{line}\n"
    found = lint_files(tmp_path, {"main.py": SIMULATION, "world.py": world})
    assert [each.confidence.value for each in found if each.code == "LP309"] == expected


TASKS = """\
import multiprocessing as mp
import numpy as np


def simulate(seed):
    np.random.seed(seed)
    return np.random.rand(3)


def copy(row):
    return row


def disturb(row):
    return row + np.random.rand(3)


def main():
    np.random.seed(0)
    pool = mp.Pool(4)
    rows = [np.random.rand(3) for _ in range(4)]
    {tasks}


if __name__ == "__main__":
    main()
"""
SIMULATES = "rows = list(pool.imap_unordered(simulate, range(4)))"
DISTURBS = "print(pool.map(disturb, rows))"


@pytest.mark.parametrize(
    ("tasks", "found"),
    [
        ([SIMULATES, DISTURBS], False),
        (["given = [pool.apply_async(simulate, (seed,)) for seed in range(40)]", DISTURBS], False),
        (["rows = pool.map(copy, rows)", DISTURBS], True),
        ([DISTURBS, SIMULATES], True),
        (["pool.apply(simulate, (0,))", DISTURBS], True),
        ([SIMULATES, "pool = mp.Pool(4)", DISTURBS], True),
    ],
    ids=["seeded by tasks", "by tasks of a loop", "seeds nothing", "later", "one worker only", "another pool"],
)
def test_an_earlier_task_of_the_pool_has_seeded_its_workers(tasks: list[str], found: bool) -> None:
    assert ("LP309" in [code for _, code in marks(TASKS.replace("{tasks}", "\n    ".join(tasks)))]) is found


_ARGS = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument({option})
args = parser.parse_args()
"""


@pytest.mark.parametrize(
    ("option", "test", "found"),
    [
        ("'--random-points', default=False, action='store_true'", "args.random_points", []),
        ("'-r', '--random', action='store_true'", "args.random and i", []),
        ("'--random', action='store_true'", "not args.random", ["LP309"]),
        ("'--random', action='store_true'", "args.random or i", ["LP309"]),
        ("'--random', action='store_false'", "args.random", ["LP309"]),
        ("'--random', type=int", "args.random", ["LP309"]),
        ("'--random', action='store_true'", "args.other", ["LP309"]),
    ],
)
def test_a_draw_behind_a_flag_is_only_possible(option: str, test: str, found: list[str]) -> None:
    body, more = f"return np.random.rand() if {test} else 0", MAIN_DRAWS + _ARGS.format(option=option)
    block = f"if {test}:\n        i += np.random.rand()\n    return i"
    for each in (body, block):
        assert codes(each, more=more) == found
        assert codes(each, more=more, pedantic=True) == ["LP309"]


_EXPERIMENT = """\
import multiprocessing as mp
import sys
import numpy as np


class Model:
    def __init__(self, size):
        self.size = size

    def run(self):
        {seeds}
        return np.random.binomial(self.size, 0.5)


def replicate(index):
    return index, Model(index).run()


class Experiment:
    def __init__(self, jobs):
        self.context = mp.get_context({method})
        self.jobs = jobs

    def run(self):
        with self.context.Pool({jobs}, maxtasksperchild=1) as pool:
            return dict(pool.imap_unordered(replicate, range(8)))


if __name__ == "__main__":
    {main}
    print(Experiment(4).run())
"""


@pytest.mark.parametrize(
    ("method", "jobs", "seeds", "found", "perhaps"),
    [
        pytest.param("'fork'", "self.jobs", "pass", ["LP309"], ["LP309"], id="asks for fork"),
        pytest.param("", "self.jobs", "pass", [], ["LP309"], id="what Python chooses"),
        pytest.param("sys.argv[1]", "self.jobs", "pass", [], ["LP309"], id="what the user chooses"),
        pytest.param("'spawn'", "self.jobs", "pass", [], [], id="asks for spawn"),
        pytest.param("'fork'", "self.jobs", "np.random.seed(self.size)", [], [], id="seeds"),
        pytest.param("'fork'", "1", "pass", [], [], id="one worker"),
    ],
)
def test_a_draw_of_what_is_called_is_likely_where_the_context_of_the_workers_forks(
    method: str, jobs: str, seeds: str, found: list[str], perhaps: list[str]
) -> None:
    text = _EXPERIMENT.format(method=method, jobs=jobs, seeds=seeds, main="np.random.seed(7)")
    assert [code for _, code in marks(text) if code == "LP309"] == found
    assert [code for _, code in marks(text, pedantic=True) if code == "LP309"] == perhaps


def test_a_draw_of_what_is_called_is_only_possible_where_main_does_not_seed() -> None:
    text = _EXPERIMENT.format(method="'fork'", jobs="4", seeds="pass", main="print(np.random.rand())")
    assert [code for _, code in marks(text) if code == "LP309"] == []
    assert [code for _, code in marks(text, pedantic=True) if code == "LP309"] == ["LP309"]
