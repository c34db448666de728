"""LP222: global-sent-by-value."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP222"


_SCRIPT = """\
import contextvars
import logging
import sqlite3
import threading

import cloudpickle
from joblib import Parallel, delayed
from loky import get_reusable_executor

thing = {thing}


class Box:
    thing = 3


def inner(number):
    return {using}


def work(number):
    return inner(number)


def main():
    {sending}


{guard}
"""
_GUARD = "if __name__ == '__main__':\n    main()"
_SENDING = "Parallel(n_jobs=2)(delayed(work)(number) for number in range(3))"


def _fires(thing: str = "threading.Lock()", using: str = "thing", sending: str = _SENDING, guard: str = _GUARD) -> bool:
    text = _SCRIPT.format(thing=thing, using=using, sending=sending, guard=guard)
    return "LP222" in [each.code for each in lint(text).diagnostics]


@pytest.mark.parametrize(
    ("thing", "fires"),
    [
        ("threading.Lock()", True),
        ("threading.local()", True),
        ("contextvars.ContextVar('thing')", True),
        ("sqlite3.connect(':memory:')", True),
        ("(number for number in range(9))", True),
        ("logging.getLogger('thing')", False),  # goes by name
        ("{}.keys()", False),
        ("lambda: 3", False),
        ("{'a': 1}", False),
        ("__import__('unknown').thing()", False),
    ],
)
def test_which_globals(thing: str, fires: bool) -> None:
    assert _fires(thing) is fires


@pytest.mark.parametrize(
    ("using", "fires"),
    [
        ("thing", True),
        ("[thing for _ in range(number)]", True),
        ("Box.thing", False),
        ("number", False),
        ("(lambda thing: thing)(number)", False),
    ],
)
def test_how_it_is_named(using: str, fires: bool) -> None:
    assert _fires(using=using) is fires


@pytest.mark.parametrize(
    ("sending", "fires"),
    [
        (_SENDING, True),
        ("get_reusable_executor(2).submit(work, 1)", True),
        ("cloudpickle.dumps(work)", True),
        ("Parallel(n_jobs=2, prefer='threads')(delayed(work)(number) for number in range(3))", False),
        ("Parallel(n_jobs=1)(delayed(work)(number) for number in range(3))", False),
        ("Parallel(n_jobs=2)(delayed(len)('a') for number in range(3))", False),
        ("work(1)", False),
    ],
)
def test_how_it_is_sent(sending: str, fires: bool) -> None:
    assert _fires(sending=sending) is fires


def test_a_module_that_is_imported() -> None:
    assert not _fires(guard="")
