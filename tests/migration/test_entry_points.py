"""Programs that begin with a script of the project's installation, and settings made in the module that calls what
starts the workers. Measured with CPython 3.11, each program run by a script that imports and calls its function."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Migration, Verdict
from lintpickle.settings import SettingsResolver

from .test_verdicts import worst

JOBS = """\
import decimal
import multiprocessing

from tool import registry


def work(name):
    return {reads}


def process():
    multiprocessing.set_start_method("fork")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, ["a"]))
"""
REGISTRY = """\
KNOWN = {}
LEVEL = "low"


def register(name, function):
    KNOWN[name] = function


def configure():
    global LEVEL
    LEVEL = "high"
"""
CLI = """\
import decimal

from tool import registry
from tool.jobs import process


def run():
    {sets}
    process()
"""
GUARD = '\n\nif __name__ == "__main__":\n    run()\n'
PROJECT = '[project]\nname = "tool"\n\n[project.{table}]\ntool = "tool.cli:{function}"\n'
SETUP_CFG = "[metadata]\nname = tool\n\n[options.entry_points]\nconsole_scripts =\n    tool = tool.cli:run\n"
SETUP = 'from setuptools import setup\n\nsetup(entry_points={"console_scripts": ["tool=tool.cli:run"]})\n'
READS, SETS = "registry.LEVEL", 'registry.LEVEL = "high"'


def judged(folder: Path, declared: dict[str, str], cli: str, reads: str = READS) -> Migration:
    package = folder / "tool"
    package.mkdir()
    texts = {"__init__.py": "", "cli.py": cli, "jobs.py": JOBS.format(reads=reads), "registry.py": REGISTRY}
    for name, text in texts.items():
        (package / name).write_text(text, encoding="utf-8")
    for name, text in declared.items():
        (folder / name).write_text(text, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    return migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11")


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param({"pyproject.toml": PROJECT.format(table="scripts", function="run")}, id="pyproject"),
        pytest.param({"pyproject.toml": PROJECT.format(table="gui-scripts", function="run")}, id="with windows"),
        pytest.param({"setup.cfg": SETUP_CFG}, id="setup.cfg"),
        pytest.param({"setup.py": SETUP}, id="setup.py"),
    ],
)
def test_scripts_of_the_installation(declared: dict[str, str], tmp_path: Path) -> None:
    assert worst(judged(tmp_path, declared, CLI.format(sets=SETS))) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("sets", "reads", "verdict"),
    [
        (SETS, READS, Verdict.CHANGES),
        ("registry.configure()", READS, Verdict.CHANGES),
        ('registry.register("a", str.upper)', "registry.KNOWN[name](name)", Verdict.BREAKS),
        ('registry.KNOWN["a"] = str.upper', "registry.KNOWN[name](name)", Verdict.BREAKS),
        ("decimal.getcontext().prec = 5", "decimal.Decimal(1) / 3", Verdict.CHANGES),
        (SETS, "name.upper()", Verdict.READY),
        ("registry.LEVEL", READS, Verdict.READY),
    ],
)
@pytest.mark.parametrize("begins", ["script", "guard"])
def test_what_they_set(sets: str, reads: str, verdict: Verdict, begins: str, tmp_path: Path) -> None:
    is_script = begins == "script"
    declared = {"pyproject.toml": PROJECT.format(table="scripts", function="run")} if is_script else {}
    cli = CLI.format(sets=sets) + ("" if is_script else GUARD)
    assert worst(judged(tmp_path, declared, cli, reads)) is verdict


def test_a_function_that_nothing_begins_with(tmp_path: Path) -> None:
    declared = {"pyproject.toml": PROJECT.format(table="scripts", function="other")}
    assert worst(judged(tmp_path, declared, CLI.format(sets=SETS))) is Verdict.READY


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("tests/test_cli.py", CLI.format(sets=SETS).replace("def run", "def test_run"), id="a test"),
        pytest.param(
            "other.py",
            CLI.format(sets=SETS).replace("from tool.jobs import process", "from others import process") + GUARD,
            id="another function of that name",
        ),
    ],
)
def test_what_other_programs_set(path: str, text: str, tmp_path: Path) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text.replace(READS, "decimal.getcontext().prec"), encoding="utf-8")
    found = judged(tmp_path, {}, CLI.format(sets="pass") + GUARD, "decimal.Decimal(1) / 3")
    assert worst(found) is Verdict.READY
