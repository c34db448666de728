"""LP110: what the main process has opened by a method before it sends the object."""

from __future__ import annotations

import pytest

from tests.support import lint

STORE = """\
import sqlite3
from concurrent.futures import ProcessPoolExecutor


class Store:
    def __init__(self, path):
        self.path = path
        self._connection = None
        {made}

    @property
    def connection(self):
        if self._connection is None:
            self._connection = sqlite3.connect(self.path)
        return self._connection

    def open(self):
        self._connection = sqlite3.connect(self.path)

    def partitions(self):
        return [row[0] for row in self.connection.execute("select part from events")]

    def events(self, part):
        return self.connection.execute("select * from events where part = ?", (part,)).fetchall()


def main():
    store = Store("events.db")
    {before}
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(store.events, [1, 2])))


if __name__ == "__main__":
    main()
"""
OPENED = "the main process has it opened here"


def steps(before: str, made: str = "pass") -> list[list[tuple[str, int]]]:
    diagnostics = lint(STORE.format(before=before, made=made)).diagnostics
    trails = [each.trail for each in diagnostics if each.code == "LP110"]
    return [[(step.message, step.location.start.row) for step in trail if step.message == OPENED] for trail in trails]


@pytest.mark.parametrize("before", ["parts = store.partitions()", "print(store.partitions())"])
def test_what_a_method_has_opened_on_first_use(before: str) -> None:
    assert steps(before) == [[(OPENED, 29)]]


def test_an_object_that_opens_in_its_workers() -> None:
    assert steps("pass") == []


@pytest.mark.parametrize(
    ("before", "made"),
    [
        ("pass", "self._connection = sqlite3.connect(path)"),
        ("pass", "self.partitions()"),
        ("store.open()", "pass"),
        ("store._connection = sqlite3.connect('events.db')", "pass"),
    ],
    ids=[
        "by the constructor",
        "by what the constructor calls",
        "by a method that does so each time",
        "stored from outside",
    ],
)
def test_what_is_opened_otherwise(before: str, made: str) -> None:
    assert steps(before, made) == [[]]
