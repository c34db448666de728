"""LP302: shared-rng-in-workers."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.random_numbers import of_dataset
from tests.support import marks


class TestPage(PageTests):
    code = "LP302"


DRAW = "def __getitem__(self, index):\n    return self.values[index] + self.rng.random()"


@pytest.mark.parametrize(
    ("init", "methods"),
    [
        ("self.rng = np.random.default_rng(seed)", DRAW),
        ("self.rng = rng or random.Random()", DRAW),
        ("self.rng = np.random.RandomState(seed)", DRAW.replace("self.rng.random()", "draw(self.rng)")),
        ("self._make()", f"def _make(self):\n    self.rng = np.random.default_rng(self.seed)\n\n{DRAW}"),
        ("self.init_rng()", f"def init_rng(self):\n    self.rng = np.random.default_rng(self.seed)\n\n{DRAW}"),
    ],
)
def test_a_generator_made_at_construction_is_found(init: str, methods: str) -> None:
    assert of_dataset(init, methods) == ["LP302"]


@pytest.mark.parametrize(
    ("init", "methods"),
    [
        # Seeded for each item, so that it repeats on purpose.
        ("self.rng = np.random.RandomState()", DRAW.replace("    return", "    self.rng.seed(index)\n    return")),
        # Renewed by the class.
        ("self.rng = random.Random(0)", f"def set_epoch(self, epoch):\n    self.rng = random.Random(epoch)\n\n{DRAW}"),
        (
            "self.start_epoch(0)",
            f"def start_epoch(self, epoch):\n    self.rng = random.Random(epoch)\n\n{DRAW}",
        ),
        # The class knows which worker it is in.
        (
            "self.rng = random.Random(0)",
            DRAW.replace("    return", "    info = get_worker_info()\n    return"),
        ),
        # Made where it is used.
        ("pass", "@property\ndef rng(self):\n    return np.random.default_rng()\n\n" + DRAW),
        # Used up at construction.
        ("self.rng = random.Random(0); self.rng.shuffle(values)", "def __getitem__(self, index):\n    return index"),
        # Global generators are seeded by torch.
        ("pass", "def __getitem__(self, index):\n    return np.random.random() + random.random()"),
    ],
)
def test_generators_that_differ_are_left_alone(init: str, methods: str) -> None:
    assert of_dataset(init, methods) == []


HEAD = """\
import multiprocessing as mp
import random
import time
from concurrent.futures import ProcessPoolExecutor
import numpy as np
class Sim:
    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)
    def run(self, i=0):
        return self.rng.normal()
def run(sim):
    return sim.run()
def draw(rng, i=0):
    return rng.normal()
"""
POOL = "with mp.Pool(4) as pool:\n        print(pool.map({task}, range(4)))"


def of_pool(starts: str, more: str = "") -> list[str]:
    text = f"{HEAD}{more}\ndef main():\n    {starts}\nif __name__ == '__main__':\n    main()\n"
    return [code for _, code in marks(text) if code.startswith("LP30")]


@pytest.mark.parametrize(
    ("made", "task"),
    [
        pytest.param("rng = np.random.default_rng(0)", "rng.normal()", id="seeded"),
        pytest.param("rng = random.Random()", "rng.random()", id="without a seed"),
        pytest.param("rng = random.Random(3)", "draw(rng)", id="passed on"),
        pytest.param("SIM = Sim(7)", "SIM.run()", id="on an object of the module"),
    ],
)
def test_a_generator_of_a_module_in_workers_of_a_pool(made: str, task: str) -> None:
    assert of_pool(POOL.format(task="work"), f"{made}\ndef work(i):\n    return {task}\n") == ["LP302"]


@pytest.mark.parametrize(
    "starts",
    [
        pytest.param(f"sim = Sim(3)\n    {POOL.format(task='sim.run')}", id="on the object whose method is called"),
        pytest.param(
            "rng = np.random.default_rng(1)\n    for i in range(4):\n"
            "        mp.Process(target=draw, args=(rng, i)).start()",
            id="passed to processes",
        ),
        pytest.param(
            "rngs = [np.random.default_rng(7) for i in range(4)]\n    for rng in rngs:\n"
            "        mp.Process(target=draw, args=(rng,)).start()",
            id="several with one seed, in a list",
        ),
        pytest.param(
            "sim = Sim()\n    ps = [mp.Process(target=run, args=(sim,)) for i in range(4)]",
            id="on an object that is passed",
        ),
    ],
)
def test_a_generator_that_is_sent_to_all_tasks(starts: str) -> None:
    assert of_pool(starts) == ["LP302"]


@pytest.mark.parametrize(
    "starts",
    [
        pytest.param("with mp.Pool(4) as p:\n        p.map(run, [Sim(i) for i in range(4)])", id="one for each task"),
        pytest.param("for i in range(4):\n        mp.Process(target=Sim(i).run).start()", id="one for each process"),
        pytest.param(
            "for rng in np.random.default_rng(0).spawn(4):\n        mp.Process(target=draw, args=(rng,)).start()",
            id="spawned for each process",
        ),
        pytest.param(
            "rng = np.random.default_rng(1)\n    for i in range(4):\n        rng.normal()\n"
            "        mp.Process(target=draw, args=(rng, i)).start()",
            id="main draws between",
        ),
        pytest.param(
            "rngs = [np.random.default_rng(7 + int(i)) for i in range(4)]\n    for rng in rngs:\n"
            "        mp.Process(target=draw, args=(rng,)).start()",
            id="each with a seed of its own, in a list",
        ),
        pytest.param(
            "sims = []\n    for i in range(4):\n        sims.append(Sim(seed=i))\n    for sim in sims:\n"
            "        mp.Process(target=run, args=(sim,)).start()",
            id="each on an object with a seed of its own, in a list",
        ),
        pytest.param("mp.Process(target=Sim(1).run).start()", id="one process"),
        pytest.param(f"sim = Sim(3)\n    {POOL.format(task='abs')}", id="not sent"),
    ],
)
def test_generators_of_tasks_that_differ(starts: str) -> None:
    assert of_pool(starts) == []


@pytest.mark.parametrize(
    "work",
    [
        pytest.param("    rng.seed(i)\n    return rng.random()", id="seeded by the task"),
        pytest.param("    global rng\n    rng = random.Random(i)\n    return rng.random()", id="replaced"),
        pytest.param("    rng = random.Random(i)\n    return rng.random()", id="another one"),
        pytest.param("    time.sleep(rng.random())\n    return i", id="only how long to sleep"),
        pytest.param("    return i", id="not used"),
    ],
)
def test_a_generator_of_a_module_that_workers_renew(work: str) -> None:
    assert of_pool(POOL.format(task="work"), f"rng = random.Random(0)\ndef work(i):\n{work}\n") == []


def test_a_generator_that_the_initializer_of_a_pool_replaces() -> None:
    more = "rng = random.Random(0)\ndef begin():\n    global rng\n    rng = random.Random()\n"
    more += "def work(i):\n    return rng.random()\n"
    assert of_pool(POOL.format(task="work").replace("(4) as", "(4, begin) as"), more) == []


MIXIN = """\
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Augment:
    def {name}(self, seed):
        self.rng = np.random.default_rng(seed)

    def noise(self):
        return self.rng.random()


