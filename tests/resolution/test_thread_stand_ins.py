"""Threads that stand in for processes under some condition, by the same names."""

from __future__ import annotations

import pytest

from tests.support import marks

_WORKER = """\
import os
import sys

{imports}


class Worker(Process):
    def __init__(self):
        super().__init__()
        self.done = Event()

    def run(self):
        self.done.set()


if __name__ == "__main__":
    worker = Worker()
    worker.start()
"""
_PROCESSES = "from multiprocessing import Event, Process"
_CHOSEN = """\
if {condition}:
    from threading import Event, Thread as Process
else:
    from multiprocessing import Event, Process
"""


def _found(imports: str) -> list[str]:
    return [code for _, code in marks(_WORKER.format(imports=imports)) if code == "LP111"]


@pytest.mark.parametrize("condition", ["sys.platform == 'win32' or 'NOFORKING' in os.environ", "input()"])
def test_where_threads_are_taken_nothing_crosses(condition: str) -> None:
    assert not _found(_CHOSEN.format(condition=condition))


def test_a_fallback_to_threads() -> None:
    tried = f"try:\n    {_PROCESSES}\nexcept ImportError:\n    from threading import Event, Thread as Process"
    assert not _found(tried)


@pytest.mark.parametrize(
    "imports",
    [
        f"{_PROCESSES}\nfrom threading import Event",
        "from multiprocessing import Process\nfrom threading import Event",
        "from multiprocessing import Process\nif input():\n    from threading import Event\nelse:\n    Event = object",
    ],
)
def test_an_event_of_threads_in_a_process(imports: str) -> None:
    assert _found(imports)
