"""What objects have become, by the methods that have been called, when something reads their attributes."""

from __future__ import annotations

import pytest

from tests.support import lint

TEMPLATE = """\
import multiprocessing as mp
import threading
from concurrent.futures import ProcessPoolExecutor


class Pipeline:
    def __init__(self, steps):
        self.steps = tuple(steps)

    def run(self, rows):
        return rows


class Builder:
    def __init__(self):
        self.steps = []
        self.last = None
        self.guard = threading.Lock()

    def add(self, step):
        self.steps.append(step)
        return self

    def where(self, value):
        return self.add(lambda rows: [row for row in rows if row == value])

    def keep(self, step):
        self.last = step

    def freeze(self):
        self.guard = None
        return self

    def build(self):
        return Pipeline(self.steps)


def double(rows):
    return rows * 2


def made():
    builder = Builder()
    builder.add(lambda rows: rows)
    return builder


def frozen():
    builder = Builder()
    return builder.freeze()


def main():
    mp.set_start_method("spawn")
    with ProcessPoolExecutor() as executor:
        {ship}


if __name__ == "__main__":
    main()
"""


def found(*lines: str) -> list[str]:
    """The codes of what is found where the main function runs these lines."""
    return [each.code for each in lint(TEMPLATE.format(ship="\n        ".join(lines))).diagnostics]


@pytest.mark.parametrize(
    "lines",
    [
        ("pipeline = Builder().add(lambda rows: rows).build()", "executor.submit(pipeline.run, [])"),
        ("pipeline = Builder().where(1).build()", "executor.submit(pipeline.run, [])"),
        ("builder = Builder()", "builder.where(1)", "executor.submit(Pipeline(builder.steps).run, [])"),
        ("builder = Builder()", "builder.keep(lambda rows: rows)", "executor.submit(double, builder.last)"),
        ("pipeline = made().build()", "executor.submit(pipeline.run, [])"),
        ("executor.submit(double, made().steps)",),
    ],
)
def test_what_a_method_has_put_into_an_object_is_read_there(lines: tuple[str, ...]) -> None:
    assert found(*lines) == ["LP102"]


@pytest.mark.parametrize(
    "lines",
    [
        ("pipeline = Builder().add(double).build()", "executor.submit(pipeline.run, [])"),
        ("builder = Builder()", "executor.submit(double, builder.steps)", "builder.where(1)"),
        (
            "builder = Builder()",
            "builder.keep(lambda rows: rows)",
            "builder.keep(2)",
            "executor.submit(double, builder.last)",
        ),
        ("builder = Builder()", "builder.where(1)", "executor.submit(double, len(builder.steps))"),
        ("executor.submit(double, frozen().guard)",),
        ("builder = Builder()", "builder.freeze()", "executor.submit(double, builder.guard)"),
    ],
)
def test_what_is_not_there_when_it_is_read_is_no_finding(lines: tuple[str, ...]) -> None:
    assert found(*lines) == []


def test_what_is_there_before_a_method_takes_it_away_is_read() -> None:
    assert found("builder = Builder()", "executor.submit(double, builder.guard)", "builder.freeze()") == ["LP111"]


PARTS = """\
import multiprocessing
import sqlite3
from functools import cached_property


class Store:
    def __init__(self, path):
        self.path = path

    @cached_property
    def connection(self):
        return sqlite3.connect(self.path)

    def fill(self, rows):
        self.connection.executemany("insert into rows values (?)", rows)

    def double(self, number):
        return number * 2


class Layer:
    def __init__(self, path):
        self.store = Store(path)
        self.name = path


def main():
    layer, other = Layer("a.db"), Layer("b.db")
    {first}
    with multiprocessing.Pool(2) as pool:
        print({ships})
        {last}


if __name__ == "__main__":
    main()
"""
_SHIPS = ["pool.map(layer.store.double, [1, 2])", "pool.apply(print, (layer.store,))"]
_FILL = "layer.store.fill([(1,)])"


@pytest.mark.parametrize("ships", _SHIPS)
def test_a_part_of_an_object_whose_method_was_called(ships: str) -> None:
    found = lint(PARTS.format(first=_FILL, ships=ships, last="pass")).diagnostics
    assert [(each.code, each.location.start.row) for each in found] == [("LP110", 12)]


@pytest.mark.parametrize(
    ("first", "ships", "last"),
    [
        *(("other.store.fill([(1,)])", each, "pass") for each in _SHIPS),
        *(("pass", each, _FILL) for each in _SHIPS),
        *(("layer.store.double(3)", each, "pass") for each in _SHIPS),
        (_FILL, "pool.apply(print, (layer.name,))", "pass"),
        (_FILL, "pool.map(other.store.double, [1, 2])", "pass"),
    ],
)
def test_a_part_of_an_object_to_which_nothing_was_done(first: str, ships: str, last: str) -> None:
    assert lint(PARTS.format(first=first, ships=ships, last=last)).diagnostics == ()


ITEMS = """\
import multiprocessing
import sqlite3
from collections import UserList


class Readers({base}):
    def open(self, path):
        self.append(sqlite3.connect(path))

    def first(self):
        return [each for each in self][0]


class Owner:
    def __init__(self):
        self.readers = Readers()

    def open(self, path):
        self.readers.open(path)


def work(given):
    print(given)


def main():
    readers, owner = Readers(), Owner()
    {lines}


if __name__ == "__main__":
    main()
"""
_OPENS, _SHIPS_FIRST = "readers.open('a.db')", "multiprocessing.Process(target=work, args=(readers.first(),)).start()"


@pytest.mark.parametrize("base", ["list", "UserList"])
@pytest.mark.parametrize(
    ("lines", "is_found"),
    [
        ((_OPENS, _SHIPS_FIRST), True),
        (("readers.append(sqlite3.connect('a.db'))", _SHIPS_FIRST), True),
        (("readers.extend([sqlite3.connect('a.db')])", _SHIPS_FIRST), True),
        (("readers.insert(0, sqlite3.connect('a.db'))", _SHIPS_FIRST), True),
        ((_OPENS, "multiprocessing.Process(target=work, args=(readers[0],)).start()"), True),
        (("owner.open('a.db')", "multiprocessing.Process(target=work, args=(owner.readers[0],)).start()"), True),
        ((_SHIPS_FIRST, _OPENS), False),
        (("readers.append('a.db')", _SHIPS_FIRST), False),
        (("owner.open('a.db')", _SHIPS_FIRST), False),
        # gap: what `list(…)` takes from an object is what that held when it was made
        ((_OPENS, "multiprocessing.Process(target=work, args=(list(readers),)).start()"), False),
        ((_OPENS, "multiprocessing.Process(target=work, args=(owner.readers[0],)).start()"), False),
    ],
)
def test_items_that_an_object_has_got_since_it_was_made(base: str, lines: tuple[str, ...], is_found: bool) -> None:
    found = lint(ITEMS.format(base=base, lines="\n    ".join(lines))).diagnostics
    assert [each.code for each in found] == ["LP110"] * is_found
