"""LP110 for sockets with a timeout, which multiprocessing does not send along."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.settings import SettingsResolver

SERVER = """\
import multiprocessing
import select
import socket


class Server:
    def __init__(self):
        self.listener = {made}
        {set_up}

    def start(self):
        worker = multiprocessing.Process(target=serve, args=(self.listener,))
        worker.start()
        return worker


def serve(listener):
    {worker}


def main():
    server = Server()
    server.start().join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
MADE, TIMED = "socket.create_server(('127.0.0.1', 0))", "self.listener.settimeout(15)"
ACCEPTS = "connection, _ = listener.accept()\n    connection.sendall(b'hello')"


def told(folder: Path, made: str, set_up: str, worker: str) -> list[str]:
    (folder / "main.py").write_text(SERVER.format(made=made, set_up=set_up, worker=worker), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return [str(finding.diagnostic.error) for boundary in found for finding in boundary.findings]


@pytest.mark.parametrize(
    ("made", "set_up", "worker"),
    [
        pytest.param(MADE, TIMED, ACCEPTS, id="a listener"),
        pytest.param("socket.socket()", "self.listener.settimeout(0.5)", "print(listener.recv(10))", id="a socket"),
        pytest.param(
            "socket.create_connection(('a', 80), timeout=5)", "pass", "print(listener.recv(10))", id="at once"
        ),
    ],
)
def test_a_timeout_that_does_not_cross(made: str, set_up: str, worker: str, tmp_path: Path) -> None:
    assert told(tmp_path, made, set_up, worker) == ["BlockingIOError: [Errno 11] Resource temporarily unavailable"]


@pytest.mark.parametrize(
    ("made", "set_up", "worker"),
    [
        pytest.param(MADE, "pass", ACCEPTS, id="without a timeout"),
        pytest.param(MADE, "self.listener.settimeout(None)", ACCEPTS, id="none"),
        pytest.param(MADE, f"{TIMED}; self.listener.setblocking(True)", ACCEPTS, id="taken back"),
        pytest.param(MADE, TIMED, f"listener.settimeout(15)\n    {ACCEPTS}", id="set in the worker"),
        pytest.param(MADE, TIMED, f"select.select([listener], [], [])\n    {ACCEPTS}", id="awaited"),
        pytest.param(MADE, TIMED, "print(listener.getsockname())", id="not waited for"),
        pytest.param(MADE, "other = socket.socket(); other.settimeout(3)", ACCEPTS, id="of another socket"),
        pytest.param(
            MADE,
            TIMED,
            "try:\n        listener.accept()\n    except BlockingIOError:\n        pass",
            id="ready for that",
        ),
    ],
)
def test_sockets_that_cross_as_they_are(made: str, set_up: str, worker: str, tmp_path: Path) -> None:
    assert told(tmp_path, made, set_up, worker) == []
