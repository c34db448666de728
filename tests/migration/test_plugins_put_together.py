"""Registries that plugins fill, which main alone imports by names that it puts together. The programs were run with
CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

REGISTRY = """\
_HANDLERS = {{}}


def handles(suffix):
    def register(func):
        _HANDLERS[suffix] = func
        return func

    return register


def handler_for(path):
    return {lookup}


@handles("txt")
def read_text(path):
    return path
"""
PLUGIN = 'from registry import handles\n\n\n@handles("csv")\ndef read(path):\n    return path\n'
LOADING = """\
import importlib


def load_plugins(names):
    for name in names:
        {load}
"""
MAIN = """\
import multiprocessing
import sys

from loading import load_plugins
from registry import handler_for

ENABLED = {enabled}
{at_import}

def ingest(path):
    {first}
    return handler_for(path)(path)


def main():
    {main}
    with multiprocessing.Pool(2{begin}) as pool:
        print(pool.map(ingest, ["a.csv", "b.txt"]))


if __name__ == "__main__":
    main()
"""
ALL = "load_plugins(ENABLED)"
LOAD = 'importlib.import_module(f"plugin_{name}")'


def said(
    folder: Path,
    load: str = LOAD,
    enabled: str = '["csv"]',
    lookup: str = '_HANDLERS[path.rsplit(".", 1)[-1]]',
    at_import: str = "",
    first: str = "pass",
    main: str = ALL,
    begin: str = "",
    plugin: str = "plugin_csv",
) -> Verdict:
    (folder / "registry.py").write_text(REGISTRY.format(lookup=lookup))
    (folder / "loading.py").write_text(LOADING.format(load=load))
    (folder / f"{plugin}.py").write_text(PLUGIN)
    code = MAIN.format(enabled=enabled, at_import=at_import, first=first, main=main, begin=begin)
    return worst(migrated(folder, code))


@pytest.mark.parametrize(
    ("load", "plugin"),
    [
        (LOAD, "plugin_csv"),
        ('importlib.import_module("plugin_" + name)', "plugin_csv"),
        ('importlib.import_module("plugin_%s" % name)', "plugin_csv"),
        ('importlib.import_module("plugin_{}".format(name))', "plugin_csv"),
        ('__import__(f"plugin_{name}")', "plugin_csv"),
        ('module = f"plugin_{name}"\n        importlib.import_module(module)', "plugin_csv"),
        ('importlib.import_module(f"{name}_plugin")', "csv_plugin"),
        ('importlib.import_module(name + "_plugin")', "csv_plugin"),
        ('importlib.import_module("read_" + name + "_files")', "read_csv_files"),
    ],
)
def test_what_main_alone_imports_is_missing(load: str, plugin: str, tmp_path: Path) -> None:
    assert said(tmp_path, load, plugin=plugin) is Verdict.BREAKS


def test_a_lookup_with_a_default_changes(tmp_path: Path) -> None:
    assert said(tmp_path, lookup="_HANDLERS.get(path[-3:], read_text)") is Verdict.CHANGES


@pytest.mark.parametrize(
    "workers",
    [
        pytest.param({"at_import": f"\n{ALL}\n"}, id="at import"),
        pytest.param({"first": ALL}, id="in the task"),
        pytest.param({"begin": ", load_plugins, (ENABLED,)"}, id="as they begin"),
    ],
)
def test_what_workers_import_too_is_there(workers: dict[str, str], tmp_path: Path) -> None:
    assert said(tmp_path, **workers) is Verdict.READY


@pytest.mark.parametrize("enabled", ["sys.argv[1:]", '["xml"]'])
def test_names_that_are_not_seen_cannot_be_told(enabled: str, tmp_path: Path) -> None:
    assert said(tmp_path, enabled=enabled) is Verdict.CANNOT_TELL


@pytest.mark.parametrize("load", ['print(f"plugin_{name}")', 'importlib.import_module(f"filter_{name}")'])
def test_other_names_are_not_seen_to_be_imported(load: str, tmp_path: Path) -> None:
    assert said(tmp_path, load) is Verdict.CANNOT_TELL


def test_a_dict_with_what_workers_do_not_ask_for(tmp_path: Path) -> None:
    lookup = '_HANDLERS["txt"]'
    assert said(tmp_path, lookup=lookup) is Verdict.BREAKS  # gap: what it has at import is enough
