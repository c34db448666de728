"""What objects of the program give that are gone through by their own `__iter__`."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from tests.support import marks

_MODULE = """
import multiprocessing as mp


class Table:
    def __init__(self, rows):
        self.rows = [lambda: row for row in rows]
        self.names = list(rows)
        self.position = 0

{methods}


def work(row):
    return row


def main():
    table = Table("abc")
    queue = mp.Queue()
    with mp.Pool(2) as pool:
{use}


if __name__ == "__main__":
    main()
"""
_ITERATORS = [
    "def __iter__(self):\n    for row in self.rows:\n        yield row",
    "def __iter__(self):\n    yield from self.rows",
    "def __iter__(self):\n    return iter(self.rows)",
    "def __iter__(self):\n    return self\n\ndef __next__(self):\n    self.position += 1\n"
    "    return self.rows[self.position - 1]",
    "def __iter__(self):\n    return Rows(self.rows)\n\n\nclass Rows:\n    def __init__(self, rows):\n"
    "        self.rows = rows\n    def __iter__(self):\n        return self\n    def __next__(self):\n"
    "        return self.rows[0]",
]
_USES = [
    "print(pool.map(work, table))",
    "print(list(pool.imap_unordered(work, table)))",
    "print(pool.map(work, list(table)))",
    "print(pool.map(work, [row for row in table]))",
    "print(pool.map(work, sorted(row for row in table)))",
    "for row in table:\n    queue.put(row)",
]


def _found(methods: str, use: str) -> list[str]:
    class_, _, other = methods.partition("\n\n\n")
    body = indent(class_, "    ") + ("\n\n\n" + other if other else "")
    return [code for _, code in marks(_MODULE.format(methods=body, use=indent(use, " " * 8)))]


@pytest.mark.parametrize("use", _USES)
@pytest.mark.parametrize("methods", _ITERATORS)
def test_elements_that_cannot_be_pickled(methods: str, use: str) -> None:
    assert "LP102" in _found(methods, use)


@pytest.mark.parametrize("use", _USES)
@pytest.mark.parametrize(
    "methods",
    [
        "def __iter__(self):\n    for row in self.rows:\n        yield row()",
        "def __iter__(self):\n    return iter(self.names)",
        "def __iter__(self):\n    return self\n\ndef __next__(self):\n    return self.names.pop()",
        "def __iter__(self):\n    return self",
        "def __iter__(self):\n    return iter(self)",
        "@plain\ndef __iter__(self):\n    yield from self.rows",
        "def each(self):\n    yield from self.rows",
    ],
)
def test_elements_that_can(methods: str, use: str) -> None:
    assert _found(methods, use) == []


def test_trees_that_go_through_their_parts_end() -> None:
    text = dedent("""
        class Node:
            def __init__(self, depth=0):
                self.parts = [Node(depth + 1), Node(depth + 2)]

            def __iter__(self):
                yield self
                for part in self.parts:
                    yield from part

        def main():
            import multiprocessing
            with multiprocessing.Pool() as pool:
                pool.map(print, Node())
    """)
    assert marks(text) == []
