"""LP226: worker-awaited-by-system."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP226"


_PROGRAM = """\
import multiprocessing
import os
import subprocess


def work(name):
    {works}


class Supervisor:
    def __init__(self):
        self.running = {{}}

    def launch(self, name):
        process = multiprocessing.Process(target=work, args=("web",))
        process.start()
        self.running[process.pid] = process

    def reap(self):
        process = next(iter(self.running.values()))
        {waits}
        self.running.clear()


def main():
    supervisor = Supervisor()
    supervisor.launch("web")
    supervisor.reap()


if __name__ == "__main__":
    main()
"""


def _found(waits: str, works: str = "print(name)") -> list[tuple[str, ...]]:
    text = _PROGRAM.format(waits=waits, works=works)
    found = [each for each in lint(text).diagnostics if each.code == "LP226"]
    return [tuple(method.value for method in each.start_methods) for each in found]


@pytest.mark.parametrize(
    "waits", ["os.waitpid(-1, 0)", "os.wait()", "pid, status = os.waitpid(-1, 0)", "os.waitpid(process.pid, 0)"]
)
def test_the_system_waits_for_workers(waits: str) -> None:
    assert _found(waits) == [("forkserver",)]


@pytest.mark.parametrize(
    ("waits", "works"),
    [
        pytest.param("process.join()", "print(name)", id="multiprocessing waits"),
        pytest.param("os.waitpid(-1, os.WNOHANG)", "print(name)", id="it does not wait"),
        pytest.param("os.waitpid(os.fork(), 0)", "print(name)", id="a child of its own"),
        pytest.param("subprocess.Popen(['ls'])\n        os.wait()", "print(name)", id="a program"),
        pytest.param("process.join()", "os.wait()", id="in the worker"),
        pytest.param("self.wait()", "print(name)", id="another wait"),
    ],
)
def test_what_the_system_does_not_wait_for(waits: str, works: str) -> None:
    assert _found(waits, works) == []
