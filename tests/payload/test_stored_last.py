"""An attribute that is shipped by itself is what its function has surely stored last."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import pickle
import sqlite3


class Rows:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)

    def __iter__(self):
        yield from self.connection.execute("select * from rows")


class InMemory:
    def __init__(self, rows):
        self.rows = []
        for row in rows:
            self.rows.append(row)

    def __len__(self):
        return len(self.rows)


class Batches:
    def __init__(self, path, copy, keep=True):
        self.path = path
        self.data = Rows(path)
        if keep:
{body}

    def reopen(self):
        self.data = Rows(self.path)

    def again(self, row):
        self.reopen()
        return row


if __name__ == "__main__":
    Batches("rows.db", "rows.pkl")
"""
DUMP = "with open(copy, 'wb') as file:\n    pickle.dump(self.data, file)"


def finds(body: str) -> bool:
    lines = "\n".join(f"            {line}" for line in body.splitlines())
    return any(code == "LP110" for _, code in marks(TEXT.format(body=lines)))


@pytest.mark.parametrize(
    "body",
    [
        f"self.data = InMemory(self.data)\nprint(len(self.data))\n{DUMP}",
        f"self.data = list(self.data)\n{DUMP}",
        f"if len(path) > 3:\n    self.data = None\nself.data = list(Rows(path))\n{DUMP}",
        f"rows = Rows(path)\nself.data = [row for row in rows]\nif len(path) > 3:\n    print(path)\n{DUMP}",
        "if copy:\n    self.data = InMemory(self.data)\n    pickle.dump(self.data, open(copy, 'wb'))",
        f"self.data = InMemory(self.data)\n{DUMP}\nself.data = Rows(path)",
        "for each in (copy,):\n    self.data = InMemory(self.data)\n    pickle.dump(self.data, open(each, 'wb'))",
    ],
)
def test_what_was_stored_before_is_not_shipped(body: str) -> None:
    assert not finds(body)


@pytest.mark.parametrize(
    "body",
    [
        DUMP,
        f"{DUMP}\nself.data = InMemory(self.data)",
        f"if len(path) > 3:\n    self.data = InMemory(self.data)\n{DUMP}",
        f"self.data = InMemory(self.data)\nself.reopen()\n{DUMP}",
        f"self.data = [self.again(row) for row in self.data]\nprint(list(map(self.again, self.data)))\n{DUMP}",
        f"self.data = InMemory(self.data)\nif len(path) > 3:\n    self.data = Rows(path)\n{DUMP}",
        f"self.data = InMemory(self.data)\nself.data = Rows(path)\n{DUMP}",
        f"self.data = [self.data]\n{DUMP}",
    ],
)
def test_what_may_still_be_there_is_shipped(body: str) -> None:
    assert finds(body)


def test_what_a_loop_stores_behind_is_shipped_in_its_next_round() -> None:
    loop = "for each in (copy, path):\n    pickle.dump(self.data, open(each, 'wb'))\n    self.data = Rows(path)"
    assert finds(f"self.data = InMemory(self.data)\n{loop}")