class Rows(Augment, Dataset):
    def __init__(self, rows, seed=0):
        self.rows = rows
        self.{name}(seed)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index] + self.noise()


def loader(rows):
    return DataLoader(Rows(rows), num_workers=2)
"""


@pytest.mark.parametrize(("name", "expected"), [("init_noise", [(7, "LP302")]), ("start_epoch", [])])
def test_a_generator_that_a_mixin_makes_for_the_constructor(name: str, expected: list[tuple[int, str]]) -> None:
    assert marks(MIXIN.format(name=name)) == expected


PRIOR = """\
from multiprocessing import Pool

import numpy as np


class Prior:
    def __init__(self, mean):
        self.mean = mean
        self.rng = np.random.RandomState()

    def __call__(self, theta=None):
        if theta is None:
            return self.rng.normal(self.mean)
        return np.exp(-((theta - self.mean) ** 2))

    def weight(self, theta, scale=None):
        if scale is not None:
            return theta / scale
        return self.rng.normal(self.mean)


class Weights:
    def __init__(self, prior):
        self.prior = prior

    def __call__(self, theta):
        return {called}


def main(thetas):
    with Pool(2) as pool:
        return pool.map(Weights(Prior(0.0)), thetas)


if __name__ == "__main__":
    main([0.1, 0.2])
"""


@pytest.mark.parametrize("called", ["self.prior(theta)", "self.prior(theta=theta)", "self.prior.weight(theta, theta)"])
def test_a_draw_only_for_calls_without_an_argument_that_is_passed(called: str) -> None:
    assert marks(PRIOR.format(called=called)) == []


@pytest.mark.parametrize(
    "called",
    ["theta + self.prior()", "theta + self.prior(None)", "self.prior.weight(theta)", "self.prior.weight(theta, None)"],
)
def test_a_draw_for_calls_without_that_argument(called: str) -> None:
    assert [code for _, code in marks(PRIOR.format(called=called))] == ["LP302"]


GIVEN = """
import random

import numpy as np
from torch.utils.data import DataLoader, Dataset


class Noise:
    def __init__(self, rng=None):
        self.rng = {chosen}

    def __call__(self, number):
        return number + self.rng.{draw}()


class Noisy(Noise):
    def __init__(self, sigma, rng=None):
        super().__init__(rng)
        self.sigma = sigma


class Signals(Dataset):
    def __init__(self, steps):
        self.steps = steps

    def __len__(self):
        return 4

    def __getitem__(self, index):
        for step in self.steps:
            index = step(index)
        return index


if __name__ == "__main__":
    rng = {made}
    for _ in DataLoader(Signals([{steps}]), num_workers=2, multiprocessing_context="spawn"):
        pass
"""


@pytest.mark.parametrize("made", ["np.random.default_rng(7)", "np.random.RandomState(7)", "random.Random(7)"])
@pytest.mark.parametrize(
    ("steps", "rows"),
    [
        # Where one is given, none is made.
        ("Noise(rng), Noisy(1, rng=rng)", [36]),
        ("Noise(rng=rng)", [36]),
        ("Noise(), Noisy(1)", [10]),
        ("Noise(None)", [10]),
        ("Noise(rng), Noisy(1)", [36]),  # gap: that of the second, which the same method draws from.
    ],
)
@pytest.mark.parametrize("chosen", ["rng if rng is not None else {}", "{} if rng is None else rng", "rng or {}"])
def test_a_generator_that_is_made_where_none_is_given(made: str, steps: str, rows: list[int], chosen: str) -> None:
    draw = "random" if made.startswith("random") else "normal"
    text = GIVEN.format(chosen=chosen.format(made.replace("7", "")), draw=draw, made=made, steps=steps)
    assert [row for row, code in marks(text) if code == "LP302"] == rows
