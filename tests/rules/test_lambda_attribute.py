"""LP102: lambda-attribute."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Applicability
from tests.pages import PageTests
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP102"


def test_a_logger_pickles_as_its_name() -> None:
    """`logging.Logger.__reduce__`: nothing that the logger holds is pickled."""
    text = """\
import {0}
import multiprocessing


class Own({0}.{1}):
    def __init__(self):
        self.more = lambda text: self.info(text)


def work(own):
    pass


def main():
    multiprocessing.get_context("spawn").Process(target=work, args=(Own(),)).start()
"""
    assert marks(text.format("logging", "Logger")) == []
    assert [code for _, code in marks(text.format("string", "Template"))] == ["LP102"]


HELD_FOR_A_WHILE = """\
import pickle


class Board:
    def __init__(self, **settings):
{making}

    def notify(self, change):
        print(change)

    def read(self, rows):
        self.rows = rows


class Chart(Board):
    def __init__(self, rows, **settings):
        super().__init__(**settings)
        self.read(rows)


pickle.dumps(Chart([1, 2], scale=3))
"""
IN_BLOCK = """\
        if settings:
            self.notify = lambda change: None
            self.read(settings)
            del self.notify
"""
IN_FINALLY = """\
        try:
            self.notify = lambda change: None
            self.read(settings)
        finally:
            del self.notify
"""
PERHAPS = """\
        self.notify = lambda change: None
        if settings:
            del self.notify
"""
OTHER_BRANCH = """\
        if settings:
            self.notify = lambda change: None
        else:
            del self.notify
"""
STORED_AGAIN = """\
        self.notify = print
        del self.notify
        self.notify = lambda change: None
"""


@pytest.mark.parametrize(
    ("making", "expected"),
    [(IN_BLOCK, 0), (IN_FINALLY, 0), (PERHAPS, 1), (OTHER_BRANCH, 1), (STORED_AGAIN, 1)],
    ids=["in the block", "in finally", "perhaps", "in the other branch", "stored again"],
)
def test_an_attribute_that_is_deleted_again_is_not_in_the_state(making: str, expected: int) -> None:
    assert len(marks(HELD_FOR_A_WHILE.format(making=making))) == expected


HOLDING = """\
import pickle
from contextlib import contextmanager


class Board:
    def __init__(self, rows):
        with self.hold([]):
            self.rows = rows

    @contextmanager
    def hold(self, changes):
        try:
            self.notify = lambda change: changes.append(change)
            yield
        except ValueError:
            self.notify = lambda change: None
            raise
        finally:
            {leaving}


pickle.dumps(Board([1, 2]))
"""


@pytest.mark.parametrize(("leaving", "expected"), [("del self.notify", []), ("self.rows = []", ["LP102", "LP102"])])
def test_a_method_that_deletes_what_it_stores_keeps_nothing(leaving: str, expected: list[str]) -> None:
    assert [code for _, code in marks(HOLDING.format(leaving=leaving))] == expected


_NAMESPACE = """
import multiprocessing as mp


class Group:
    def __init__(self):
        self.local = lambda: None

    def work(self):
        {statement}


if __name__ == "__main__":
    mp.Process(target=Group().work).start()
"""


@pytest.mark.parametrize(
    ("statement", "applicability"),
    [
        ("self.local.rank = 3", Applicability.UNSAFE),
        ("self.local.count += 1", Applicability.UNSAFE),
        ("setattr(self.local, 'rank', 3)", Applicability.UNSAFE),
        ("print(self.local.rank == 3)", Applicability.SAFE),
        ("self.local()", Applicability.SAFE),
        ("self.localised.rank = 3", Applicability.SAFE),
    ],
)
def test_a_lambda_on_which_attributes_are_stored_is_one_of_many(statement: str, applicability: Applicability) -> None:
    (found,) = lint(_NAMESPACE.format(statement=statement)).diagnostics
    assert found.code == "LP102"
    assert found.fix is not None
    assert found.fix.applicability is applicability
