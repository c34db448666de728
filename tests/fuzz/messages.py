"""What a client says to the language server in one session, made from a seed: right messages, and wrong ones of every
kind."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.fuzz import programs

Json = object
LENGTH = 50
"""How many messages a session has, beside its beginning and its end."""
DEEP = "[" * 5000 + "]" * 5000
_DEEP, _LONG = "\x00deep\x00", "\x00long\x00"
_LONG_NUMBER = b"9" * 5000
_RAW = {json.dumps(_DEEP): DEEP, json.dumps(_LONG): _LONG_NUMBER.decode()}
"""What `json.dumps` cannot write, in place of strings."""

_ODD: tuple[Json, ...] = (
    *(None, True, 0, -1, 1.5, 2**31 - 1, 2**31, 2**70, "", "\x00", "\x1b[31m", "::stop-commands::x", "\ud800"),
    *("a" * 5000, [], {}, [None], [[[]]], {"": {}}, {"jsonrpc": "2.0", "id": 1, "method": "x"}, _DEEP, _LONG),
)
_URIS = (
    "",
    "file:",
    "file://[",
    "file:///%00",
    "file:///dev/zero",
    "untitled:Untitled-1",
    "x" * 5000,
    "file:///\ud800",
)
_KINDS: tuple[Json, ...] = ("", "quickfix", "source", "source.fixAll.lintpickle", "notebook.source.fixAll.lintpickle")
_COMMANDS = ("lintpickle.applyAutofix", "lintpickle.printDebugInformation", "lintpickle.migrate", "lintpickle.nothing")
_LETTERS = ("\n", "(", ")", "'''", " ", "\t", "lambda: 0", "\r", "\x0c", "é", "\U0001f600", "self.x = ", ":", "\\", "")
_BODIES = (b"", b"{", b"null", b"[]", b"[{}]", b"3", b'"x"', b"{}", b"\xff\xfe", b'{"jsonrpc": "2.0"}', b"\x1b[31m")
_PROLOGUE = "\x00\x1b[31m::stop-commands::x"


class Sent(NamedTuple):
    """The body of a message, and the number of the request that it is, which must be answered."""

    body: bytes
    request: int | None = None


class Session:
    """Makes the messages of one session, and knows which documents are open in it."""

    def __init__(self, seed: int, root: str) -> None:
        self._chance = random.Random(seed)
        self._seed = seed
        self._root = root
        self._texts: dict[str, tuple[str, int]] = {}
        self._requests = 0
        self._documents = [f"{root}/{name}" for name in ("a.py", "b.py", "package/__init__.py", "a%20b.py")]
        self._notebook = f"{root}/book.ipynb"
        self._cells = [f"{self._notebook}#{number}" for number in range(3)]

    def messages(self) -> list[Sent]:
        """All of them, in order, from the first request to the notification that ends the server."""
        chance = self._chance
        made = [self._request("textDocument/hover", self._at())] if chance.random() < 0.2 else []
        made.append(self._request("initialize", self._initialize()))
        if chance.random() < 0.9:
            made.append(self._notification("initialized", {}))
        made += [chance.choice(self._ways)() for _ in range(LENGTH)]
        made.append(self._request("shutdown", None))
        made += [self._question() for _ in range(chance.randrange(3))]
        return [*made, self._notification("exit", None)]

    @property
    def _ways(self) -> tuple[Callable[[], Sent], ...]:
        return (
            *(self._open, self._open_notebook, self._close, self._cancel, self._body, self._answer),
            *(self._change, self._type, self._type, self._change_notebook, self._other, self._broken, self._broken),
            *(self._question, self._question, self._question, self._question),
        )

    def _initialize(self) -> Json:
        chance = self._chance
        yes: Json = {"dynamicRegistration": True, "relativePatternSupport": True, "refreshSupport": True}
        capabilities: dict[str, Json] = {
            "general": {"positionEncodings": chance.sample(["utf-8", "utf-16", "utf-32"], 2)},
            "window": {"workDoneProgress": chance.random() < 0.5},
            "workspace": {
                "configuration": chance.random() < 0.5,
                "didChangeWatchedFiles": yes,
                "diagnostics": yes,
                "workspaceEdit": {"documentChanges": chance.random() < 0.5},
            },
            "textDocument": {"publishDiagnostics": {"relatedInformation": True, "dataSupport": True}},
        }
        if chance.random() < 0.5:
            capabilities["textDocument"] = {"diagnostic": {}, "hover": {"contentFormat": ["markdown"]}}
        folders: Json = [{"uri": self._root, "name": "x"}] if chance.random() < 0.8 else None
        options: Json = chance.choice((None, {}, {"settings": {"pedantic": True}}, {"settings": 3}, {"a": _PROLOGUE}))
        return {
            "processId": None,
            "rootUri": self._root,
            "capabilities": capabilities,
            "workspaceFolders": folders,
            "initializationOptions": options,
        }

    def _text(self) -> str:
        chance = self._chance
        text = chance.choice((programs.body, programs.mutant))(chance.randrange(10**6))[:4000]
        return text[: chance.randrange(len(text) + 1)] if chance.random() < 0.3 else text

    def _uri(self) -> str:
        chance = self._chance
        if chance.random() < 0.1:
            return chance.choice(_URIS)
        return chance.choice((*self._documents, *self._texts, *self._cells))

    def _open(self) -> Sent:
        uri, text = self._uri(), self._text()
        self._texts[uri] = (text, 1)
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        return self._notification("textDocument/didOpen", {"textDocument": item})

    def _open_notebook(self) -> Sent:
        cells = [{"kind": self._chance.choice((1, 2)), "document": uri} for uri in self._cells]
        texts = [{"uri": uri, "languageId": "python", "version": 1, "text": self._text()} for uri in self._cells]
        book = {"uri": self._notebook, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
        return self._notification("notebookDocument/didOpen", {"notebookDocument": book, "cellTextDocuments": texts})

    def _close(self) -> Sent:
        uri = self._uri()
        self._texts.pop(uri, None)
        return self._notification("textDocument/didClose", {"textDocument": {"uri": uri}})

    def _changes(self) -> list[Json]:
        chance = self._chance
        if chance.random() < 0.2:
            return [{"text": self._text()}]
        return [
            {"range": self._range(), "text": chance.choice(_LETTERS)} for _ in range(chance.choice((0, 1, 1, 2, 20)))
        ]

    def _change(self) -> Sent:
        document = {"uri": self._uri(), "version": self._chance.choice((0, 1, 2, 2**31 - 1))}
        return self._notification(
            "textDocument/didChange", {"textDocument": document, "contentChanges": self._changes()}
        )

    def _type(self) -> Sent:
        """The next piece of an open document, as somebody types it."""
        if not self._texts:
            return self._open()
        chance = self._chance
        uri = chance.choice(list(self._texts))
        text, version = self._texts[uri]
        piece = chance.choice((*_LETTERS, *chance.choice(("import torch\n", "lambda x: (", "f'{x", "def f("))))
        rows = text.split("\n")
        row = chance.randrange(len(rows))
        where = {"line": row, "character": chance.randint(0, len(rows[row]))}
        self._texts[uri] = (text, version + 1)
        return self._notification(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version + 1},
                "contentChanges": [{"range": {"start": where, "end": where}, "text": piece}],
            },
        )

    def _change_notebook(self) -> Sent:
        chance = self._chance
        array: Json = {"start": chance.choice((0, 1, 99)), "deleteCount": chance.choice((0, 1, 99)), "cells": []}
        cell = chance.choice(self._cells)
        text: Json = [{"document": {"uri": cell, "version": 2}, "changes": self._changes()}]
        gone: Json = {"array": array, "didClose": [{"uri": cell}]}
        cells: Json = chance.choice(({"structure": gone}, {"textContent": text}, {"data": []}))
        if chance.random() < 0.2:
            book: Json = {"notebookDocument": {"uri": self._notebook}, "cellTextDocuments": [{"uri": cell}]}
            return self._notification("notebookDocument/didClose", book)
        return self._notification(
            "notebookDocument/didChange",
            {"notebookDocument": {"uri": self._notebook, "version": 2}, "change": {"cells": cells}},
        )

    def _other(self) -> Sent:
        settings: Json = self._chance.choice(({}, None, {"lintpickle": {"select": ["LP1"]}}, {"lintpickle": _PROLOGUE}))
        uri = self._uri()
        return self._notification(
            *self._chance.choice(
                (
                    ("workspace/didChangeConfiguration", {"settings": settings}),
                    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]}),
                    ("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}}),
                    ("textDocument/didSave", {"textDocument": {"uri": uri}}),
                    ("window/workDoneProgress/cancel", {"token": "lintpickle-index-1"}),
                    ("$/setTrace", {"value": "verbose"}),
                    (_PROLOGUE, {"x": 1}),
                    ("$/what", None),
                )
            )
        )

    def _question(self) -> Sent:
        return self._request(*self._asked())

    def _asked(self) -> tuple[str, Json]:
        chance = self._chance
        document = {"uri": self._uri()}
        only: Json = chance.sample(_KINDS, 2) if chance.random() < 0.5 else None
        context: Json = {"diagnostics": [], "only": only}
        kind, uri = chance.choice(_KINDS), self._uri()
        arguments: Json = chance.choice(([self._uri()], [self._uri()], [], None, [None], [3], [{}], [self._uri(), 1]))
        asked: tuple[tuple[str, Json], ...] = (
            ("textDocument/hover", self._at()),
            ("textDocument/diagnostic", {"textDocument": document, "previousResultId": "x"}),
            ("textDocument/codeAction", {"textDocument": document, "range": self._range(), "context": context}),
            ("codeAction/resolve", {"title": "x", "kind": kind, "data": chance.choice((uri, uri, *_ODD))}),
            ("workspace/executeCommand", {"command": chance.choice(_COMMANDS), "arguments": arguments}),
            (chance.choice((_PROLOGUE, "textDocument/completion", "initialize", "")), {}),
        )
        return chance.choice(asked)

    def _at(self) -> Json:
        return {"textDocument": {"uri": self._uri()}, "position": self._position()}

    def _position(self) -> Json:
        numbers = (0, 0, 1, 2, 5, 9, 20, 80, 2**31 - 1)
        return {"line": self._chance.choice(numbers), "character": self._chance.choice(numbers)}

    def _range(self) -> Json:
        return {"start": self._position(), "end": self._position()}

    def _broken(self) -> Sent:
        """A message of which one or two things are wrong."""
        good = self._chance.choice((self._open, self._change, self._change_notebook, self._question, self._question))()
        message = _read(good.body)
        if message is None:
            return good
        place = self._chance.choice(("params", "params", "params", "message"))
        for _ in range(self._chance.randint(1, 2)):
            if place == "params":
                message["params"] = self._spoiled(message.get("params"))
            else:
                key = self._chance.choice(("jsonrpc", "method", "params"))
                message[key] = self._chance.choice(_ODD)
        return _sent(message, good.request)

    def _spoiled(self, value: Json) -> Json:
        chance = self._chance
        value = copy.copy(value)
        if isinstance(value, dict) and value and chance.random() < 0.85:
            key = chance.choice(list(value))
            if chance.random() < 0.15:
                del value[key]
            else:
                value[key] = self._spoiled(value[key])
            return value
        if isinstance(value, list) and value and chance.random() < 0.7:
            at = chance.randrange(len(value))
            value[at] = self._spoiled(value[at])
            return value
        return chance.choice(_ODD)

    def _cancel(self) -> Sent:
        number: Json = self._chance.choice((self._requests, self._requests, self._requests - 1, 10**6, "x", None, []))
        return self._notification("$/cancelRequest", {"id": number})

    def _answer(self) -> Sent:
        """An answer that nobody waits for, or one to a request of its own."""
        number: Json = self._chance.choice((self._requests, 10**6, "x", None, [], {}, 1.5))
        told: Json = self._chance.choice(({"result": 1}, {"error": {"code": 1, "message": "no"}}, {"error": 3}, {}))
        assert isinstance(told, dict)
        return Sent(_written({"jsonrpc": "2.0", "id": number, **told}))

    def _body(self) -> Sent:
        return Sent(self._chance.choice((*_BODIES, DEEP.encode(), _LONG_NUMBER)))

    def _request(self, method: str, params: Json) -> Sent:
        self._requests += 1
        message = {"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params}
        return _sent(message, self._requests)

    def _notification(self, method: str, params: Json) -> Sent:
        return Sent(_written({"jsonrpc": "2.0", "method": method, "params": params}))


def _sent(message: Json, request: int | None) -> Sent:
    """A message; not as a request if Python cannot read it: nobody can know its number then."""
    body = _written(message)
    return Sent(body, request if _read(body) is not None else None)


def _read(body: bytes) -> Any:
    """The JSON of a body; None if Python cannot read it."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _written(message: Json) -> bytes:
    text = json.dumps(message)
    for placeholder, raw in _RAW.items():
        text = text.replace(placeholder, raw)
    return text.encode("ascii")


def text(seed: int) -> str:
    """The messages of a session, one in a line, to look at."""
    sent = Session(seed, "file:///project").messages()
    return "\n".join(each.body.decode("ascii", "backslashreplace") for each in sent)
