"""LP203: decorators that call at once what they decorate, and so start workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.unguarded_starts import row_of, rows_of_starts
from tests.support import lint_files
from tests.trees import virtual_environment, write

DECORATED = """
import multiprocessing as mp

{decorator}


def work(row):
    return row


@run
def main():
    with mp.Pool(2) as pool:
        print(pool.map(work, range(3)))
"""
_JOBS = """
class Jobs:
    def __init__(self):
        self.known = []

    def at_once(self, job):
        self.known.append(job)
        self.finish()
        return job

    def later(self, job):
        self.known.append(job)
        return job

    def finish(self):
        for job in self.known:
            job()
"""


@pytest.mark.parametrize(
    "decorator",
    [
        "def run(function):\n    function()\n    return function",
        "def run(function):\n    return function()",
        "class run:\n    def __init__(self, function):\n        self.result = function()",
    ],
)
def test_a_decorator_that_calls_the_function_at_once(decorator: str) -> None:
    text = DECORATED.format(decorator=decorator)
    assert rows_of_starts(text) == [row_of("@run", text)]


@pytest.mark.parametrize(("method", "fires"), [("at_once", True), ("later", False)])
def test_a_decorator_that_keeps_the_function_for_another_method(method: str, fires: bool) -> None:
    text = DECORATED.format(decorator=f"{_JOBS}\n\njobs = Jobs()").replace("@run", f"@jobs.{method}")
    assert rows_of_starts(text) == ([row_of(f"@jobs.{method}", text)] if fires else [])


@pytest.mark.parametrize(
    "decorator",
    [
        "def run(function):\n    return function",
        "def run(function):\n    def called():\n        return function()\n    return called",
        "def run(function):\n    if function.__module__ == '__main__':\n        function()\n    return function",
    ],
)
def test_a_decorator_that_does_not_call_the_function_where_workers_import_it(decorator: str) -> None:
    assert rows_of_starts(DECORATED.format(decorator=decorator)) == []


@pytest.mark.parametrize(
    ("head", "fires"), [("", True), ("from decorator import decorator\n\n@decorator\n", False)], ids=["plain", "made"]
)
def test_what_a_package_makes_a_decorator_does_not_run_as_it_decorates(head: str, fires: bool) -> None:
    text = DECORATED.format(
        decorator=f"{head}def run(function, *args, **kwargs):\n    return function(*args, **kwargs)"
    )
    assert rows_of_starts(text) == ([row_of("@run", text)] if fires else [])


KEEPS_NAME = """
class Runtime:
    def __init__(self, name):
        self.active = {test}

    def on_start(self, function):
        if self.active:
            function()
        return function


runtime = Runtime(__name__)
"""


@pytest.mark.parametrize(
    ("test", "fires"), [('name == "__main__"', False), ("name != 'tests'", True), ("bool(name)", True)]
)
def test_a_decorator_of_an_object_that_keeps_whether_it_is_the_script(test: str, fires: bool) -> None:
    text = DECORATED.format(decorator=KEEPS_NAME.format(test=test)).replace("@run", "@runtime.on_start")
    assert bool(rows_of_starts(text)) is fires


def test_a_guarded_function_with_a_decorator_that_calls_it() -> None:
    decorator = "def run(function):\n    return function()"
    head, _, tail = DECORATED.format(decorator=decorator).partition("@run")
    guarded = "\n".join(f"    {row}" for row in f"@run{tail}".splitlines())
    assert rows_of_starts(f"{head}if __name__ == '__main__':\n{guarded}\n") == []


OF_PACKAGE = """\
def noted(caller):
    return caller


def decorate(function, caller):
    return lambda *args: caller(function, *args)


def decorator(caller):
    def dec(function):
        return decorate(function, caller)

    dec.__name__ = caller.__name__
    return dec
"""


@pytest.mark.parametrize(("maker", "fires"), [("decorator", False), ("noted", True)])
def test_what_an_installed_package_makes_a_decorator(maker: str, fires: bool, tmp_path: Path) -> None:
    head = f"from decorator import {maker}\n\n@{maker}\n"
    text = DECORATED.format(
        decorator=f"{head}def run(function, *args, **kwargs):\n    return function(*args, **kwargs)"
    )
    write(virtual_environment(tmp_path / ".venv"), {"decorator.py": OF_PACKAGE})
    found = lint_files(tmp_path, {"main.py": text})
    assert [each.code for each in found] == (["LP203"] if fires else [])
