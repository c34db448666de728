"""Boundaries in a function that is defined in another one, and that no call of that gives out."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

APART = """\
from multiprocessing import Process, Queue


def apart(function, {option}):
    def run(*args):
        def work(queue, *args):
            queue.put(function(*args))

        queue = Queue()
        process = Process(target=work, args=[queue, *args])
        process.start()
        return queue.get()

    {giving}


class Benchmark:
    def speed(self, *args):
        return apart(self._speed{first})(*args)

    def memory(self, *args):
        return apart(self._speed{second})(*args)

    def _speed(self, size):
        return size
{more}

if __name__ == "__main__":
    print(Benchmark().speed(2))
"""
GIVING = "if is_apart:\n        return run\n    return function"


def _codes(folder: Path, name: str = "bench.py", **parts: str) -> list[str]:
    whole = {"option": "is_apart", "giving": GIVING, "first": ", False", "second": ", False", "more": "", **parts}
    (folder / name).write_text(APART.format(**whole))
    resolver = SettingsResolver(isolated=True, cwd=folder)
    return [each.code for each in lint_paths([str(folder)], resolver=resolver).diagnostics]


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"giving": "return run if is_apart else function"},
        {"giving": "if not is_apart:\n        return function\n    return run"},
        {"option": "is_apart=False", "first": "", "second": ""},
        {"giving": "if is_apart:\n        function = run\n    return function"},
    ],
)
def test_no_call_gives_the_inner_function_out(tmp_path: Path, parts: dict[str, str]) -> None:
    assert not _codes(tmp_path, **parts)


@pytest.mark.parametrize(
    "parts",
    [
        {"second": ", True"},
        {"option": "is_apart=True", "first": "", "second": ""},
        {"first": ", bool(args)"},
        {"giving": "print(is_apart)\n    return run"},
        {"giving": "if is_apart:\n        print(function)\n    return run"},
        {"giving": "if is_apart:\n        return run\n    return run() and function"},
        {"more": "\n\ndef run_all(tasks, is_apart):\n    return [apart(each, is_apart)(1) for each in tasks]\n"},
    ],
)
def test_some_call_gives_it_out(tmp_path: Path, parts: dict[str, str]) -> None:
    assert _codes(tmp_path, **parts) == ["LP202"]


def test_what_a_library_offers_may_be_called_otherwise(tmp_path: Path) -> None:
    package = tmp_path / "bench"
    package.mkdir()
    (package / "__init__.py").write_text("")
    assert _codes(tmp_path, "bench/speed.py") == ["LP202"]
