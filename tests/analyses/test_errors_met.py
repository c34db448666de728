"""LP234: tasks without a `raise` of their own, whose errors what they read decides."""

from __future__ import annotations

import pytest

from tests.support import lint

_PROGRAM = """\
import contextlib
import json
import logging
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import Pool

import requests

log = logging.getLogger(__name__)


def read(path):
    with open(path) as file:
        READ


def convert(path):
    CONVERT
    with open(path + ".out", "w") as file:
        file.write(str(rows))


def main(paths):
    with ProcessPoolExecutor() as executor:
        SEND


if __name__ == "__main__":
    main(["a.json"])
"""
_READ, _CONVERT = "return [json.loads(line) for line in file]", "rows = read(path)"
_SEND = "executor.map(convert, paths)"


def _found(send: str = _SEND, convert: str = _CONVERT, read: str = _READ) -> list[str]:
    text = _PROGRAM.replace("READ", read.replace("\n", "\n        ")).replace("SEND", send.replace("\n", "\n        "))
    text = text.replace("CONVERT", convert.replace("\n", "\n    "))
    return [each.message for each in lint(text).diagnostics if each.code == "LP234"]


@pytest.mark.parametrize(
    ("send", "convert", "read", "error"),
    [
        (_SEND, _CONVERT, _READ, "JSONDecodeError"),
        (_SEND, "rows = json.load(open(path))", "return 1", "JSONDecodeError"),
        (_SEND, "rows = [int(line.split()[0]) for line in open(path)]", "return 1", "ValueError"),
        (_SEND, "rows = float(open(path).readline())", "return 1", "ValueError"),
        (_SEND, "answer = requests.get(path)\nanswer.raise_for_status()\nrows = answer.text", "return 1", "HTTPError"),
        ("for path in paths:\n    executor.submit(convert, path)", _CONVERT, _READ, "JSONDecodeError"),
        ("futures = [executor.submit(convert, path) for path in paths]", _CONVERT, _READ, "JSONDecodeError"),
        (
            "pool = Pool(2)\npool.map_async(convert, paths)\npool.close()\npool.join()",
            _CONVERT,
            _READ,
            "JSONDecodeError",
        ),
    ],
)
def test_errors_of_what_is_read(send: str, convert: str, read: str, error: str) -> None:
    [message] = _found(send, convert, read)
    assert f"raises `{error}`" in message


@pytest.mark.parametrize(
    ("send", "convert", "read"),
    [
        pytest.param("print(list(executor.map(convert, paths)))", _CONVERT, _READ, id="gone through"),
        pytest.param("for _ in executor.map(convert, paths):\n    pass", _CONVERT, _READ, id="in a loop"),
        pytest.param("return executor.map(convert, paths)", _CONVERT, _READ, id="given back"),
        pytest.param("executor.submit(convert, paths[0]).result()", _CONVERT, _READ, id="asked for"),
        pytest.param("executor.submit(convert, paths[0]).add_done_callback(print)", _CONVERT, _READ, id="a callback"),
        pytest.param(
            _SEND,
            "try:\n    rows = read(path)\nexcept ValueError:\n    rows = []",
            _READ,
            id="caught where it is called",
        ),
        pytest.param(
            _SEND,
            _CONVERT,
            "try:\n    return json.load(file)\nexcept ValueError:\n    return None",
            id="caught at once",
        ),
        pytest.param(_SEND, "log.warning('reading %s', path)\n" + _CONVERT, _READ, id="told"),
        pytest.param(
            _SEND,
            "rows = []\nwith contextlib.suppress(ValueError):\n    rows = json.loads(path)",
            "return 1",
            id="suppressed",
        ),
        pytest.param(_SEND, "rows = int(len(path) / 2)", "return 1", id="a number of a number"),
        pytest.param(_SEND, "rows = path.upper()", "return 1", id="only a file is written"),
        pytest.param(_SEND, "rows = json.dumps(path)", "return 1", id="nothing is parsed"),
        pytest.param(_SEND, _CONVERT, "return file.read()", id="read, not parsed"),
    ],
)
def test_errors_that_are_heard_of_or_none(send: str, convert: str, read: str) -> None:
    assert _found(send, convert, read) == []


def test_a_decorated_task_may_catch_its_errors() -> None:
    text = _PROGRAM.replace("READ", _READ).replace("SEND", _SEND).replace("CONVERT", _CONVERT)
    text = text.replace("def convert", "@lru_cache\ndef convert")
    assert "LP234" not in [each.code for each in lint(text).diagnostics]
