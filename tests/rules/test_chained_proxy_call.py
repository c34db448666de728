"""LP252: chained-proxy-call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import changed, lint_files, marks


class TestPage(PageTests):
    code = "LP252"


HEAD = """\
import multiprocessing as mp
from multiprocessing.managers import BaseManager


class Board:
    def __init__(self, title=""):
        self.rows = []
        self.last = None

    def add(self, row):
        self.rows.append(row)
        return self

    def name(self, title):
        self.title = title
        return self

    def both(self, row):
        self.add(row)
        return self

    def checked(self):
        print(len(self.rows))
        return self

    def taken(self):
        self.last = self.rows.pop()
        return self.last

    def either(self):
        return self if self.rows else None

    def count(self):
        return len(self.rows)


class Manager(BaseManager):
    pass


Manager.register("Board", Board)


"""
MAIN = HEAD + "def main():\n    with Manager() as m:\n        b = m.Board()\n        {use}\n\n\nmain()\n"


def _found(text: str) -> list[int]:
    return [row for row, code in marks(text) if code == "LP252"]


@pytest.mark.parametrize(
    "use",
    [
        *("b.add(1).add(2)", "b.add(1).name(2)", "b.name('a').both(1)", "b.checked().add(1)", "b.add(1).add(2).add(3)"),
        *("b.add(1).checked().add(3)", "m.Board().add(1).add(2)", "x = b.add(1).taken()", "b.add(1).taken()"),
        *("b.add(1).add(2).count()", "print(b.add(1).add(2).count())"),
    ],
)
def test_changes_of_copies(use: str) -> None:
    assert len(_found(MAIN.format(use=use))) == 1


@pytest.mark.parametrize(
    "use",
    [
        *("b.add(1)", "b.add(1); b.add(2)", "b.add(1).count()", "b.add(1).checked()", "print(b.add(1).count())"),
        *("b.taken().add(1)", "b.either().add(1)", "Board().add(1).add(2)", "c = b.checked().add(1)"),
        *("b = Board(); b.add(1).add(2)", "b.count().add(1)"),
    ],
)
def test_what_is_right(use: str) -> None:
    assert _found(MAIN.format(use=use)) == []


def test_a_copy_with_a_name() -> None:
    assert _found(MAIN.format(use="c = b.add(1); c.add(2)")) == []  # gap: the name of the copy is not followed


@pytest.mark.parametrize(
    ("registered", "count"),
    [
        ("Manager.register('Board', callable=Board)", 1),
        ("Manager.register('Board', Board, method_to_typeid=None)", 1),
        ("Manager.register('Board', Board, method_to_typeid={'add': 'Board'})", 0),
        ("Manager.register('Board', Board, None, None, {'add': 'Board'})", 0),
        ("Manager.register('Board', Board, exposed=['add'])", 0),
        ("class Other(BaseManager): pass\nOther.register('Board', Board)", 0),
    ],
)
def test_how_it_is_registered(registered: str, count: int) -> None:
    text = changed(MAIN.format(use="b.add(1).add(2)"), ('Manager.register("Board", Board)', registered))
    assert len(_found(text)) == count


def test_a_class_that_is_pickled_as_it_says() -> None:
    own = "    def __reduce__(self):\n        return board, ()\n\n    def count(self):"
    text = changed(MAIN.format(use="b.add(1).add(2)"), ("    def count(self):", own))
    assert _found(text) == []


@pytest.mark.parametrize(("given", "codes"), [("m.Board()", ["LP252"]), ("Board()", [])])
def test_in_a_worker_of_another_module(tmp_path: Path, given: str, codes: list[str]) -> None:
    work = "def work(board, rows):\n    for row in rows:\n        board.add('row').add(row)\n"
    main = (
        "import multiprocessing as mp\nfrom board import Board, Manager\nfrom work import work\n\n\n"
        f"def main():\n    with Manager() as m:\n        board = {given}\n"
        "        p = mp.Process(target=work, args=(board, [1]))\n        p.start()\n        p.join()\n\n\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    found = lint_files(tmp_path, {"board.py": HEAD, "work.py": work, "main.py": main})
    assert [each.code for each in found if each.code == "LP252"] == codes
