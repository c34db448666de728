"""Boundaries that are one of several things which a function may call: what objects and callers choose counts."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.rules.worker_functions import codes

_TABLE = """
from dataclasses import dataclass

EXECUTORS = {"threads": ThreadPoolExecutor, "processes": ProcessPoolExecutor}
"""
_SETTINGS = """
@dataclass
class Settings:
    kind: str = "threads"
    workers: int = 3
"""
_WRITTEN_OUT = """
class Settings:
    def __init__(self, kind="threads", workers=3):
        self.kind = kind
        self.workers = workers
"""
_RUNNER = """
class Runner:
    def __init__(self, settings):
        self.settings = settings

    def executor(self):
        return EXECUTORS[self.settings.kind](max_workers=self.settings.workers)

    def run(self, numbers):
        def double(number):
            return number * 2

        with self.executor() as pool:
            return list(pool.map(double, numbers))

    def run_all(self):
        with EXECUTORS[self.settings.kind]() as pool:
            return list(pool.map(lambda number: number * 2, [1, 2]))
"""


def _found(settings: str, main: str) -> list[str]:
    script = f"if __name__ == '__main__':\n{indent(main, '    ')}\n"
    return codes(_TABLE + settings + _RUNNER + script)


@pytest.mark.parametrize("settings", [_SETTINGS, _WRITTEN_OUT])
@pytest.mark.parametrize(
    "main",
    [
        "Runner(Settings()).run([1, 2])",
        "Runner(Settings('threads')).run([1, 2])",
        "runner = Runner(Settings(kind='threads', workers=1))\nrunner.run([3])\nrunner.run_all()",
        "settings = Settings()\nrunner = Runner(settings)\nrunner.run_all()",
    ],
)
def test_settings_that_choose_threads(settings: str, main: str) -> None:
    assert _found(settings, main) == []


@pytest.mark.parametrize("settings", [_SETTINGS, _WRITTEN_OUT])
@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ("Runner(Settings('processes')).run([1, 2])", ["LP202"]),
        ("Runner(Settings(kind='processes')).run([1, 2])\nRunner(Settings()).run([3])", ["LP202"]),
        ("Runner(Settings(kind='processes')).run_all()", ["LP201"]),
        ("Runner(Settings(kind=input())).run([1, 2])", ["LP202"]),
    ],
)
def test_settings_that_may_choose_processes(settings: str, main: str, expected: list[str]) -> None:
    assert set(expected) <= set(_found(settings, main))


def test_a_key_that_callers_give() -> None:
    run = """
def run(kind, numbers):
    with EXECUTORS[kind]() as pool:
        return list(pool.map(lambda number: number * 2, numbers))

if __name__ == '__main__':
    run({kind!r}, [1, 2])
"""
    assert codes(_TABLE + run.format(kind="threads")) == []
    assert codes(_TABLE + run.format(kind="processes")) == ["LP201"]
