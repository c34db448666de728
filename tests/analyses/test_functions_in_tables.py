"""LP208 and LP210: a function that sets what workers read, and that a program keeps in a table: to put it there does
not call it; who calls something out of the table may."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

PROGRAM = """\
import argparse
import functools
import threading
from dataclasses import dataclass
from multiprocessing import Pool

SCALE = 1
{above}

def scaled(value):
    return value * SCALE


{decorator}
def rescale(factor=5):
    global SCALE
    SCALE = factor
    return factor


{kept}


def work(value):
    {work}
    return scaled(value)


def main():
    {main}
    with Pool({pool}) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    {guarded}
    main()
"""
BY_DECORATOR = """
STEPS = {}

def step(func):
    STEPS[func.__name__] = func
    return func
"""
BY_NAMED_DECORATOR = """
STEPS = {}

def step(name):
    def put(func):
        STEPS[name] = func
        return func
    return put
"""
LISTED = """
STEPS = []

def step(func):
    STEPS.append(func)
    return func
"""
BY_OBJECT = """
class Steps:
    def __init__(self):
        self._known = {}

    def add(self, func):
        self._known[func.__name__] = func
        return func

    def run(self, name, *args):
        return self._known[name](*args)

STEPS = Steps()
"""
RECORD = """
@dataclass
class Step:
    name: str
    act: object
"""
PARSER = "PARSER = argparse.ArgumentParser()"
CALL = 'STEPS["rescale"](3)'


def _said(folder: Path, **texts: str) -> tuple[bool, Verdict]:
    """Whether `check` finds something, and what `migrate` says."""
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    resolver = SettingsResolver(cwd=folder, isolated=True, overrides={"target-version": "==3.14"})
    found = [
        each.code
        for each in lint_paths([str(folder)], resolver=resolver).diagnostics
        if each.code in ("LP208", "LP210")
    ]
    judged = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.14").boundaries
    return bool(found), min((each.verdict for each in judged), key=list(Verdict).index)


def _is_said(folder: Path, **parts: str) -> bool:
    texts = {"above": "", "decorator": "", "kept": "", "work": "pass", "main": "pass", "pool": "2", "guarded": "pass"}
    found, verdict = _said(folder, steps=PROGRAM.format(**{**texts, **parts}))
    assert verdict is (Verdict.CHANGES if found else Verdict.READY)
    return found


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"kept": 'STEPS = {"rescale": rescale}', "main": CALL}, id="table"),
        pytest.param({"kept": 'STEPS = {"rescale": rescale}', "guarded": CALL}, id="table used under the guard"),
        pytest.param({"kept": "STEPS = [rescale]", "main": "for step in STEPS:\n        step()"}, id="list"),
        pytest.param({"kept": 'STEPS = [("rescale", rescale)]', "main": "dict(STEPS)['rescale']()"}, id="pairs"),
        pytest.param({"kept": "STEP = rescale", "main": "STEP(3)"}, id="another name"),
        pytest.param({"kept": "STEP = functools.partial(rescale)", "main": "STEP(3)"}, id="partial"),
        pytest.param({"kept": 'STEPS = {"rescale": lambda: rescale(3)}', "main": 'STEPS["rescale"]()'}, id="lambda"),
        pytest.param({"kept": "class App:\n    steps = [rescale]", "main": "App.steps[0](3)"}, id="class attribute"),
        pytest.param({"above": BY_DECORATOR, "decorator": "@step", "main": CALL}, id="decorator"),
        pytest.param({"above": BY_NAMED_DECORATOR, "decorator": '@step("rescale")', "main": CALL}, id="named"),
        pytest.param({"above": LISTED, "decorator": "@step", "main": "STEPS[0](3)"}, id="listed by a decorator"),
        pytest.param(
            {"above": BY_OBJECT, "decorator": "@STEPS.add", "main": 'STEPS.run("rescale", 3)'}, id="registry object"
        ),
        pytest.param(
            {"above": BY_OBJECT, "kept": "STEPS.add(rescale)\nSTEPS.add(print)", "main": 'STEPS.run("rescale", 3)'},
            id="given to a registry object",
        ),
        pytest.param(
            {"above": RECORD, "kept": 'STEPS = [Step("rescale", rescale)]', "main": "STEPS[0].act(3)"}, id="records"
        ),
        pytest.param(
            {"above": PARSER, "kept": "PARSER.set_defaults(func=rescale)", "main": "PARSER.parse_args([]).func()"},
            id="default of a parser",
        ),
        pytest.param(
            {"above": PARSER, "main": "PARSER.set_defaults(func=rescale)\n    PARSER.parse_args([]).func()"},
            id="default of a parser, in a function",
        ),
        pytest.param(
            {
                "above": f"{PARSER}\ndef again(func):\n    func()\n    return func()",
                "main": "PARSER.set_defaults(func=rescale)\n    PARSER.parse_args([]).func()",
                "work": "again(int)",
            },
            id="a parameter of the name of a default",
        ),
        pytest.param(
            {"kept": 'STEPS = {"rescale": rescale}\nNAMES = sorted(STEPS)\nCOUNT = len(STEPS)', "main": CALL},
            id="table whose names are listed at import",
        ),
    ],
)
def test_what_main_calls_out_of_a_table_is_set_in_main(tmp_path: Path, parts: dict[str, str]) -> None:
    assert _is_said(tmp_path, **parts)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"kept": 'STEPS = {"rescale": rescale}', "work": 'STEPS["rescale"](value)'}, id="table"),
        pytest.param({"kept": 'STEPS = {"rescale": rescale}', "work": "STEPS.get(str(value), print)()"}, id="any key"),
        pytest.param({"kept": "STEPS = [rescale]", "work": "for step in STEPS:\n        step()"}, id="list"),
        pytest.param({"kept": 'STEPS = [("rescale", rescale)]', "work": "dict(STEPS)['rescale']()"}, id="pairs"),
        pytest.param({"kept": "STEP = functools.partial(rescale)", "work": "STEP(3)"}, id="partial"),
        pytest.param({"kept": "class App:\n    steps = [rescale]", "work": "App.steps[0](3)"}, id="class attribute"),
        pytest.param({"above": BY_DECORATOR, "decorator": "@step", "work": CALL}, id="decorator"),
        pytest.param({"above": LISTED, "decorator": "@step", "work": "STEPS[0](3)"}, id="listed by a decorator"),
        pytest.param(
            {"above": BY_OBJECT, "decorator": "@STEPS.add", "work": 'STEPS.run("rescale", 3)'}, id="registry object"
        ),
    ],
)
def test_what_workers_call_out_of_the_same_table_is_set_there(tmp_path: Path, parts: dict[str, str]) -> None:
    assert not _is_said(tmp_path, **{"main": "rescale(3)", **parts})


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"kept": "STEPS = [rescale]\nfor step in STEPS:\n    step()"}, id="loop"),
        pytest.param(
            {"kept": 'STEPS = {"a": rescale}\nDONE = [step() for step in STEPS.values()]'}, id="comprehension"
        ),
        pytest.param({"kept": 'STEPS = {"a": rescale}\nSTEPS["a"]()'}, id="item"),
        pytest.param(
            {"kept": "STEPS = [rescale]\ndef run():\n    for step in STEPS:\n        step()\nrun()"}, id="runner"
        ),
        pytest.param(
            {"kept": "def run(steps):\n    for step in steps:\n        step()\nrun([rescale])"}, id="given to a runner"
        ),
        pytest.param({"above": LISTED, "decorator": "@step", "kept": "for each in STEPS:\n    each()"}, id="decorator"),
        pytest.param({"kept": "STEPS = [rescale]\nDONE = list(map(lambda step: step(), STEPS))"}, id="map"),
    ],
)
def test_what_is_called_out_of_a_table_at_import_is_set_everywhere(tmp_path: Path, parts: dict[str, str]) -> None:
    assert not _is_said(tmp_path, **{"main": "rescale(3)", **parts})


@pytest.mark.parametrize("pool", ['2, initializer=STEPS["rescale"]', '2, STEPS["rescale"]'])
def test_an_initializer_out_of_a_table_sets_it(tmp_path: Path, pool: str) -> None:
    assert not _is_said(tmp_path, kept='STEPS = {"rescale": rescale}', main=CALL, pool=pool)


def test_what_nobody_takes_out_of_a_table_is_told_to_those_who_move(tmp_path: Path) -> None:
    text = PROGRAM.format(
        above="", decorator="", kept='STEPS = {"rescale": rescale}', work="pass", main="pass", pool="2", guarded="pass"
    )
    assert _said(tmp_path, steps=text) == (False, Verdict.CHANGES)


PRICES = """\
from multiprocessing import Pool

