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


def _found(waits: str, works: str = "print(name)", imports: str = "") -> list[tuple[str, ...]]:
    text = imports + _PROGRAM.format(waits=waits, works=works)
    found = [each for each in lint(text).diagnostics if each.code == "LP226"]
    return [tuple(method.value for method in each.start_methods) for each in found]


@pytest.mark.parametrize(
    "waits",
    [
        "os.waitpid(-1, 0)",
        "os.wait()",
        "pid, status = os.waitpid(-1, 0)",
        "os.waitpid(process.pid, 0)",
        "os.wait4(process.pid, 0)",
        "os.wait3(0)",
        "os.waitid(os.P_PID, process.pid, os.WEXITED)",
        "os.waitid(os.P_ALL, 0, os.WEXITED)",
    ],
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
        pytest.param("os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG)", "print(name)", id="nor this"),
        pytest.param("os.waitid(os.P_PGID, process.pid, os.WEXITED)", "print(name)", id="a group"),
        pytest.param("self.wait()", "print(name)", id="another wait"),
    ],
)
def test_what_the_system_does_not_wait_for(waits: str, works: str) -> None:
    assert _found(waits, works) == []


_HELPERS = """\
import multiprocessing
import os


def work(name):
    print(name)


def reap(pid):
    return {waits}


class Accounting:
    def add(self, name, pid):
        print(name, reap(pid))


def main():
    process = multiprocessing.Process(target=work, args=("web",))
    process.start()
    {main}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("waits", "main", "count"),
    [
        ("os.wait4(pid, 0)", 'Accounting().add("web", process.pid)', 1),
        ("os.waitpid(pid, 0)", 'accounting = Accounting()\n    accounting.add(pid=process.pid, name="web")', 1),
        ("os.waitid(os.P_PID, pid, os.WEXITED)", "number = process.pid\n    reap(number)", 1),
        ("os.waitpid(pid, os.WNOHANG)", "reap(process.pid)", 0),
        ("os.kill(pid, 0)", "reap(process.pid)", 0),
        ("os.waitpid(pid, 0)", "reap(int(input()))", 0),
        ("os.waitpid(pid, 0)", "process.join()", 0),
    ],
)
def test_numbers_that_helpers_are_given(waits: str, main: str, count: int) -> None:
    found = [each.code for each in lint(_HELPERS.format(waits=waits, main=main)).diagnostics]
    assert found.count("LP226") == count


@pytest.mark.parametrize(
    "asks",
    [
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)",
        "print(getrusage(RUSAGE_CHILDREN))",
        "print(os.times().children_user)",
        "print(os.times()[2])",
        "spent = os.times()\n        print(spent.children_system)",
        "me = psutil.Process(os.getpid())\n        print(me.children())",
        "print(len(psutil.Process().children()))",
    ],
)
def test_the_system_is_asked_for_children(asks: str) -> None:
    assert _found(f"process.join()\n        {asks}", imports=_ASKING) == [("forkserver",)]


_ASKING = "import psutil\nimport resource\nfrom resource import RUSAGE_CHILDREN, getrusage\n"


@pytest.mark.parametrize(
    ("asks", "works"),
    [
        pytest.param("print(resource.getrusage(resource.RUSAGE_SELF))", "print(name)", id="itself"),
        pytest.param("print(os.times().user, os.times()[4])", "print(name)", id="its own times"),
        pytest.param("print(self.running.children_user)", "print(name)", id="times of something else"),
        pytest.param(
            "print(psutil.Process().children(recursive=True))", "print(name)", id="children of the server too"
        ),
        pytest.param("print(psutil.Process(process.pid).children())", "print(name)", id="children of another process"),
        pytest.param("process.join()", "print(resource.getrusage(resource.RUSAGE_CHILDREN))", id="in the worker"),
        pytest.param(
            "subprocess.run(['ls'])\n        print(resource.getrusage(resource.RUSAGE_CHILDREN))",
            "print(name)",
            id="a program",
        ),
    ],
)
def test_what_the_system_is_not_asked_for(asks: str, works: str) -> None:
    assert _found(f"process.join()\n        {asks}", works, imports=_ASKING) == []


def test_workers_that_never_need_the_server() -> None:
    code = (
        "import resource\n{imports}\ndef work(number):\n    print(number)\n\n"
        "def main():\n    {starts}\n    print(resource.getrusage(resource.RUSAGE_CHILDREN))\n\n"
        'if __name__ == "__main__":\n    main()\n'
    )
    ways = [
        ("import torch.multiprocessing as mp", "mp.spawn(work, nprocs=2)", 0),
        ("import torch.multiprocessing as mp", "mp.start_processes(work, nprocs=2, start_method='forkserver')", 1),
        ("import multiprocessing as mp", "mp.get_context('spawn').Process(target=work, args=(1,)).start()", 0),
        ("import multiprocessing as mp", "mp.Process(target=work, args=(1,)).start()", 1),
    ]
    for imports, starts, count in ways:
        found = [each.code for each in lint(code.format(imports=imports, starts=starts)).diagnostics]
        assert found.count("LP226") == count, starts


_COMMANDS = """\
import argparse
import multiprocessing
import resource


def convert(number):
    return number * 2


def convert_all(numbers):
    with multiprocessing.Pool(2) as pool:
        return pool.map(convert, numbers)


def timed(function):
    return function


@timed
def run():
    {run}
    print(used())


def used():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


class Report:
    def write(self):
        print(used())


def main():
    {main}


if __name__ == "__main__":
    main()
"""
_TABLE = 'commands = {"convert": convert_all, "run": run}\n    commands[input()]()'


@pytest.mark.parametrize(
    ("run", "main", "expected"),
    [
        ("pass", _TABLE, ["possible"]),
        (
            "pass",
            "parser = argparse.ArgumentParser()\n    parser.set_defaults(func=convert_all)\n    run()",
            ["possible"],
        ),
        ("convert_all([1])", _TABLE, ["likely"]),
        ("pass", "convert_all([1])\n    run()", ["likely"]),
        ("pass", "apply(convert_all, [1])\n    run()", ["likely"]),
        ("pass", "convert_all([1])\n    Report().write()", ["likely"]),
    ],
)
def test_children_of_another_command(run: str, main: str, expected: list[str]) -> None:
    found = lint(_COMMANDS.format(run=run, main=main), pedantic=True).diagnostics
    assert [each.confidence.value for each in found if each.code == "LP226"] == expected


_READY = """\
try:
            {waits}
        except {error}:
            {then}"""


@pytest.mark.parametrize(
    ("waits", "error", "then", "expected"),
    [
        ("os.waitpid(process.pid, 0)", "ChildProcessError", "pass", ["possible"]),
        ("os.waitpid(process.pid, 0)", "(ChildProcessError, PermissionError)", "print(process)", ["possible"]),
        ("os.waitpid(process.pid, 0)", "ChildProcessError", "raise", ["likely"]),
        ("os.waitpid(process.pid, 0)", "PermissionError", "pass", ["likely"]),
        ("os.waitpid(-1, 0)", "ChildProcessError", "pass", ["likely"]),
    ],
)
def test_who_is_ready_for_no_child(waits: str, error: str, then: str, expected: list[str]) -> None:
    text = _PROGRAM.format(waits=_READY.format(waits=waits, error=error, then=then), works="print(name)")
    found = lint(text, pedantic=True).diagnostics
    assert [each.confidence.value for each in found if each.code == "LP226"] == expected
