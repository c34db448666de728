"""Objects of modules that the program loads from a path. Measured with CPython 3.11: a class of such a module is found
by forked workers if the module is in `sys.modules`, by no others, and nowhere if it is not; data goes as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst
from tests.support import lint

CODE = """\
import importlib.util
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

TEXT = '''
{text}
'''
{own}

def load(path):
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("own", path)
    module = importlib.util.module_from_spec(spec)
    {register}
    spec.loader.exec_module(module)
    return module


def run(recipe, start=10.0):
    {work}


def main(path):
    module = load(path)
    with ProcessPoolExecutor(2) as executor:
        print({start})


if __name__ == "__main__":
    main(sys.argv[1])
"""
CLASS = "class Recipe:\n    steps = 4\n\n    def step(self, weight):\n        return weight"
REGISTER = 'sys.modules["own"] = module'
MAP = "list(executor.map(run, module.RECIPES))"
WORK = "return [recipe.step(start) for _ in range(recipe.steps)]"


def code(start: str = MAP, work: str = WORK, text: str = CLASS, own: str = "", register: str = REGISTER) -> str:
    return CODE.format(start=start, work=work, text=text, own=own, register=register)


@pytest.mark.parametrize(
    "start",
    [
        MAP,
        "list(executor.map(run, sorted(module.RECIPES)))",
        "[executor.submit(run, each).result() for each in module.RECIPES]",
        "executor.submit(run, module.RECIPES['first']).result()",
        "executor.submit(run, module.recipe()).result()",
        "executor.submit(run, getattr(module, 'RECIPE')).result()",
    ],
)
def test_workers_cannot_have_the_class(start: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, code(start))) is Verdict.BREAKS


@pytest.mark.parametrize(
    "start",
    [
        "executor.submit(print, module.Recipe(0.1)).result()",
        "list(executor.map(print, [module.Recipe(0.1), module.Recipe(0.2)]))",
        "list(executor.map(print, [module.Recipe(each) for each in (1, 2)]))",
    ],
)
def test_what_the_class_makes(start: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, code(start, work="pass", text="X = 1"))) is Verdict.BREAKS


def test_the_error_without_an_entry_in_sys_modules() -> None:
    found = [each for each in lint(code(register="pass")).diagnostics if each.code == "LP129"]
    assert [each.error for each in found] == [
        "_pickle.PicklingError: Can't pickle <class '…'>: import of module '…' failed"
    ]


@pytest.mark.parametrize(
    ("start", "work"),
    [
        (MAP, "return recipe + start"),
        (MAP, "return recipe['steps'], recipe.get('step')"),  # A dict has that.
        ("list(executor.map(run, [path]))", WORK),
        ("list(executor.map(run, [len(module.RECIPES)]))", "return recipe"),
    ],
)
def test_data_goes_as_it_is(start: str, work: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, code(start, work))) is Verdict.READY


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("from base import Recipe\nRECIPES = [Recipe()]", CLASS),  # It may be an object of this one.
        ("RECIPES = make()", ""),
    ],
)
def test_where_the_class_may_be_another_one_it_is_not_known(text: str, own: str, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, code(text=text, own=f"\n\n{own}\n"))) is Verdict.CANNOT_TELL


def test_workers_that_may_find_the_module(tmp_path: Path) -> None:
    found = code(register=f"{REGISTER}\n    sys.path.insert(0, str(path.parent))")
    assert worst(migrated(tmp_path, found)) is Verdict.READY
