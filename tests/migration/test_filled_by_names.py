"""Objects and modules that main gives values by names which it does not write out there (`migrate`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver


def worst(folder: Path, **modules: str) -> Verdict:
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.FORKSERVER, "3.11").boundaries
    return min((boundary.verdict for boundary in found), key=list(Verdict).index)


PARSED = """\
import argparse
import multiprocessing as mp


class Options:
    {body}


OPTIONS = Options()


def grep(text):
    return {read}


def main(argv=("-i",)):
    own = Options()
    parser = argparse.ArgumentParser()
    parser.add_argument("-i", dest="ignore_case", action="store_true")
    {parse}
    with mp.Pool(2) as pool:
        print(pool.map(grep, ["a", "B"]))


if __name__ == "__main__":
    main()
"""
BODY = "ignore_case = False\n    width = 80"
READ = "text.lower() if OPTIONS.ignore_case else text"
BY_KEYWORD = "parser.parse_args(argv, namespace=OPTIONS)"


@pytest.mark.parametrize(
    ("body", "read", "parse"),
    [
        pytest.param(BODY, READ, BY_KEYWORD, id="an object"),
        pytest.param(BODY, READ, "parser.parse_args(argv, OPTIONS)", id="by place"),
        pytest.param("pass", READ, BY_KEYWORD, id="an object of nothing but options"),
        pytest.param(BODY, READ.replace("OPTIONS", "Options"), BY_KEYWORD.replace("OPTIONS", "Options"), id="a class"),
        pytest.param(
            "def __init__(self):\n        self.ignore_case = False", READ, BY_KEYWORD, id="an attribute of __init__"
        ),
    ],
)
def test_what_main_has_a_parser_fill_is_not_so_in_workers(body: str, read: str, parse: str, tmp_path: Path) -> None:
    code = PARSED.format(body=body, read=read, parse=parse)
    assert worst(tmp_path, main=code) in (Verdict.CHANGES, Verdict.BREAKS)


@pytest.mark.parametrize(
    ("read", "parse"),
    [
        pytest.param("text[:OPTIONS.width]", BY_KEYWORD, id="an attribute that is no option"),
        pytest.param(READ, "parser.parse_args(argv, namespace=own)", id="an object of main's own"),
        pytest.param(READ, "parser.parse_args(argv)", id="parsed elsewhere"),
        pytest.param("text.lower()", BY_KEYWORD, id="workers do not read it"),
        pytest.param("text[:Options.width]", "parser.parse_args(namespace=Options)", id="no option, of a class"),
    ],
)
def test_what_no_parser_fills_is_ready(read: str, parse: str, tmp_path: Path) -> None:
    assert worst(tmp_path, main=PARSED.format(body=BODY, read=read, parse=parse)) is Verdict.READY


SCENARIO = """\
import importlib
import sys

import params

SCENARIOS = {{"moon": {{"gravity": 1.62}}, "storm": {{"drag": 0.4}}}}


def select(name):
    values = SCENARIOS[name]
    {store}
"""
PARAMS = "gravity = 9.81\ndrag = 0.0\ndt = 0.01\n"
FLIGHT = """\
import multiprocessing as mp
import sys

import params
import scenario


def distance(angle):
    {first}
    return angle * {read}


def prepare(name):
    scenario.select(name)