import rates


def price(amount):
    return amount * rates.lookup("EUR")


def prices(amounts):
    with Pool(2) as pool:
        return pool.map(price, amounts)
"""
RATES = """\
def lookup(currency):
    return open(currency).read()
"""
CHECKS = """\
from unittest import mock

import rates
from prices import prices


def check_prices():
    with mock.patch.object(rates, "lookup", lambda currency: 2):
        return prices([1, 2]) == [2, 4]


def check_nothing():
    return prices([]) == []


ALL = [check_nothing, check_prices]
{below}
"""
RUN = 'if __name__ == "__main__":\n    print([check() for check in ALL])'


def test_a_check_in_a_list_patches_main_alone(tmp_path: Path) -> None:
    _, verdict = _said(tmp_path, rates=RATES, prices=PRICES, checks=CHECKS.format(below=RUN))
    assert verdict is Verdict.CHANGES


COMMANDS = """\
COMMANDS = {}


def command(func):
    COMMANDS[func.__name__] = func
    return func
"""
SETTINGS = """\
from tool.commands import command

STEP = 1


@command
def faster(step):
    global STEP
    STEP = step
"""
TASKS = """\
from multiprocessing import Pool

from tool import commands, settings


def task(number):
    {first}
    return number * settings.STEP


def run(numbers):
    with Pool(2) as pool:
        return pool.map(task, numbers)
"""
TOOL = """\
import sys

from tool import settings
from tool.commands import COMMANDS
from tool.tasks import run
{above}

def main():
    COMMANDS[sys.argv[1]](3)
    print(run([1, 2]))


if __name__ == "__main__":
    main()
"""


def _tool(folder: Path, first: str = "pass", above: str = "") -> tuple[bool, Verdict]:
    return _said(
        folder,
        tool__commands=COMMANDS,
        tool__settings=SETTINGS,
        tool__tasks=TASKS.format(first=first),
        start=TOOL.format(above=above),
    )


def test_a_table_of_another_module_that_main_uses(tmp_path: Path) -> None:
    assert _tool(tmp_path)[1] is Verdict.CHANGES


def test_a_table_of_another_module_that_workers_use(tmp_path: Path) -> None:
    assert _tool(tmp_path, first='commands.COMMANDS["faster"](number)') == (False, Verdict.READY)
