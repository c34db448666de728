"""The plugin of python-lsp-server, inside the real server, over its protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import CONFIG, DATA, need

pytestmark = pytest.mark.integration


class Server:
    """The real server over stdio."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pylsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._number = 0

    def send(self, method: str, params: Any, *, request: bool = False) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request:
            self._number += 1
            message["id"] = self._number
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        stream = self._process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                return
            yield json.loads(stream.read(length))

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The next diagnostics of lintpickle that are published for a document."""
        for message in self.messages():
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return [each for each in message["params"]["diagnostics"] if each.get("source") == "lintpickle"]
        raise AssertionError("the server has gone")

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    need("pylsp", "pylsp")
    server = Server(project)
    capabilities = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
    start = {"processId": None, "rootUri": project.as_uri(), "capabilities": capabilities}
    server.send("initialize", start, request=True)
    next(message for message in server.messages() if "result" in message)
    server.send("initialized", {})
    yield server
    server.stop()


def test_diagnostics_follow_the_editor(server: Server, project: Path) -> None:
    uri = (project / "pkg" / "config.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": CONFIG}
    server.send("textDocument/didOpen", {"textDocument": document})
    (found,) = server.diagnostics(uri)
    assert found["code"] == "LP101"
    assert found["range"]["start"] == {"line": 3, "character": 21}
    assert found["relatedInformation"][0]["location"]["uri"] == (project / "pkg" / "data.py").as_uri()

    change = [{"text": CONFIG.replace("self.ranges.keys()", "list(ranges)")}]
    server.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": change})
    assert server.diagnostics(uri) == []


def test_columns_are_those_of_the_protocol(server: Server, project: Path) -> None:
    uri = (project / "pkg" / "data.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": DATA}
    server.send("textDocument/didOpen", {"textDocument": document})
    (found,) = server.diagnostics(uri)
    before = DATA.splitlines()[9].partition("lambda")[0]
    assert found["range"]["start"] == {"line": 9, "character": len(before.encode("utf-16-le")) // 2}


def test_a_bad_configuration_is_shown(server: Server, project: Path) -> None:
    (project / "lintpickle.toml").write_text("selct = []\n")
    uri = (project / "pkg" / "data.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": DATA}
    server.send("textDocument/didOpen", {"textDocument": document})
    (found,) = server.diagnostics(uri)
    assert "selct" in found["message"]
