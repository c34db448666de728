"""Attributes of which a test on the way to a boundary has asked the type."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import pickle
import threading


class Table:
    def __init__(self):
        self.lock = threading.Lock()

    def to_dict(self):
        return {{}}


class Words:
    def __init__(self, is_large):
        if is_large:
            self.table = Table()
        else:
            self.table = {{"a": 1}}

    def change(self):
        pass

    def dump(self):
        {dump}


def main(words):
    print(Words(len(words) > 3).dump())


if __name__ == "__main__":
    main([])
"""


def found(dump: str) -> list[str]:
    return [each.code for each in lint(PROGRAM.format(dump=dump.replace("\n", "\n        "))).diagnostics]


@pytest.mark.parametrize(
    "dump",
    [
        "if isinstance(self.table, dict):\n    return pickle.dumps(self.table)\nreturn self.table.to_dict()",
        "if not isinstance(self.table, Table):\n    return pickle.dumps(self.table)",
        "if isinstance(self.table, Table):\n    return {}\nreturn pickle.dumps(self.table)",
        "if isinstance(self.table, (list, dict)) and self.table:\n    return pickle.dumps(self.table)",
    ],
)
def test_an_object_of_another_type_is_not_shipped(dump: str) -> None:
    assert found(dump) == []


@pytest.mark.parametrize(
    "dump",
    [
        "return pickle.dumps(self.table)",
        "if isinstance(self.table, Table):\n    return pickle.dumps(self.table)",
        "if isinstance(self.table, (Table, dict)):\n    return pickle.dumps(self.table)",
        "if isinstance(self.table, dict) or self.change():\n    return pickle.dumps(self.table)",
        "if isinstance(self.words, dict):\n    return pickle.dumps(self.table)",
        "if isinstance(self.table, dict):\n    self.change()\n    return pickle.dumps(self.table)",
        "if isinstance(self.table, dict):\n    self.table = Table()\n    return pickle.dumps(self.table)",
    ],
)
def test_an_object_that_may_be_shipped(dump: str) -> None:
    assert found(dump) == ["LP111"]
