"""Every request gets one answer, whatever the client sends and whatever it leaves out."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.talking import Server
from tests.server.conftest import need_module

need_module("pygls")

from lintpickle.server.app import make_server  # noqa: E402
from lintpickle.server.logs import LineFormatter  # noqa: E402
from lintpickle.server.session import START_SECONDS  # noqa: E402

NOT_INITIALIZED, INVALID, UNKNOWN, PARAMS, PARSE, CANCELLED = -32002, -32600, -32601, -32602, -32700, -32800
BEGIN: tuple[str, dict[str, Any]] = ("initialize", {"processId": None, "rootUri": None, "capabilities": {}})


class Talk:
    """A client that answers nothing that it is asked."""

    def __init__(self, root: Path) -> None:
        self.server = Server(root)
        self.number = 0
        self.root = root

    def ask(self, method: str, params: Any, **other: Any) -> int:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params, **other})
        return self.number

    def tell(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, message: Any) -> None:
        self.server.say(json.dumps(message).encode())

    def answer(self, number: int | None) -> dict[str, Any]:
        self.server.wait_for([number])
        [answer] = self.server.answers.pop(number)
        return answer

    def code(self, number: int | None) -> int:
        """The code of the error that is the answer."""
        code: int = self.answer(number)["error"]["code"]
        return code

    def begin(self, **capabilities: Any) -> None:
        self.answer(self.ask("initialize", {**BEGIN[1], "rootUri": self.root.as_uri(), "capabilities": capabilities}))
        self.tell("initialized", {})

    def open(self, name: str) -> str:
        uri = (self.root / name).as_uri()
        text = (self.root / name).read_text(encoding="utf-8")
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return uri


@pytest.fixture
def talk(project: Path) -> Iterator[Talk]:
    """A server, which must end as it should and print nothing but its log."""
    talk = Talk(project)
    yield talk
    talk.ask("shutdown", None)
    talk.tell("exit")
    assert talk.server.finish() == []


def test_requests_that_come_too_early_or_too_late(talk: Talk) -> None:
    assert talk.code(talk.ask("textDocument/hover", {})) == NOT_INITIALIZED
    talk.begin()
    assert talk.code(talk.ask(*BEGIN)) == INVALID
    assert talk.answer(talk.ask("shutdown", None))["result"] is None
    assert talk.code(talk.ask("workspace/executeCommand", {"command": "x"})) == INVALID


def test_wrong_requests(talk: Talk) -> None:
    talk.begin()
    where = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": -1, "character": 0}}
    wrong: list[Any] = [where, None, 3, [], {"textDocument": None}]
    for params in wrong:
        assert talk.code(talk.ask("textDocument/hover", params)) == PARAMS
    assert talk.code(talk.ask("textDocument/completion", {})) == UNKNOWN
    assert talk.code(talk.ask("textDocument/didOpen", {})) == INVALID
    assert talk.code(talk.ask("textDocument/hover", {}, jsonrpc="1.0")) == INVALID
    assert talk.code(talk.ask("textDocument/hover", where, error={"code": 1, "message": "x"})) == PARAMS


def test_a_field_of_the_parameters_that_looks_like_a_message(talk: Talk) -> None:
    talk.begin()
    inner = {"jsonrpc": "2.0", "id": 1, "method": "exit"}
    resolved = talk.answer(talk.ask("codeAction/resolve", {"title": "x", "data": inner}))
    assert resolved["result"] == {"title": "x", "data": inner}


def test_what_is_no_message_is_answered_without_a_number(talk: Talk) -> None:
    talk.begin()
    for unreadable in (b"{", b"\xff", b"[" * 200_000, b"9" * 5000):
        talk.server.say(unreadable)
        assert talk.code(None) == PARSE
    hover = b'"method": "textDocument/hover", "params": {}}'
    for wrong in (b"[]", b"3", b"{}", b'{"jsonrpc": "2.0", "method": 3}', b'{"jsonrpc": "2.0", "id": [], ' + hover):
        talk.server.say(wrong)
        assert talk.code(None) == INVALID


def test_wrong_arguments_of_a_command(talk: Talk) -> None:
    talk.begin()
    wrong: list[list[Any]] = [[None], [3], [{}], [], ["a", 1]]
    for arguments in wrong:
        asked = {"command": "lintpickle.applyAutofix", "arguments": arguments}
        assert talk.code(talk.ask("workspace/executeCommand", asked)) == PARAMS


def test_a_client_that_answers_nothing(talk: Talk) -> None:
    """Neither whether it shows progress, nor that it applied an edit, nor that it will ask for diagnostics again."""
    talk.begin(
        window={"workDoneProgress": True},
        workspace={"diagnostics": {"refreshSupport": True}, "configuration": True},
        textDocument={"diagnostic": {}},
    )
    uri = talk.open("bad.py")
    for _ in range(2):
        items: list[Any] = []
        while len(items) < 2:
            report = talk.answer(talk.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}))
            items = report["result"]["items"]
        whole = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "import torch\n"}]}
        talk.tell("textDocument/didChange", whole)
        talk.open("bad.py")
    for each in (uri, "file:///not/open.py"):
        asked = {"command": "lintpickle.applyAutofix", "arguments": [each]}
        assert talk.answer(talk.ask("workspace/executeCommand", asked))["result"] is None


def test_a_client_that_never_says_that_it_is_ready(talk: Talk) -> None:
    talk.answer(talk.ask("initialize", {**BEGIN[1], "rootUri": talk.root.as_uri()}))
    uri = talk.open("bad.py")
    where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    asked = [talk.ask("textDocument/hover", where) for _ in range(3)]
    assert START_SECONDS < 10
    assert [talk.answer(number)["result"] for number in asked] == [None] * 3


def test_what_waits_when_the_server_is_shut_down_is_cancelled(talk: Talk) -> None:
    talk.begin()
    uri = talk.open("bad.py")
    asked = [
        talk.ask("workspace/executeCommand", {"command": "lintpickle.applyAutofix", "arguments": [uri]})
        for _ in range(3)
    ]
    assert talk.answer(talk.ask("shutdown", None))["result"] is None
    assert [talk.code(number) for number in asked] == [CANCELLED] * 3


def test_changes_of_what_is_not_open_mean_nothing(talk: Talk) -> None:
    talk.begin()
    for kind in ("textDocument", "notebookDocument"):
        change = {kind: {"uri": "file:///a", "version": 1}, "contentChanges": [{"text": "x"}], "change": {}}
        talk.tell(f"{kind}/didChange", change)
    assert talk.code(talk.ask("textDocument/completion", {})) == UNKNOWN


@pytest.mark.parametrize("length", [str(1 << 31), "9" * 5000])
def test_a_message_that_is_too_large_ends_the_connection(project: Path, length: str) -> None:
    server = Server(project)
    assert server.process.stdin is not None
    server.process.stdin.write(f"Content-Length: {length}\r\n\r\n".encode())
    server.process.stdin.flush()
    assert server.finish() == []


def test_what_fails_in_a_notification_is_told() -> None:
    class Session:
        def __init__(self) -> None:
            self.told: list[Exception] = []

        def failed(self, error: Exception) -> None:
            self.told.append(error)

    server = make_server()
    session = Session()
    server.session = session  # type: ignore[assignment]
    failed: Future[None] = Future()
    failed.set_exception(KeyError("nobody saw that coming"))
    gone: Future[None] = Future()
    gone.cancel()
    for future in (failed, gone):
        server.protocol._check_handler_result(future)
    assert [str(error) for error in session.told] == ["'nobody saw that coming'"]


def test_the_log_has_one_line_for_each_record() -> None:
    try:
        raise ValueError("an\x1b[31m\nerror")
    except ValueError as error:
        given = (type(error), error, error.__traceback__)
    record = logging.LogRecord("a.b", logging.ERROR, "x.py", 1, "it\n%s", ("fell\r",), given)
    line = LineFormatter(traces=False).format(record)
    assert line.startswith("ERROR a.b: it") and "ValueError: an" in line
    assert line.isprintable()
    first, *rows = LineFormatter(traces=True).format(record).split("\n")
    assert first == line
    assert any("Traceback" in row for row in rows) and all(row.isprintable() for row in rows)
