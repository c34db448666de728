"""What a decorator of a method stores on its object before it calls it."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import functools
import sqlite3
from multiprocessing import Pool


def database(function):
    def inner({parameters}):
        {body}
    return inner


class Pusher:
    connection = None

    def __init__(self, name=":memory:"):
        self.name = name

    def __call__(self, row):
        print(row)

    {hook}

    @database
    def notify(self, rows):
        {first}
        with Pool(1) as pool:
            for row in rows:
                pool.apply(self, args=(row,))


if __name__ == "__main__":
    Pusher().notify([1, 2])
"""
_ANY, _NAMED = "*args, **options", "me, *args"
_CALL, _CALL_NAMED = "return function(*args, **options)", "return function(me, *args)"
_OPEN = "sqlite3.connect('a')"
_CONDITION = (
    f"me = args[0]\nif not me.connection:\n    me.connection = {_OPEN}\n    result = function(*args, **options)\n"
    "    me.connection = None\nelse:\n    result = function(*args, **options)\nreturn result"
)
_DROPS = "def __getstate__(self):\n        return {'name': self.name}"


def _found(parameters: str, body: str, hook: str = "", first: str = "pass") -> list[tuple[str, str]]:
    body = body.replace("\n", "\n        ")
    text = PROGRAM.format(parameters=parameters, body=body, hook=hook, first=first)
    return [(each.code, str(each.confidence.value)) for each in lint(text).diagnostics]


@pytest.mark.parametrize(
    ("parameters", "body", "confidence"),
    [
        (_ANY, f"me = args[0]\nme.connection = {_OPEN}\n{_CALL}", "certain"),
        (_ANY, f"args[0].connection = {_OPEN}\n{_CALL}", "certain"),
        (_NAMED, f"me.connection = {_OPEN}\n{_CALL_NAMED}", "certain"),
        (_ANY, _CONDITION, "likely"),
        (_ANY, f"me = args[0]\nme.connection = {_OPEN}\ntry:\n    {_CALL}\nfinally:\n    del me.connection", "certain"),
    ],
)
def test_what_is_stored_before_the_call(parameters: str, body: str, confidence: str) -> None:
    assert _found(parameters, body) == [("LP110", confidence)]


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        pytest.param(_ANY, f"args[1].connection = {_OPEN}\n{_CALL}", id="of another argument"),
        pytest.param(_NAMED, f"args[0].connection = {_OPEN}\n{_CALL_NAMED}", id="of another argument, by number"),
        pytest.param(
            _ANY,
            f"result = function(*args, **options)\nargs[0].connection = {_OPEN}\nreturn result",
            id="after the call",
        ),
        pytest.param(
            _ANY, f"if options:\n    args[0].connection = {_OPEN}\nelse:\n    {_CALL}", id="where it is not called"
        ),
        pytest.param(_NAMED, f"me.connection = {_OPEN}\nme.connection = None\n{_CALL_NAMED}", id="replaced"),
        pytest.param(_NAMED, f"me.connection = {_OPEN}\ndel me.connection\n{_CALL_NAMED}", id="deleted"),
        pytest.param(_ANY, f"connection = {_OPEN}\n{_CALL}", id="not on the object"),
    ],
)
def test_what_is_not_there_at_the_call(parameters: str, body: str) -> None:
    assert _found(parameters, body) == []


def test_what_the_object_drops_before_it_crosses() -> None:
    body = f"me.connection = {_OPEN}\n{_CALL_NAMED}"
    assert _found(_NAMED, body, hook=_DROPS) == []
    assert _found(_NAMED, body, first="self.connection = None") == []
    assert _found(_NAMED, body, first="self.other = None") == [("LP110", "certain")]
