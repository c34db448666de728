"""What is done to an object on its way to a boundary by functions that were given it, or called what made it; and
boundaries in methods of what a function is given. Each was run."""

from __future__ import annotations

import pytest

from tests.support import marks

LOG = """\
import multiprocessing


class Log:
    def __init__(self, path):
        self.path = path
        self.file = None

    def open(self):
        self.file = open(self.path, "a")

    def work(self, number):
        return number


def made(path):
    return Log(path)


def main():
    {steps}


if __name__ == "__main__":
    main()
"""
SHIPS = 'with multiprocessing.get_context("spawn").Pool(2) as pool:\n        pool.map(log.work, [1, 2])'


@pytest.mark.parametrize(
    ("steps", "fires"),
    [
        (f'log = made("log")\n    log.open()\n    {SHIPS}', True),
        (f'log = made("log")\n    made("other").open()\n    {SHIPS}', False),
        (f'log = made("log")\n    {SHIPS}\n    log.open()', False),
        (f'log = made("log")\n    log.open()\n    log = made("log")\n    {SHIPS}', False),
    ],
)
def test_what_another_function_made(steps: str, fires: bool) -> None:
    assert marks(LOG.format(steps=steps)) == ([(10, "LP110")] if fires else [])


KEEPER = """\
import pickle


class Net:
    def __init__(self, factor):
        self.scale = lambda x: x * factor


class Plain:
    def __init__(self, factor):
        self.factor = factor


class Keeper:
    def update(self, net):
        self.net = pickle.dumps(net)


class Counter:
    def update(self, net):
        self.net = id(net)


def fit(net, keeper):
    for _ in range(3):
        keeper.update(net)


def main():
    fit({given})


main()
"""


@pytest.mark.parametrize(
    ("given", "fires"), [("Net(3), Keeper()", True), ("Plain(3), Keeper()", False), ("Net(3), Counter()", False)]
)
def test_a_method_of_what_a_function_is_given(given: str, fires: bool) -> None:
    assert marks(KEEPER.format(given=given)) == ([(6, "LP102")] if fires else [])


CHOSEN = """\
import multiprocessing
import sqlite3
import sys
from functools import cached_property


class Store:
    def __init__(self, path):
        self.path = path

    @cached_property
    def connection(self):
        return sqlite3.connect(self.path)

    def fill(self, rows):
        self.connection.executemany("insert into rows values (?)", rows)


class Layer:
    def __init__(self, path):
        self.store = Store(path)

    def draw(self, tile):
        return tile


class Heat(Layer):
    pass


class Dots(Layer):
    def draw(self, tile):
        return [tile]


LAYERS = {{"heat": Heat, "dots": Dots}}


def made(name):
    {made}


def main():
    layer = made(sys.argv[1])
    {steps}


if __name__ == "__main__":
    main()
"""
_DRAWS = "with multiprocessing.Pool(2) as pool:\n        pool.map(layer.draw, [1, 2])"
_MAKES = [
    'return LAYERS[name]("a.db")',
    'return LAYERS.get(name, Heat)("a.db")',
    'if name == "heat":\n        return Heat("a.db")\n    return Dots("a.db")',
    'layer = Heat("a.db") if name == "heat" else Dots("a.db")\n    return layer',
]


@pytest.mark.parametrize("made", _MAKES)
def test_an_object_of_one_of_several_classes(made: str) -> None:
    steps = f"layer.store.fill([(1,)])\n    {_DRAWS}"
    assert marks(CHOSEN.format(made=made, steps=steps)) == [(13, "LP110")]


@pytest.mark.parametrize("made", _MAKES)
@pytest.mark.parametrize(
    "steps",
    [
        _DRAWS,
        f"{_DRAWS}\n    layer.store.fill([(1,)])",
        f'made("dots").store.fill([(1,)])\n    {_DRAWS}',
        f'layer.store.fill([(1,)])\n    layer = made("heat")\n    {_DRAWS}',
    ],
)
def test_an_object_of_one_of_several_classes_to_which_nothing_is_done(made: str, steps: str) -> None:
    assert marks(CHOSEN.format(made=made, steps=steps)) == []
