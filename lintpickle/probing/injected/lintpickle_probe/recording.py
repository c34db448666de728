"""Writing down what was seen, while the program runs: a file for each event, and a line on standard error."""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, Callable, NamedTuple

VARIABLE = "LINTPICKLE_PROBE"
"""The environment variable by which a program, and what it starts, learns that it is probed."""
FORMAT = 1
MOST_EVENTS = 200
MOST_LINES = 12


class Asked(NamedTuple):
    """What is wanted: `folder` is where events are written (None: they are only handed to `listener`), `start_method`
    the one under which process starts by fork are asked too, `tell` whether to say on standard error what was found."""

    folder: str | None = None
    start_method: str | None = None
    tell: bool = True

    def as_variable(self) -> str:
        """The value of the environment variable."""
        return json.dumps(self._asdict())


def from_variable(text: str) -> Asked | None:
    """What the environment variable asks for; None if it does not ask for anything that is understood."""
    try:
        return Asked(**json.loads(text))
    except (TypeError, ValueError):
        return None


class Recorder:
    """Keeps events of this process."""

    def __init__(self, asked: Asked, listener: Callable[[dict[str, Any]], None] | None = None) -> None:
        self.asked = asked
        self._listener = listener
        self._counts: dict[str, int] = {}
        self._events = 0
        self._lock = threading.Lock()

    def event(self, event: dict[str, Any]) -> None:
        """Something did not cross, or could not be looked at to the end."""
        with self._lock:
            self._events += 1
            number = self._events
        if number > MOST_EVENTS:
            return
        event = {"format": FORMAT, "pid": os.getpid(), "python": list(sys.version_info[:3]), **event}
        if self.asked.tell:
            _tell(_lines(event))
        if self._listener is not None:
            self._listener(event)
        self._write(f"event-{os.getpid()}-{number}.json", event)

    def count(self, what: str) -> None:
        """Something was asked, or was not: how often, for the summary."""
        with self._lock:
            self._counts[what] = self._counts.get(what, 0) + 1
            counts = dict(self._counts)
        if self._listener is not None:
            self._listener({"counted": what})
        if counts[what] <= 3 or counts[what] % 50 == 0:
            self._write(f"counts-{os.getpid()}.json", counts)

    def forked(self) -> None:
        """A child begins its own counting."""
        self._lock = threading.Lock()
        self._counts, self._events = {}, 0

    def _write(self, name: str, value: Any) -> None:
        if self.asked.folder is None:
            return
        path = os.path.join(self.asked.folder, name)
        try:
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(value, file)
            os.replace(path + ".new", path)
        except OSError:
            pass  # the folder is gone when the one who asked is


def _lines(event: dict[str, Any]) -> list[str]:
    what = event["boundary"]
    if event["culprits"]:
        many = len(event["culprits"]) + event["more"]
        lines = ["{}: {} not cross".format(what, "1 object does" if many == 1 else f"{many} objects do")]
    elif event["error"] is None:
        return ["{}: not looked at to the end (stopped after {})".format(what, event["stopped"])]
    else:
        lines = ["{}: {}".format(what, event["error"])]
    for culprit in event["culprits"][:MOST_LINES]:
        count = " ({} of them)".format(culprit["count"]) if culprit["count"] > len(culprit["places"]) else ""
        lines.append("  {}: {}{}  {}".format(culprit["path"], culprit["type"], count, culprit["error"]))
    if len(event["culprits"]) > MOST_LINES:
        lines.append("  and {} more".format(len(event["culprits"]) - MOST_LINES))
    return lines


def _tell(lines: list[str]) -> None:
    try:
        sys.stderr.write("".join(f"lintpickle probe: {harmless(line)}\n" for line in lines))
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        pass  # the program has closed it


def harmless(text: str) -> str:
    """A line that steers neither a terminal nor a CI system."""
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    return shown.replace("##", "#\\x23").encode("ascii", "backslashreplace").decode("ascii")
