"""What a table holds under a key that has a name: a constant, a member of an enumeration."""

from __future__ import annotations

import pytest

from tests.support import marks

TABLE = """\
import enum
import multiprocessing
import os
import threading

FIRST, SECOND = "first", "second"


class Kind(enum.Enum):
    FIRST = 1
    SECOND = 2


TABLE = {{{first}: threading.Lock, {second}: list}}


class Guard:
    def __init__(self, kind):
        self.held = TABLE[kind]()


def work(guard):
    pass


def main():
    multiprocessing.get_context("spawn").Process(target=work, args=(Guard({asked}),)).start()
"""


@pytest.mark.parametrize("prefix", ["", "Kind."])
@pytest.mark.parametrize(("asked", "found"), [("FIRST", ["LP111"]), ("SECOND", [])])
def test_only_what_is_under_the_key(prefix: str, asked: str, found: list[str]) -> None:
    text = TABLE.format(first=f"{prefix}FIRST", second=f"{prefix}SECOND", asked=f"{prefix}{asked}")
    assert [code for _, code in marks(text)] == found


def test_what_keys_that_are_not_known_may_lead_to() -> None:
    text = TABLE.format(first="os.getcwd()", second="os.getcwd()", asked="os.getcwd()")
    assert [code for _, code in marks(text)] == ["LP111"]
