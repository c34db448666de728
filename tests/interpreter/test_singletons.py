"""Objects that class methods keep in an attribute of their class."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import sqlite3
from multiprocessing import Process


class Store:
    _instance = None

    def __init__(self):
        self.path = "a.db"
{state}

    @classmethod
    def get(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance


class Server:
    def __init__(self, store=None):
        self.store = store or Store.get()

    def serve(self, number):
        print(self.store, number)

    def start(self):
        Process(target=self.serve, args=(1,)).start()
"""
OPEN = "        self.connection = sqlite3.connect(self.path)"
DROPPED = "\n\n    def __getstate__(self):\n        return {'path': self.path}"
LATE = "        self.connection = None\n\n    def open(self):\n        self.connection = sqlite3.connect(self.path)"


@pytest.mark.parametrize("program", [PROGRAM, PROGRAM.replace("    _instance = None\n\n", "")])
def test_what_a_singleton_holds_crosses(program: str) -> None:
    program = program.replace("if cls._instance is None", "if not getattr(cls, '_instance', None)")
    assert [code for _, code in marks(program.format(state=OPEN))] == ["LP110"]


@pytest.mark.parametrize("state", [OPEN + DROPPED, LATE])
def test_what_it_does_not_hold_does_not(state: str) -> None:
    assert marks(PROGRAM.format(state=state)) == []


def test_another_class_of_the_same_attribute() -> None:
    other = PROGRAM.replace(
        "class Server", "class Plain(Store):\n    def __init__(self):\n        self.path = ''\n\n\nclass Server"
    )
    assert marks(other.replace("Store.get", "Plain.get").format(state=OPEN)) == []
