"""Plugins that fill a table when they are imported, where main goes through their package and imports them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

REGISTRY = """\
READERS = {}


def reader(suffix):
    def wrap(function):
        READERS[suffix] = function
        return function

    return wrap


def lookup(suffix):
    return READERS[suffix]
"""
PLUGIN = "from registry import reader\n\n\n@reader('.fa')\ndef read(text):\n    return text.strip()\n"
MAIN = """\
import importlib
import multiprocessing
import pkgutil

import formats
import readers
import registry


{loading}


def ingest(text):
    {inside}
    return registry.lookup(".fa")(text)


def main():
    {call}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(ingest, [">chr1"]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
GIVEN = """\
def load_plugins(package):
    for info in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{info.name}")
"""
NAMED = """\
def load_plugins():
    for info in pkgutil.iter_modules(readers.__path__, readers.__name__ + "."):
        importlib.import_module(info.name)
"""
WALKED = """\
def load_plugins():
    for _, name, _ in pkgutil.walk_packages(path=readers.__path__):
        importlib.import_module(readers.__name__ + "." + name)
"""
OWN = """\
import importlib
import pkgutil


def load_plugins():
    for info in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{info.name}")
"""


def told(folder: Path, loading: str, call: str, inside: str = "pass", package: str = "") -> Verdict:
    (folder / "registry.py").write_text(REGISTRY, encoding="utf-8")
    for name in ("readers", "formats"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(package if name == "readers" else "", encoding="utf-8")
    (folder / "readers" / "fasta.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "formats" / "plain.py").write_text("WIDTH = 80\n", encoding="utf-8")
    code = MAIN.format(loading=loading, call=call, inside=inside)
    (folder / "main.py").write_text(code, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return min((each.verdict for each in found), key=list(Verdict).index)


@pytest.mark.parametrize(
    ("loading", "call"),
    [
        pytest.param(GIVEN, "load_plugins(readers)", id="the package is passed"),
        pytest.param(NAMED, "load_plugins()", id="the package is named"),
        pytest.param(WALKED, "load_plugins()", id="walked"),
    ],
)
def test_plugins_that_main_alone_imports(loading: str, call: str, tmp_path: Path) -> None:
    assert told(tmp_path, loading, call) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("loading", "call", "inside", "package"),
    [
        pytest.param(f"{GIVEN}\n\nload_plugins(readers)", "pass", "pass", "", id="at import"),
        pytest.param(GIVEN, "load_plugins(readers)", "load_plugins(readers)", "", id="in the workers, too"),
        pytest.param("", "pass", "pass", f"{OWN}\n\nload_plugins()\n", id="as the package is imported"),
    ],
)
def test_plugins_that_workers_import(loading: str, call: str, inside: str, package: str, tmp_path: Path) -> None:
    assert told(tmp_path, loading, call, inside, package) is Verdict.READY


def test_another_package_that_main_goes_through(tmp_path: Path) -> None:
    assert told(tmp_path, GIVEN, "load_plugins(formats)") is not Verdict.BREAKS


def test_a_function_of_the_package_that_main_calls(tmp_path: Path) -> None:
    # gap: a package that lists its own modules is taken to import them when it is imported; this breaks.
    assert told(tmp_path, "", "readers.load_plugins()", package=OWN) is Verdict.READY
