"""A package that imports all modules of another one as it is imported: what these fill is there in workers, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

MAIN = """\
import multiprocessing

from units import table
{}

def convert(name):
    return table.FACTORS[name]


def main():
    {}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(convert, ["mile", "yard"]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
HEAD = "import importlib\nimport os\nimport pkgutil\n\nfrom . import families\nfrom .table import FACTORS\n\n"
EACH = "for info in pkgutil.iter_modules(families.__path__):\n    "


def verdict(folder: Path, package: str, above: str = "", in_main: str = "print(len(table.FACTORS))") -> Verdict:
    for name, code in {
        "main.py": MAIN.format(above, in_main),
        "units/__init__.py": f"{HEAD}{package}\n",
        "units/table.py": "FACTORS = {}\n\n\ndef add(name, factor):\n    FACTORS[name] = factor\n",
        "units/families/__init__.py": "",
        "units/families/lengths.py": "from units.table import add\n\nadd('mile', 1609.344)\nadd('yard', 0.9144)\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return min((boundary.verdict for boundary in found), key=list(Verdict).index)


@pytest.mark.parametrize(
    "package",
    [
        pytest.param(f'{EACH}importlib.import_module("units.families." + info.name)', id="by a literal"),
        pytest.param(f'{EACH}importlib.import_module(f"{{families.__name__}}.{{info.name}}")', id="by its name"),
        pytest.param(f'{EACH}importlib.import_module(families.__name__ + "." + info.name)', id="by its name, added"),
        pytest.param(f'{EACH}importlib.import_module(f"{{__name__}}.families.{{info.name}}")', id="below its own name"),
        pytest.param(f'{EACH}importlib.import_module(f".families.{{info.name}}", __name__)', id="relative"),
        pytest.param(
            "for info in pkgutil.walk_packages(families.__path__, 'units.families.'):\n"
            "    importlib.import_module(info.name)",
            id="by a prefix",
        ),
        pytest.param(
            f'def load_all():\n    {EACH.replace("    ", "        ")}importlib.import_module(f"{{families.__name__}}.'
            '{info.name}")\n\n\nload_all()',
            id="in a function that is called there",
        ),
    ],
)
def test_what_they_fill_is_there(package: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, package) is Verdict.READY


DISCOVERY = """\
import importlib
import pkgutil


def import_dir(path, parent):
    for _, name, _ in pkgutil.walk_packages([path], parent + "."):
        importlib.import_module(name)


def name_dir(path, parent):
    return [name for _, name, _ in pkgutil.walk_packages([path], parent + ".")]
"""


@pytest.mark.parametrize(
    ("package", "is_ready"),
    [
        ("from . import discovery\ndiscovery.import_dir('units/families', 'units.families')", True),
        (
            "from .discovery import import_dir\nimport_dir(parent='units.families', path='units/families')",
            True,
        ),
        ("from .discovery import name_dir\nname_dir('units/families', 'units.families')", False),
        ("from .discovery import import_dir\nimport_dir('units/others', 'units.others')", False),
        (
            "from . import discovery\ndef load():\n    discovery.import_dir('units/families', 'units.families')",
            False,
        ),
    ],
)
def test_functions_that_import_what_they_list(package: str, is_ready: bool, tmp_path: Path) -> None:
    (tmp_path / "units").mkdir()
    (tmp_path / "units/discovery.py").write_text(DISCOVERY, encoding="utf-8")
    found = verdict(tmp_path, package, "import importlib\n", "importlib.import_module('units.families.lengths')")
    assert (found is Verdict.READY) is is_ready


LOADING = (
    f'def load_all():\n    {EACH.replace("    ", "        ")}importlib.import_module(f"{{families.__name__}}.'
    '{info.name}")'
)


@pytest.mark.parametrize(
    ("package", "above", "in_main"),
    [
        pytest.param(LOADING, "import units\n", "units.load_all()", id="main calls it"),
        pytest.param("", "import importlib\n", "importlib.import_module('units.families.lengths')", id="main"),
    ],
)
def test_what_main_alone_imports_is_not(package: str, above: str, in_main: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, package, above, in_main) is not Verdict.READY
