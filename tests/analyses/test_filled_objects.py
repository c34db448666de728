"""LP210: objects that modules fill by their methods which only the main process imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analyses.test_import_fillings import found

MAKING = """\
    def reader(self, kind):
        def note(function):
            self.readers[kind] = function
            return function
        return note
"""
ITSELF = """\
    def reader(self, function):
        self.readers[function.__name__] = function
        return function
"""
REGISTRY = """\
import importlib


class Readers:
    def __init__(self):
        self.readers = {{}}
        self.names = []

{register}
    def __getitem__(self, kind):
        return self.readers[kind]

    def find(self, kind):
        return self.readers[kind]


catalog = Readers()


def load(names):
    for name in names:
        importlib.import_module(name)
"""
PLUGIN = "from registry import catalog\n\n\n@catalog.reader{given}\ndef read_csv(path):\n    return path\n"
READ = "return registry.catalog.find('read_csv')(path)"
LOAD = "registry.load(['csv_plugin'])"


@pytest.mark.parametrize("loads", [LOAD, "import csv_plugin"])
@pytest.mark.parametrize(("register", "given"), [(MAKING, "('read_csv')"), (ITSELF, "")])
def test_an_object_that_a_plugin_of_main_fills(tmp_path: Path, loads: str, register: str, given: str) -> None:
    registry, plugin = REGISTRY.format(register=register), PLUGIN.format(given=given)
    assert found(tmp_path, loads, READ, registry=registry, plugin=plugin) == ["LP210"]


@pytest.mark.parametrize(
    ("loads", "read", "options", "imports"),
    [
        pytest.param(LOAD, READ, "", "import csv_plugin", id="imported at once"),
        pytest.param("pass", READ, "", "", id="imported by nobody that is seen"),
        pytest.param("import csv_plugin", f"import csv_plugin\n    {READ}", "", "", id="by the worker, too"),
        pytest.param(LOAD, READ, ", registry.load, (['csv_plugin'],)", "", id="by an initializer"),
        pytest.param("import csv_plugin", "return registry.catalog.names", "", "", id="another attribute"),
        pytest.param("import csv_plugin", "return path", "", "", id="not read"),
        pytest.param(
            "import csv_plugin", f"registry.catalog.reader(print)\n    {READ}", "", "", id="filled by the worker"
        ),
    ],
)
def test_objects_that_workers_have(tmp_path: Path, loads: str, read: str, options: str, imports: str) -> None:
    registry, plugin = REGISTRY.format(register=ITSELF), PLUGIN.format(given="")
    assert found(tmp_path, loads, read, options, imports, registry=registry, plugin=plugin) == []


def test_a_plugin_of_another_object(tmp_path: Path) -> None:
    registry = REGISTRY.format(register=ITSELF) + "\n\nothers = Readers()\n"
    plugin = PLUGIN.format(given="").replace("catalog", "others")
    assert found(tmp_path, LOAD, READ, registry=registry, plugin=plugin) == []
