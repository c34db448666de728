"""Where fork is asked for, and where that counts: not elsewhere than on macOS, or without an option."""

from __future__ import annotations

import pytest

from tests.support import marks

SORTING = """\
import argparse
import multiprocessing
import os
import platform
import sys

{above}


def sort(path):
    print(args.folder, path)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--fork", action="store_true")
    parser.add_argument("--no-fork", action="store_true")
    return parser.parse_args()


def is_macos():
    return sys.platform == "darwin"


if __name__ == "__main__":
    args = parse()
    {asked}
    sorting = multiprocessing.Process(target=sort, args=("a",))
    sorting.start()
"""
SET = "multiprocessing.set_start_method('fork')"


@pytest.mark.parametrize(
    "test",
    [
        "args.fork",
        "args.fork is True",
        "args.fork and sys.version_info >= (3, 8)",
        "sys.platform == 'darwin'",
        "sys.platform.startswith('darwin')",
        "platform.system() in ('Darwin',)",
        "is_macos()",
    ],
)
def test_fork_that_is_set_in_some_cases_only(test: str) -> None:
    asked = f"if {test}:\n        {SET}"
    assert [code for _, code in marks(SORTING.format(above="", asked=asked))] == ["LP208"]


@pytest.mark.parametrize(
    "asked",
    [
        SET,
        f"if not args.no_fork:\n        {SET}",
        f"if sys.platform != 'win32':\n        {SET}",
        f"if os.name == 'posix':\n        {SET}",
        f"if sys.platform in ('darwin', 'linux'):\n        {SET}",
        f"if sys.platform != 'darwin':\n        {SET}",
        f"if sys.version_info >= (3, 14):\n        {SET}",
        f"if 'fork' in multiprocessing.get_all_start_methods():\n        {SET}",
        f"if args.fork:\n        print('forking')\n    {SET}",
    ],
)
def test_fork_that_is_set_wherever_there_is_fork(asked: str) -> None:
    assert marks(SORTING.format(above="", asked=asked)) == []


@pytest.mark.parametrize(
    ("context", "found"),
    [
        ("if sys.platform == 'darwin':\n    multiprocessing = multiprocessing.get_context('fork')", ["LP208"]),
        (f"if sys.platform == 'darwin':\n    {SET}", ["LP208"]),
        ("if sys.platform != 'win32':\n    multiprocessing = multiprocessing.get_context('fork')", []),
        (f"if sys.platform == 'win32':\n    print('slow')\nelse:\n    {SET}", []),
        (f"if sys.platform != 'darwin':\n    print('forks')\nelse:\n    {SET}", ["LP208"]),
    ],
)
def test_a_module_that_asks_for_fork_as_it_is_imported(context: str, found: list[str]) -> None:
    assert [code for _, code in marks(SORTING.format(above=context, asked="")) if code != "LP205"] == found


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("sys.platform == 'darwin'", ["LP202"]),
        ("sys.platform != 'win32'", []),
        ("LINUX or MACOS", []),
        ("not IS_WINDOWS", []),
        ("is_unix_system()", []),
        ("MACOS", ["LP202"]),
        ("UNIXES_KNOWN", ["LP202"]),
        ("use_window", ["LP202"]),
    ],
)
def test_a_context_that_forks_on_one_platform(test: str, found: list[str]) -> None:
    code = (
        "import multiprocessing\nimport sys\n\n"
        "from here import IS_WINDOWS, LINUX, MACOS, UNIXES_KNOWN, is_unix_system, use_window\n\n"
        f"if {test}:\n"
        "    context = multiprocessing.get_context('fork')\nelse:\n    context = multiprocessing.get_context()\n\n\n"
        "def run_all():\n    def run():\n        print('run')\n\n    context.Process(target=run).start()\n"
    )
    assert [each for _, each in marks(code)] == found


