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


@pytest.mark.parametrize(("system", "found"), [("== 'darwin'", ["LP202"]), ("!= 'win32'", [])])
def test_a_context_that_forks_on_one_platform(system: str, found: list[str]) -> None:
    code = (
        f"import multiprocessing\nimport sys\n\nif sys.platform {system}:\n"
        "    context = multiprocessing.get_context('fork')\nelse:\n    context = multiprocessing.get_context()\n\n\n"
        "def run_all():\n    def run():\n        print('run')\n\n    context.Process(target=run).start()\n"
    )
    assert [each for _, each in marks(code)] == found
