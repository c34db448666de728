"""A client that says to a real server what it is given, and sees whether everything is answered and nothing is printed
that it should not."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.fuzz.messages import Sent, Session

SECONDS = 30
"""So long may the server take for the rest of its answers once all is said, on a machine that is busy."""
ROOT = Path(__file__).parents[2]
_PROGRAM = "import pickle\nfrom b import make\n\npickle.dumps(make())\n"
_OTHER = "def make():\n    return lambda: 0\n"
_LINE = re.compile(r"(DEBUG|INFO|WARNING|ERROR|CRITICAL) [\w.]+: [^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*")
_HEADER = re.compile(rb"Content-Length: (\d+)\r\n(?:Content-Type: [^\r\n]*\r\n)?\r\n")


class Server:
    """A server in a process of its own, which works in a folder. What it says is read while it is spoken to. Its own
    requests are answered by chance: rightly, wrongly, or never; without `chance` never."""

    def __init__(self, root: Path, chance: random.Random | None = None) -> None:
        environ = {**os.environ, "PYTHONPATH": str(ROOT), "LINTPICKLE_NO_CACHE": "1", "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-m", "lintpickle", "server"]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by finish
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=root, env=environ, stdin=pipe, stdout=pipe, stderr=self._errors)
        self.answers: dict[object, list[dict[str, Any]]] = {}
        """By the number of the request."""
        self.wrong: list[str] = []
        self._chance = chance
        self._writing = threading.Lock()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def say(self, body: bytes) -> None:
        """Send the body of a message."""
        assert self.process.stdin is not None
        with self._writing, suppress(BrokenPipeError):  # How it ended is seen by its exit code.
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self.process.stdin.flush()

    def wait_for(self, numbers: Collection[object]) -> None:
        """Wait until requests are answered, or nothing can be expected any more."""
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends and self.process.poll() is None:
            if all(number in self.answers for number in numbers):
                return
            time.sleep(0.02)

    def finish(self) -> list[str]:
        """Wait until it has ended. Gives what went wrong."""
        try:
            code = self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
            self.wrong.append("it does not end")
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()
        self._errors.seek(0)
        printed = self._errors.read().decode("utf-8", "backslashreplace")
        self._errors.close()
        self.wrong += [f"printed: {line[:200]!r}" for line in printed.split("\n") if line and not _LINE.fullmatch(line)]
        if code != 0:
            self.wrong.append(f"it ended with {code}: {printed[-300:]!r}")
        return self.wrong

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            header = b""
            while not header.endswith(b"\r\n\r\n"):
                line = stream.readline()
                if not line:
                    if header:
                        self.wrong.append(f"half a message: {header!r}")
                    return
                header += line
            found = _HEADER.fullmatch(header)
            if found is None:
                self.wrong.append(f"no message: {header[:200]!r}")
                return
            self._take(json.loads(stream.read(int(found[1]))))

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self.answers.setdefault(message.get("id"), []).append(message)
            if "id" not in message or ("result" in message) == ("error" in message):
                self.wrong.append(f"no answer: {message}")
        elif "id" in message:
            kind = self._chance.random() if self._chance is not None else 0
            told: dict[str, object] = {"result": None}
            if self._chance is None or kind < 0.2:
                return
            if kind < 0.5:
                wrong: list[dict[str, object]] = [
                    {"result": 3},
                    {"error": {"code": -1, "message": "no"}},
                    {"error": []},
                ]
                told = self._chance.choice(wrong)
            self.say(json.dumps({"jsonrpc": "2.0", "id": message["id"], **told}).encode())


def converse(seed: int) -> None:
    """Hold one session. Raises AssertionError if a request was not answered once, if something was printed that is no
    line of the log, or if the server did not end when and as it should."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        (root / "a.py").write_text(_PROGRAM, encoding="utf-8")
        (root / "b.py").write_text(_OTHER, encoding="utf-8")
        sent = Session(seed, root.as_uri()).messages()
        server = Server(root, random.Random(seed))
        *talk, end = sent
        for each in talk:
            server.say(each.body)
        wrong = _missing(server, talk)
        server.say(end.body)
        wrong += server.finish()
    assert not wrong, f"{len(wrong)} wrong: " + "; ".join(wrong[:5])


def _missing(server: Server, sent: list[Sent]) -> list[str]:
    """Wait until each request has its answer. Gives those that have none, or several."""
    asked = {each.request: each for each in sent if each.request is not None}
    server.wait_for(asked)
    return [
        f"answered {len(server.answers.get(number, ()))} times: {each.body[:300]!r}"
        for number, each in asked.items()
        if len(server.answers.get(number, ())) != 1
    ]
