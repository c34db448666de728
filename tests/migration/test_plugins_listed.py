"""Registries that plugins fill, which main alone loads: it goes through a package and imports what is in it, by a name
that is put together. One program of the kind was run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

REGISTRY = """\
_exporters = {}


def exporter(name):
    def add(function):
        _exporters[name] = function
        return function

    return add


def lookup(name):
    return _exporters[name]
"""
PLUGIN = 'from ..registry import exporter\n\n\n@exporter("csv")\ndef to_csv(row):\n    return ",".join(row)\n'
LOADING = """\
import importlib
import pkgutil


def load_plugins({parameter}):
    parent = importlib.import_module({package})
    for info in pkgutil.iter_modules(parent.__path__):
        importlib.import_module({name})
"""
JOBS = """\
import multiprocessing as mp

from . import {imported}
{at_import}

def export(name):
    {first}
    return registry.lookup(name)(["a", "b"])


def export_all(names):
    with mp.Pool(2{begin}) as pool:
        return pool.map(export, names)
"""
MAIN = """\
from shop import discovery, jobs


def main():
    {load}
    print(jobs.export_all(["csv"]))


if __name__ == "__main__":
    main()
"""
WAYS = [
    ('package="shop.plugins"', "package", 'f"{package}.{info.name}"'),
    ('package="shop.plugins"', "package", 'package + "." + info.name'),
    ("", '"shop.plugins"', 'f"shop.plugins.{info.name}"'),
    ("", '"shop.plugins"', 'f"{parent.__name__}.{info.name}"'),
]
LOAD = "discovery.load_plugins()"


def said(
    folder: Path,
    way: tuple[str, str, str],
    load: str = LOAD,
    first: str = "pass",
    at_import: str = "",
    begin: str = "",
) -> Verdict:
    shop = folder / "shop"
    (shop / "plugins").mkdir(parents=True)
    (shop / "__init__.py").touch()
    (shop / "plugins" / "__init__.py").touch()
    (shop / "plugins" / "to_csv.py").write_text(PLUGIN)
    (shop / "registry.py").write_text(REGISTRY)
    (shop / "discovery.py").write_text(LOADING.format(parameter=way[0], package=way[1], name=way[2]))
    imported = "discovery, registry" if first != "pass" or at_import or begin else "registry"
    (shop / "jobs.py").write_text(JOBS.format(imported=imported, at_import=at_import, first=first, begin=begin))
    return worst(migrated(folder, MAIN.format(load=load)))


@pytest.mark.parametrize("way", WAYS)
def test_main_alone_loads_them(tmp_path: Path, way: tuple[str, str, str]) -> None:
    assert said(tmp_path, way) is Verdict.BREAKS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "workers",
    [
        {"first": LOAD},
        {"at_import": "\ndiscovery.load_plugins()\n"},
        {"begin": ", initializer=discovery.load_plugins"},
        {"at_import": "\nfrom .plugins import to_csv\n"},
    ],
)
def test_workers_load_them_too(tmp_path: Path, way: tuple[str, str, str], workers: dict[str, str]) -> None:
    assert said(tmp_path, way, **workers) is not Verdict.BREAKS