def main():
    prepare(sys.argv[1])
    with mp.Pool(2) as pool:
        print(pool.map(distance, (30, 45, 60)))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "store",
    [
        pytest.param('module = sys.modules["params"]\n    vars(module).update(values)', id="sys.modules, by a name"),
        pytest.param('vars(sys.modules["params"]).update(values)', id="sys.modules"),
        pytest.param('importlib.import_module("params").__dict__.update(values)', id="imported"),
        pytest.param("vars(params).update(values)", id="vars"),
        pytest.param("params.__dict__.update(values)", id="__dict__"),
        pytest.param("for key in values:\n        params.__dict__[key] = values[key]", id="by key"),
        pytest.param("for key in values:\n        setattr(params, key, values[key])", id="setattr"),
    ],
)
def test_values_that_main_puts_into_the_dict_of_a_module_change(store: str, tmp_path: Path) -> None:
    flight, scenario = FLIGHT.format(first="pass", read="params.drag"), SCENARIO.format(store=store)
    assert worst(tmp_path, params=PARAMS, scenario=scenario, flight=flight) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("store", "first", "read"),
    [
        pytest.param("vars(params).update(values)", "scenario.select('moon')", "params.drag", id="workers do it too"),
        pytest.param("print(vars(params).get(name), values)", "pass", "params.drag", id="only read"),
        pytest.param("dict(vars(params)).update(values)", "pass", "params.drag", id="a copy"),
        pytest.param('vars(sys.modules["other"]).update(values)', "pass", "params.drag", id="another module"),
        pytest.param("vars(params).update(values)", "pass", "2", id="workers do not read it"),
    ],
)
def test_other_dicts_of_modules_are_ready(store: str, first: str, read: str, tmp_path: Path) -> None:
    flight, scenario = FLIGHT.format(first=first, read=read), SCENARIO.format(store=store)
    assert worst(tmp_path, params=PARAMS, scenario=scenario, flight=flight) is Verdict.READY


FLAGS = """\
fast = False
batch = 4


def load(values):
    for item in values:
        key, _, value = item.{split}
        globals()[key] = type(globals()[key])(value)
"""
KERNEL = """\
import argparse
import multiprocessing as mp

import flags


def reduce(seed):
    return seed * {read}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", nargs="*", default=["batch=8"])
    args = parser.parse_args()
    flags.load(args.set)
    with mp.Pool(2) as pool:
        print(pool.map(reduce, {given}))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("split", ['partition("=")', "rpartition('=')"])
def test_flags_that_a_text_names_before_its_value_change(split: str, tmp_path: Path) -> None:
    kernel = KERNEL.format(read="flags.batch", given="range(3)")
    assert worst(tmp_path, flags=FLAGS.format(split=split), main=kernel) is Verdict.CHANGES


def test_flags_that_no_text_names_cannot_be_told(tmp_path: Path) -> None:
    kernel = KERNEL.format(read="flags.fast", given="range(3)")
    assert worst(tmp_path, flags=FLAGS.format(split='partition("=")'), main=kernel) is Verdict.CANNOT_TELL


def test_flags_that_only_main_reads_are_ready(tmp_path: Path) -> None:
    kernel = KERNEL.format(read="2", given="range(flags.batch)")
    assert worst(tmp_path, flags=FLAGS.format(split='partition("=")'), main=kernel) is Verdict.READY


STATE = """\
import types

STATE = types.SimpleNamespace(limit=10, tags=())


def configure(**kwargs):
    STATE.__dict__.update(kwargs)
"""
ANALYSIS = """\
import multiprocessing as mp
import sys

import state


def small(value):
    return value < {read}


def main():
    state.configure({told})
    with mp.Pool(2) as pool:
        print(pool.map(small, [1, 50, 200]))


if __name__ == "__main__":
    main()
"""


def test_a_namespace_whose_attributes_callers_name_changes(tmp_path: Path) -> None:
    analysis = ANALYSIS.format(read="state.STATE.limit", told="limit=int(sys.argv[1])")
    assert worst(tmp_path, state=STATE, main=analysis) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("read", "told"),
    [
        pytest.param("state.STATE.limit", "tags=('x',)", id="another attribute"),
        pytest.param("20", "limit=int(sys.argv[1])", id="workers do not read it"),
    ],
)
def test_a_namespace_that_is_told_something_else_is_ready(read: str, told: str, tmp_path: Path) -> None:
    assert worst(tmp_path, state=STATE, main=ANALYSIS.format(read=read, told=told)) is Verdict.READY