CONTEXT = """\
import multiprocessing as mp
import os
import sys
from threading import Thread


def has_fork():
    return hasattr(os, "fork")


{context}


class Runner:
    def __init__(self, path):
        self.log = open(path, "a")

    def run(self):
        self.log.write("started")


def main():
    runner = Runner("runner.log")
    {started}.start()


if __name__ == "__main__":
    main()
"""
PROCESS = "CONTEXT.Process(target=runner.run)"
FORKED = {
    "None elsewhere": ("CONTEXT = mp.get_context('fork') if has_fork() else None", PROCESS),
    "None elsewhere, with threads": (
        "CONTEXT = mp.get_context('fork') if has_fork() else None",
        f"({PROCESS} if has_fork() else Thread(target=runner.run))",
    ),
    "None by a statement": ("CONTEXT = None\nif has_fork():\n    CONTEXT = mp.get_context('fork')", PROCESS),
    "by an expression": ("CONTEXT = mp.get_context('fork') if sys.platform != 'win32' else mp", PROCESS),
    "by a turned expression": ("CONTEXT = mp if os.name == 'nt' else mp.get_context('fork')", PROCESS),
    "by a name that is chosen": ("CONTEXT = mp.get_context('fork' if sys.platform != 'win32' else None)", PROCESS),
    "by what is available": (
        "CONTEXT = mp.get_context('fork' if 'fork' in mp.get_all_start_methods() else None)",
        PROCESS,
    ),
    "instead of forkserver": (
        "if mp.get_start_method() == 'forkserver':\n    CONTEXT = mp.get_context('fork')\n"
        "else:\n    CONTEXT = mp.get_context()",
        PROCESS,
    ),
    "instead of forkserver, or of what is not set": (
        "CONTEXT = mp.get_context('fork') if mp.get_start_method(True) in (None, 'forkserver') else mp",
        PROCESS,
    ),
    "unless it is fork": ("CONTEXT = mp.get_context('fork') if mp.get_start_method() != 'fork' else mp", PROCESS),
    "by a name instead of forkserver": (
        "METHOD = mp.get_start_method()\nNAME = 'fork' if METHOD == 'forkserver' else METHOD\n"
        "CONTEXT = mp.get_context(NAME)",
        PROCESS,
    ),
    "by a function": (
        "def context():\n    if mp.get_start_method() == 'forkserver':\n        return mp.get_context('fork')\n"
        "    return mp.get_context()\n\n\nCONTEXT = context()",
        PROCESS,
    ),
    "since 3.14": ("CONTEXT = mp.get_context('fork') if sys.version_info >= (3, 14) else mp", PROCESS),
    "since 3.14, turned": ("CONTEXT = mp.get_context(None if sys.version_info < (3, 14) else 'fork')", PROCESS),
}
NOT_FORKED = {
    "until 3.14": ("CONTEXT = mp.get_context('fork') if sys.version_info < (3, 14) else mp", PROCESS),
    "only where it is fork": ("CONTEXT = mp.get_context('fork') if mp.get_start_method() == 'fork' else mp", PROCESS),
    "unless it is forkserver": (
        "CONTEXT = mp.get_context('fork') if mp.get_start_method() != 'forkserver' else mp",
        PROCESS,
    ),
    "since 3.14 on macOS": (
        "CONTEXT = mp.get_context('fork') if sys.version_info >= (3, 14) and sys.platform == 'darwin' else mp",
        PROCESS,
    ),
    "by a name that an argument chooses": ("CONTEXT = mp.get_context('fork' if len(sys.argv) > 1 else None)", PROCESS),
    "spawn for None": ("CONTEXT = mp.get_context('spawn') if has_fork() else None", PROCESS),
    "only on macOS": ("CONTEXT = mp.get_context('fork') if sys.platform == 'darwin' else mp", PROCESS),
    "by a question that says nothing": ("CONTEXT = mp.get_context('fork') if has_fork() else mp", PROCESS),
    "another call beside it": (
        "CONTEXT = mp.get_context('fork') if has_fork() else None",
        "mp.Process(target=runner.run)",
    ),
}


@pytest.mark.parametrize(("context", "started"), FORKED.values(), ids=FORKED)
def test_contexts_that_fork_where_they_can(context: str, started: str) -> None:
    assert marks(CONTEXT.format(context=context, started=started)) == []


@pytest.mark.parametrize(("context", "started"), NOT_FORKED.values(), ids=NOT_FORKED)
def test_contexts_that_may_do_otherwise(context: str, started: str) -> None:
    assert [code for _, code in marks(CONTEXT.format(context=context, started=started))] == ["LP110"]
