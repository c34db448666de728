"""Objects of the program that builtin functions and `yield from` go through: their `__iter__` runs."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType

import pytest

from tests.support import marks

OPENED = """\
import sqlite3
from multiprocessing import Pool


class Rows:
    def __init__(self, names):
        self.names = names
        self.connection = None

    def __iter__(self):
        self.connection = sqlite3.connect(":memory:")
        return iter(self.names)


def each(rows):
    {body}


def count(rows):
    return len(rows.names)


def gone_through():
    rows = Rows(["a", "b"])
    {use}
    return rows


def main():
    with Pool() as pool:
        print(pool.map(count, [gone_through()]))


if __name__ == "__main__":
    main()
"""


def _crosses(program: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    module = ModuleType("rows")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(program, module.__dict__)
    try:
        pickle.dumps(module.gone_through())
    except TypeError:
        return False
    return True


@pytest.mark.parametrize(
    ("use", "body"),
    [
        ("list(map(str.upper, rows))", "return rows"),
        ("list(filter(None, rows))", "return rows"),
        ("dict(zip(range(2), rows))", "return rows"),
        ("sorted(rows, key=len)", "return rows"),
        ("list(enumerate(rows, 1))", "return rows"),
    ],
)
def test_what_goes_through_an_object(use: str, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = OPENED.format(use=use, body=body)
    assert not _crosses(program, monkeypatch)
    assert [code for _, code in marks(program)] == ["LP110"]


@pytest.mark.parametrize(
    ("use", "body"),
    [
        ("sorted(rows.names, key=len)", "return rows"),
        ("list(map(len, rows.names))", "return rows"),
        ("max(rows, rows, key=id)", "return rows"),
        ("each(rows)", "yield from rows.names"),
    ],
)
def test_what_does_not_go_through_it(use: str, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = OPENED.format(use=use, body=body)
    assert _crosses(program, monkeypatch)
    assert marks(program) == []


SHARED = """\
import itertools

from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Part:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        {divides}


class Rows(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        {gives}


def main(rows):
    for row in DataLoader(Rows(rows), num_workers=2):
        print(row)


if __name__ == "__main__":
    main([1, 2, 3])
"""
DIVIDED = "info = get_worker_info()\n        return itertools.islice(iter(self.rows), info.id, None, info.num_workers)"


@pytest.mark.parametrize("divides", [DIVIDED, "return iter(self.rows)"])
@pytest.mark.parametrize(
    "gives",
    [
        "return map(float, Part(self.rows))",
        "yield from Part(self.rows)",
        "return zip(range(9), Part(self.rows))",
        "return filter(None, Part(self.rows))",
        "for row in Part(self.rows):\n            yield row",
    ],
)
def test_parts_that_workers_go_through(gives: str, divides: str) -> None:
    expected = [] if divides is DIVIDED else ["LP404"]
    assert [code for _, code in marks(SHARED.format(gives=gives, divides=divides))] == expected


KEPT = """\
from multiprocessing import Process


class Info:
    def __init__(self, process, name):
        self.process = process
        self.name = name


class Manager:
    def __init__(self, names):
        self.names = names
        self.running = {{}}

    def launch(self):
        self.running = {{number: info for number, info in self.running.items() if info.process.is_alive()}}
        for name in self.names:
            chosen = None
            for {each}:
                chosen = {chosen}
            if chosen not in self.running:
                process = Process(target=print, args=(chosen, name))
                process.start()
                self.running[chosen] = Info(process, name)


if __name__ == "__main__":
    Manager(["a", "b"]).launch()
"""


@pytest.mark.parametrize(
    ("each", "chosen", "codes"),
    [
        ("number, info in self.running.items()", "info", ["LP111"]),
        ("info in self.running.values()", "info", ["LP111"]),
        ("number, info in self.running.items()", "number", []),
        ("number, info in sorted(self.running.items())", "number", []),
        ("number in self.running.keys()", "number", []),
        ("number in self.running", "number", []),
    ],
)
def test_keys_of_a_dictionary_are_not_its_values(each: str, chosen: str, codes: list[str]) -> None:
    assert [code for _, code in marks(KEPT.format(each=each, chosen=chosen))] == codes
