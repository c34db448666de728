"""What a process of the program's own class holds when its `start` pickles it."""

from __future__ import annotations

import pytest

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
