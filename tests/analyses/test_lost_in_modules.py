"""LP207: what workers put into containers of other modules, and only the main process reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import StartMethod
from lintpickle.settings import SettingsResolver

_MAIN = """\
import multiprocessing

from joblib import Parallel, delayed

import tables


def work(number):
    {change}
    return number


def show(numbers):
    print(numbers, tables.names)


def run(numbers):
    {start}
    {read}


{elsewhere}


if __name__ == "__main__":
    run([1, 2])
"""
_POOL = "with multiprocessing.Pool(2) as pool:\n        pool.map(work, numbers)"


def _found(
    folder: Path,
    bound: str = "names = {}",
    change: str = "tables.names[number] = 'kept'",
    start: str = _POOL,
    read: str = "print(tables.names)",
    elsewhere: str = "",
) -> list[tuple[StartMethod, ...]]:
    (folder / "tables.py").write_text(f"{bound}\n")
    text = _MAIN.format(change=change, start=start, read=read, elsewhere=elsewhere)
    (folder / "main.py").write_text(text)
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [each.start_methods for each in found if each.code == "LP207"]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"read": "show(numbers)"},
        {"read": "for name in tables.names.values():\n        print(name)"},
        {"read": "if 1 in tables.names:\n        print(1)"},
        {"bound": "names = []", "change": "tables.names[number:] = [number]"},
        {"change": "tables.names[number] += 1"},
        {"bound": "names = 0", "change": "tables.names += number"},
        {"bound": "names = None", "change": "tables.names = number"},
        {"start": "multiprocessing.Process(target=work, args=(1,)).start()"},
        {
            "start": "from concurrent.futures import ProcessPoolExecutor\n"
            "    with ProcessPoolExecutor() as pool:\n        list(pool.map(work, numbers))"
        },
    ],
)
def test_what_only_workers_fill(changed: dict[str, str], tmp_path: Path) -> None:
    assert _found(tmp_path, **changed) == [tuple(StartMethod)]


@pytest.mark.parametrize(
    "changed",
    [
        {"read": "pass"},
        {"read": "tables.names[0] = 'own'"},
        {"read": "print(tables)"},
        {"change": "if number not in tables.names:\n        tables.names[number] = 1"},  # its own cache
        {"change": "print(tables.names.get(number))"},
        {"bound": "import multiprocessing\n\nnames = multiprocessing.Manager().dict()"},
        {"bound": "names = 0", "change": "tables.names = number\n    print(tables.names)"},  # for the worker itself
        {"bound": "names = 0", "change": "tables.names += number", "elsewhere": "tables.names += 1"},
        {"bound": "names = print", "change": "tables.names += number"},
        {"bound": "names = 0", "change": "print(tables.names)\n    tables.names += number"},
        {"bound": "names = {1: 'one'}"},  # gap: a container that is not empty
        {"bound": "names = {}\n\n\ndef fill(number):\n    names[number] = 'own'"},
        {"elsewhere": "def fill(number):\n    tables.names[number] = 'own'"},
        {"elsewhere": "def alone():\n    work(3)"},
        {"start": "for number in numbers:\n        work(number)"},
        {
            "start": "from concurrent.futures import ThreadPoolExecutor\n"
            "    with ThreadPoolExecutor() as pool:\n        list(pool.map(work, numbers))"
        },
        {"start": "Parallel(1)(delayed(work)(number) for number in numbers)"},
        {"start": "Parallel(4, prefer='threads')(delayed(work)(number) for number in numbers)"},
    ],
)
def test_what_main_does_not_miss(changed: dict[str, str], tmp_path: Path) -> None:
    assert _found(tmp_path, **changed) == []


def test_tasks_that_processes_of_a_backend_run(tmp_path: Path) -> None:
    start = "Parallel(4, backend='multiprocessing')(delayed(work)(number) for number in numbers)"
    assert _found(tmp_path, start=start) == [tuple(StartMethod)]
