"""What `with` makes of a context manager that a function writes."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import contextlib
import multiprocessing
import sqlite3


{manager}

def work(held):
    print(held)


def main():
    with opened("a.db") as held:
        process = multiprocessing.get_context("spawn").Process(target=work, args=(held,))
        process.start()
        process.join()


if __name__ == "__main__":
    main()
"""
OPENS = """\
@contextlib.contextmanager
def opened(path):
    connection = sqlite3.connect(path)
    try:
        yield connection
    finally:
        connection.close()
"""


def codes(manager: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.format(manager=manager))]


@pytest.mark.parametrize(
    "manager",
    [
        OPENS,
        OPENS.replace("contextlib.contextmanager", "contextlib.contextmanager  # as a session"),
        OPENS.replace("connection = sqlite3.connect(path)", "connection = [sqlite3.connect(path)]").replace(
            "connection.close", "connection.clear"
        ),
    ],
)
def test_what_it_yields_crosses(manager: str) -> None:
    assert codes(manager) == ["LP110"]


@pytest.mark.parametrize(
    "manager",
    [
        OPENS.replace("yield connection", "yield path"),
        OPENS.replace("yield connection", "yield"),
        OPENS.replace("yield connection", "yield connection.execute('select 1').fetchall()"),
        "@contextlib.contextmanager\ndef opened(path):\n    yield from something(path)\n",
    ],
)
def test_what_it_keeps_to_itself_does_not(manager: str) -> None:
    assert codes(manager) == []


def test_a_session_of_a_sessionmaker() -> None:
    text = """\
from multiprocessing import get_context

from sqlalchemy import create_engine
from sqlalchemy.orm import Session, sessionmaker

Sessions = sessionmaker(bind=create_engine("sqlite://"))


def work(held):
    print(held)


def main():
    session = Sessions()
    print(session)
    get_context("spawn").Process(target=work, args=(session,)).start()
    get_context("spawn").Process(target=work, args=(session.get_bind().url,)).start()


if __name__ == "__main__":
    main()
"""
    assert marks(text) == [(14, "LP110")]


@pytest.mark.parametrize("what", ["closing", "nullcontext"])
def test_a_context_manager_around_an_object(what: str) -> None:
    manager = f"def opened(path):\n    return contextlib.{what}(sqlite3.connect(path))\n"
    assert codes(manager) == ["LP110"]
    assert codes(manager.replace("sqlite3.connect(path)", "path")) == []


def test_streams_of_the_process() -> None:
    text = """\
import cmd
import contextlib
import io
import pprint
import sys
from multiprocessing import get_context

spawn = get_context("spawn")


def work(held):
    print(held)


def main():
    spawn.Process(target=work, args=(cmd.Cmd(),)).start()
    spawn.Process(target=work, args=(cmd.Cmd(stdin=io.StringIO(), stdout=io.StringIO()),)).start()
    spawn.Process(target=work, args=(pprint.PrettyPrinter(width=100),)).start()
    spawn.Process(target=work, args=(pprint.PrettyPrinter(stream=io.StringIO()),)).start()
    spawn.Process(target=work, args=(contextlib.redirect_stdout(sys.stdout),)).start()
    spawn.Process(target=work, args=(contextlib.redirect_stdout(io.StringIO()),)).start()


if __name__ == "__main__":
    main()
"""
    assert [row for row, _ in marks(text)] == [16, 18, 20]


OPENER = """\
class opened:
    def __init__(self, path):
        self.path = path
        self.connection = sqlite3.connect(path)

    def __getstate__(self):
        return {"path": self.path}

    def __enter__(self):
        return self.connection

    def __exit__(self, *raised):
        self.connection.close()
"""
KEEPER = OPENER.replace('return {"path": self.path}', "return dict(self.__dict__)")


@pytest.mark.parametrize(
    "manager", [OPENER, OPENER.replace("return self.connection", "return self.connection.__enter__()")]
)
def test_what_a_class_enters_crosses(manager: str) -> None:
    assert codes(manager) == ["LP110"]


@pytest.mark.parametrize("given", ["self", "super().__enter__()"])
def test_an_object_that_enters_itself_crosses(given: str) -> None:
    assert codes(KEEPER.replace("return self.connection", f"return {given}")) == ["LP110"]


@pytest.mark.parametrize(
    "manager",
    [
        OPENER.replace("return self.connection", "return self"),
        KEEPER.replace("return self.connection", "return self.path"),
    ],
)
def test_what_a_class_keeps_to_itself_does_not(manager: str) -> None:
    assert codes(manager) == []
