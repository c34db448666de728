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


_GOT = """\
import argparse
import multiprocessing
import threading

TABLE = {{"guard": threading.Lock, "queue": list, 3: dict}}


class Guard:
    def __init__(self, kind):
        make = {expression}
        self.held = make()


def work(guard):
    pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind")
    kind = {kind}
    multiprocessing.get_context("spawn").Process(target=work, args=(Guard(kind),)).start()
"""


@pytest.mark.parametrize(
    "expression",
    [
        "TABLE.get(kind)",
        "TABLE.get(kind, list)",
        "{'guard': threading.Lock, 'queue': list}.get(kind)",
        "{'queue': list}.get(kind, threading.Lock)",
        "dict(guard=threading.Lock, queue=list).get(kind, list)",
        "dict(TABLE).pop(kind)",
    ],
)
@pytest.mark.parametrize("kind", ["'guard'", "parser.parse_args().kind"])
def test_what_get_gives_of_a_table(expression: str, kind: str) -> None:
    text = _GOT.format(expression=expression, kind=kind)
    assert [code for _, code in marks(text)] == ["LP111"]


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("TABLE.get(kind)", "'queue'"),
        ("TABLE.get(kind)", "3"),
        ("TABLE.get(kind, threading.Lock)", "'queue'"),
        ("TABLE.get(kind, list)", "'other'"),
        ("{'queue': list}.get(kind, dict)", "parser.parse_args().kind"),
    ],
)
def test_what_get_cannot_give(expression: str, kind: str) -> None:
    assert not marks(_GOT.format(expression=expression, kind=kind))


@pytest.mark.parametrize(("default", "found"), [("None", []), ("threading.Lock", ["LP111"])])
def test_a_default_of_get_may_be_tested(default: str, found: list[str]) -> None:
    text = _GOT.format(expression=f"{{'queue': list}}.get(kind, {default})", kind="parser.parse_args().kind")
    text = text.replace("self.held = make()", "if make is not None:\n            self.held = make()")
    assert [code for _, code in marks(text)] == found
