"""What a process of the program's own class holds when its `start` pickles it."""

from __future__ import annotations

from typing import Any

import pytest

from lintpickle.payload.put_aside import PutAside

from ..support import marks

JOB = """\
import multiprocessing
import threading


class Job(multiprocessing.Process):
    def __init__(self, quiet):
        super().__init__()
        self.quiet = quiet

    def run(self):
        print(self.quiet)

{methods}


if __name__ == "__main__":
    job = Job(True)
    job.start()
    job.join()
"""


START = "    def start(self):\n"
WATCH = "    def watch(self):\n        self.lock = threading.Lock()\n"


@pytest.mark.parametrize(
    ("methods", "found"),
    [
        (START + "        super().start()\n        self.lock = threading.Lock()\n", False),
        (START + "        super().start()\n        if self.quiet:\n            self.lock = threading.Lock()\n", False),
        (START + "        self.lock = threading.Lock()\n        super().start()\n", True),
        (START + "        if self.quiet:\n            super().start()\n        self.lock = threading.Lock()\n", True),
        (START + "        self.watch()\n        super().start()\n\n" + WATCH, True),
        (START + "        super().start()\n        self.watch()\n\n" + WATCH, False),
    ],
)
def test_what_start_stores(methods: str, found: bool) -> None:
    """Whether it is stored when `super().start()` has pickled the process."""
    assert [code for _, code in marks(JOB.format(methods=methods))] == ["LP111"] * found


LAUNCHED = """\
import multiprocessing
import threading


class Job:
    def __init__(self):
        self.lock = threading.Lock()

    def launch(self):
        multiprocessing.get_context("spawn").Process(target=self.loop).start()

    def loop(self):
        print(self)


if __name__ == "__main__":
    job = Job()
    {before}
    job.launch()
"""


@pytest.mark.parametrize(("before", "found"), [("job.lock = None", False), ("print(job)", True)])
def test_whose_method_is_called_is_asked_where_something_is_put_aside(
    before: str, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To evaluate that may take long, and few programs put anything aside."""
    asked: list[object] = []
    may_be = PutAside._may_be

    def noted(self: PutAside, *about: Any) -> bool:
        asked.append(about)
        return may_be(self, *about)

    monkeypatch.setattr(PutAside, "_may_be", noted)
    assert [code for _, code in marks(LAUNCHED.format(before=before))] == ["LP111"] * found
    assert bool(asked) is not found
