"""LP113 and LP111: objects of classes that a metaclass has put into a table of its module."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver

_BASE = """\
import importlib

PLUGINS = {{}}


class Meta(type):
    {fills}


class Plugin(metaclass=Meta):
    requires = None

    def __init__(self, **options):
        self.options = options
        self.backend = importlib.import_module(self.requires) if self.requires else None

    def process(self, blob):
        return blob


def create(key, **options):
    importlib.import_module(f"plugins.{{key}}")
    return PLUGINS[key](**options)
"""
_OTHERS = {
    "upper": "from plugins.base import Plugin\n\n\nclass Upper(Plugin):\n    key = 'upper'\n",
    "zipper": "from plugins.base import Plugin\n\n\nclass Zipper(Plugin):\n    key = 'zipper'\n    {requires}\n",
}
_MAIN = """\
import sys
from concurrent.futures import ProcessPoolExecutor

from plugins.base import create


def main(key):
    plugin = create(key, level=3)
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map({task}, [b"a", b"b"]))


if __name__ == "__main__":
    main(sys.argv[1])
"""
_INIT = """def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        if "key" in namespace:
            PLUGINS[cls.key] = cls"""
_NEW = """def __new__(mcs, name, bases, namespace):
        made = super().__new__(mcs, name, bases, namespace)
        PLUGINS[name.lower()] = made
        return made"""
_BY_NAME = _INIT.replace("cls.key]", "name.lower()]")


def _confidences(
    folder: Path, fills: str, requires: str = "requires = 'zlib'", task: str = "plugin.process"
) -> list[tuple[str, Confidence]]:
    (folder / "plugins").mkdir()
    (folder / "plugins" / "__init__.py").write_text("")
    (folder / "plugins" / "base.py").write_text(_BASE.format(fills=fills))
    for name, text in _OTHERS.items():
        (folder / "plugins" / f"{name}.py").write_text(text.format(requires=requires))
    (folder / "main.py").write_text(_MAIN.format(task=task))
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [(each.code, each.confidence) for each in found if each.confidence is not Confidence.POSSIBLE]


@pytest.mark.parametrize("fills", [_INIT, _NEW, _BY_NAME])
def test_a_class_that_a_metaclass_registers(tmp_path: Path, fills: str) -> None:
    assert _confidences(tmp_path, fills) == [("LP113", Confidence.LIKELY)]


@pytest.mark.parametrize(
    ("fills", "requires", "task"),
    [
        pytest.param(_INIT, "pass", "plugin.process", id="none of the classes keeps a module"),
        pytest.param(_INIT, "requires = 'zlib'", "len", id="not sent"),
        pytest.param(_INIT.replace("= cls", "= name"), "requires = 'zlib'", "plugin.process", id="only names"),
        pytest.param(_NEW.replace("= made\n", "= mcs\n"), "requires = 'zlib'", "plugin.process", id="the metaclass"),
        pytest.param(_INIT.replace("__init__", "note"), "requires = 'zlib'", "plugin.process", id="by another method"),
    ],
)
def test_what_a_metaclass_does_not_register(tmp_path: Path, fills: str, requires: str, task: str) -> None:
    assert _confidences(tmp_path, fills, requires, task) == []
