"""LP210: registries that are filled by modules which only the main process imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

REGISTRY = """\
import importlib

READERS = {}


def reader(kind):
    def note(function):
        READERS[kind] = function
        return function
    return note


def load(names):
    for name in names:
        importlib.import_module(name)
"""
PLUGIN = "from registry import reader\n\n\n@reader('csv')\ndef read_csv(path):\n    return path\n"
RUN = """\
import multiprocessing
import registry
{imports}


def work(path):
    {read}


def main(paths):
    {loads}
    with multiprocessing.Pool(2{options}) as pool:
        print(pool.map(work, paths))


if __name__ == "__main__":
    main(["a.csv"])
"""
READ = "return registry.READERS['csv'](path)"


def found(folder: Path, loads: str, read: str = READ, options: str = "", imports: str = "") -> list[str]:
    run = RUN.format(loads=loads, read=read, options=options, imports=imports)
    for name, text in {"registry.py": REGISTRY, "csv_plugin.py": PLUGIN, "run.py": run}.items():
        (folder / name).write_text(text)
    outcome = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics]


@pytest.mark.parametrize("loads", ["registry.load(['csv_plugin'])", "import csv_plugin"])
def test_a_plugin_that_main_imports(tmp_path: Path, loads: str) -> None:
    assert found(tmp_path, loads) == ["LP210"]


@pytest.mark.parametrize(
    ("loads", "read", "options", "imports"),
    [
        pytest.param("registry.load(['csv_plugin'])", READ, "", "import csv_plugin", id="imported at once"),
        pytest.param("pass", READ, "", "", id="imported by nobody that is seen"),
        pytest.param("import csv_plugin", f"import csv_plugin\n    {READ}", "", "", id="by the worker, too"),
        pytest.param(
            "registry.load(['csv_plugin'])", READ, ", registry.load, (['csv_plugin'],)", "", id="by an initializer"
        ),
        pytest.param("import csv_plugin", "return registry.load(['csv_plugin']) or path", "", "", id="not read"),
    ],
)
def test_plugins_that_workers_have(tmp_path: Path, loads: str, read: str, options: str, imports: str) -> None:
    assert found(tmp_path, loads, read, options, imports) == []
