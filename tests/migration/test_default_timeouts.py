"""`socket.setdefaulttimeout` in the main process alone. Measured with CPython 3.11 and a server that never answers:
forked workers get a TimeoutError, others wait for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PROGRAM = """\
import multiprocessing
import socket
import urllib.request


def ask(port: int):
    try:
        {asks}
    except {caught}:
        return "no answer"


def main():
    {sets}
    with multiprocessing.Pool(1{initializer}) as pool:
        print(pool.map(ask, [80]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
SETS, TIMEOUT = "socket.setdefaulttimeout(0.5)", "TimeoutError"
CONNECTS = 'return socket.create_connection(("127.0.0.1", port)).recv(3)'
SET_HERE = (
    'connection = socket.create_connection(("127.0.0.1", port)); connection.settimeout(1); return connection.recv(3)'
)


def said(folder: Path, asks: str, caught: str = TIMEOUT, sets: str = SETS, initializer: str = "") -> Verdict:
    text = PROGRAM.format(asks=asks, caught=caught, sets=sets, initializer=initializer)
    return worst(migrated(folder, text))


@pytest.mark.parametrize("caught", [TIMEOUT, "socket.timeout", "(ConnectionError, TimeoutError)"])
@pytest.mark.parametrize("asks", [CONNECTS, 'return urllib.request.urlopen(f"http://127.0.0.1:{port}").read()'])
def test_workers_that_are_ready_for_a_timeout_wait_for_ever(asks: str, caught: str, tmp_path: Path) -> None:
    assert said(tmp_path, asks, caught) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("asks", "caught"), [(CONNECTS, "ConnectionError"), ("return socket.getdefaulttimeout()", "ValueError")]
)
def test_others_differ(asks: str, caught: str, tmp_path: Path) -> None:
    assert said(tmp_path, asks, caught) is Verdict.CHANGES


@pytest.mark.parametrize(
    "asks",
    [
        pytest.param('return socket.create_connection(("127.0.0.1", port), timeout=1).recv(3)', id="given by name"),
        pytest.param('return socket.create_connection(("127.0.0.1", port), 1).recv(3)', id="given by place"),
        pytest.param('return urllib.request.urlopen("http://127.0.0.1", None, 1).read()', id="given to another"),
        pytest.param(SET_HERE, id="set on the socket"),
        pytest.param("return port + 1", id="no sockets"),
    ],
)
def test_workers_that_need_no_default(asks: str, tmp_path: Path) -> None:
    assert said(tmp_path, asks) is Verdict.READY


def test_workers_that_set_it_themselves(tmp_path: Path) -> None:
    given = ", initializer=socket.setdefaulttimeout, initargs=(0.5,)"
    assert said(tmp_path, CONNECTS, initializer=given) is Verdict.READY


def test_nobody_sets_it(tmp_path: Path) -> None:
    assert said(tmp_path, CONNECTS, sets="pass") is Verdict.READY
