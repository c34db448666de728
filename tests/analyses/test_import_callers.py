"""LP208 and LP210: what a script calls outside of its main guard, its workers call again as they import it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

SETTINGS = """\
STEP = 4


def configure(step):
    global STEP
    STEP = step
"""
CLIENT = """\
def fetch(name):
    return open(name).read()
"""
RECORDED = """\
from grid import client


def replay(name):
    return name.upper()


def enable():
    client.fetch = replay
"""
PIPELINE = """\
from multiprocessing import Pool

from . import client, settings


def task(name):
    return client.fetch(name)[:: settings.STEP]


def run(names):
    with Pool(2) as pool:
        return pool.map(task, names)
"""
MAIN = """\
import os
import sys

from grid import recorded, settings
from grid.pipeline import run

{top}


def main():
    {first}
    print(run(sys.argv[1:]))


if __name__ == "__main__":
    {guarded}
    main()
"""
BOTH = "settings.configure(2)\nrecorded.enable()"


def _found(folder: Path, top: str = "", first: str = "", guarded: str = "", **more: str) -> list[str]:
    main = MAIN.format(top=top, first=first or "pass", guarded=guarded or "pass")
    files = {
        "grid/__init__.py": "",
        "grid/settings.py": SETTINGS,
        "grid/client.py": CLIENT,
        "grid/recorded.py": RECORDED,
        "grid/pipeline.py": PIPELINE,
        more.pop("script", "transform.py"): main,
        **{name.replace("__", "/") + ".py": text for name, text in more.items()},
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    resolver = SettingsResolver(isolated=True, cwd=folder)
    return [each.code for each in lint_paths([str(folder)], resolver=resolver).diagnostics]


@pytest.mark.parametrize(
    "top",
    [
        pytest.param(BOTH, id="at once"),
        pytest.param("if not os.environ.get('LIVE'):\n    recorded.enable()\nsettings.configure(2)", id="under a test"),
        pytest.param(f"def begin():\n    {BOTH.replace(chr(10), chr(10) + '    ')}\n\n\nbegin()", id="in a function"),
        pytest.param(f"try:\n    {BOTH.replace(chr(10), chr(10) + '    ')}\nexcept OSError:\n    pass", id="tried"),
    ],
)
def test_what_the_script_calls_as_it_is_imported_again(tmp_path: Path, top: str) -> None:
    assert _found(tmp_path, top) == []


def test_a_function_of_another_module_that_the_script_calls(tmp_path: Path) -> None:
    begin = "from . import recorded, settings\n\n\ndef begin():\n    settings.configure(2)\n    recorded.enable()\n"
    assert _found(tmp_path, "from grid.begin import begin\n\nbegin()", grid__begin=begin) == []


def test_tests_that_call_it_too_do_not_matter(tmp_path: Path) -> None:
    tests = (
        "from grid import recorded, settings\n\n\ndef test_it():\n    settings.configure(1)\n    recorded.enable()\n"
    )
    assert _found(tmp_path, BOTH, tests__test_grid=tests) == []


def test_what_main_calls_or_the_guard(tmp_path: Path) -> None:
    each = BOTH.replace("\n", "\n    ")
    assert sorted(_found(tmp_path, first=each)) == ["LP208", "LP210"]
    assert sorted(_found(tmp_path, guarded=each)) == ["LP208", "LP210"]


def test_another_script_that_calls_it_in_main(tmp_path: Path) -> None:
    other = MAIN.format(top="", first=BOTH.replace("\n", "\n    "), guarded="pass")
    assert sorted(_found(tmp_path, BOTH, other=other)) == ["LP208", "LP210"]


def test_the_script_of_a_package_is_not_run_again(tmp_path: Path) -> None:
    assert sorted(_found(tmp_path, BOTH, script="grid/__main__.py")) == ["LP208", "LP210"]


STEPS = """\
_LIBRARY = {}


def _create(name, function):
    _LIBRARY[name] = function


def run_named(name, context):
    return _LIBRARY[name](context)


class step:
    def __new__(cls, function=None, *, kind="step"):
        self = super().__new__(cls)
        self.kind = kind
        return self if function is None else self(function)

    def __call__(self, function):
        _create(function.__name__, lambda context: function(context))
        return function


class cached(step):
    def __new__(cls, function=None):
        return super().__new__(cls, function, kind="cached")
"""
STEP_RUNS = """\
from multiprocessing import Process

from .steps import run_named


def run_all(names):
    for name in names:
        process = Process(target=run_named, args=(name, {}))
        process.start()
"""
STEP_MAIN = """\
from grid.runs import run_all
{imported}

if __name__ == "__main__":
    {guarded}
    run_all(["summarize"])
"""


def _of_steps(folder: Path, models: str, imported: str = "import grid.models", guarded: str = "pass") -> list[str]:
    files = {
        "grid/__init__.py": "from .steps import cached, step\n",
        "grid/steps.py": STEPS,
        "grid/runs.py": STEP_RUNS,
        "grid/models.py": models,
        "main.py": STEP_MAIN.format(imported=imported, guarded=guarded),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    resolver = SettingsResolver(isolated=True, cwd=folder)
    return [each.code for each in lint_paths([str(folder)], resolver=resolver).diagnostics]


@pytest.mark.parametrize("decorator", ["step", "cached", "step(kind='table')"])
def test_a_table_that_the_call_of_a_decorating_object_fills(tmp_path: Path, decorator: str) -> None:
    models = f"from grid import cached, step\n\n\n@{decorator}\ndef summarize(state):\n    return 1\n"
    assert _of_steps(tmp_path, models) == []


def test_a_table_that_such_an_object_fills_in_main(tmp_path: Path) -> None:
    models = "from grid import step\n\n\ndef summarize(state):\n    return 1\n\n\ndef declare():\n    step(summarize)\n"
    assert _of_steps(tmp_path, models, guarded="grid.models.declare()") == ["LP208"]
