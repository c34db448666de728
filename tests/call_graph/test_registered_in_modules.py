"""Tables and lists of a module that definitions of other modules are put into."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

REGISTRY = """\
STORES = {}
CHECKS = []
STEPS = {}


def store(name):
    def add(cls):
        STORES[name] = cls
        return cls

    return add


def check(function):
    CHECKS.append(function)
    return function


class Step:
    name = None
    table = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        STEPS[cls.name] = cls
        cls.table[cls.__name__] = cls
"""
PLUGINS = """\
import threading

import registry
from registry import Step, check, store


@store("disk")
class Disk:
    def __init__(self):
        self.gate = threading.Lock()


@registry.store("memory")
class Memory:
    def __init__(self):
        self.rows = {}


@check
def is_empty():
    return threading.Lock()


class Group(Step):
    name = "group"


class Held(Group):
    name = "held"

    def __init__(self):
        self.gate = threading.Lock()


class Other:
    name = "free"

    def __init__(self):
        self.gate = threading.Lock()


class Free(registry.Step):
    name = "free"
"""
MAIN = """\
import pickle

import plugins
from registry import CHECKS, STEPS, STORES, Step


def main():
    pickle.dumps({shipped})


if __name__ == "__main__":
    main()
"""


def _found(folder: Path, shipped: str, plugins: str = PLUGINS) -> list[tuple[str, str]]:
    for name, text in (("registry", REGISTRY), ("plugins", plugins), ("main", MAIN.format(shipped=shipped))):
        (folder / f"{name}.py").write_text(text)
    found = lint_paths([str(folder)], resolver=SettingsResolver()).diagnostics
    return [(each.code, each.confidence.value) for each in found]


@pytest.mark.parametrize(
    ("shipped", "confidence"),
    [
        ('STORES["disk"]()', "certain"),
        ('STEPS["held"]()', "certain"),
        ('Step.table["Held"]()', "certain"),
        ("CHECKS[0]()", "certain"),
        ("[each() for each in STORES.values()]", "likely"),
    ],
)
def test_what_another_module_registers(tmp_path: Path, shipped: str, confidence: str) -> None:
    assert _found(tmp_path, shipped) == [("LP111", confidence)]


@pytest.mark.parametrize(
    "shipped", ['STORES["memory"]()', 'STEPS["group"]()', 'STEPS["free"]()', 'Step.table["Free"]()', "STORES"]
)
def test_others_of_the_registry(tmp_path: Path, shipped: str) -> None:
    assert not _found(tmp_path, shipped)


def test_a_decorator_of_the_same_name_of_another_module(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def store(name):\n    return lambda cls: cls\n")
    imports = "from registry import Step, check, store"
    other = PLUGINS.replace(imports, "from registry import Step, check\nfrom shop import store")
    assert not _found(tmp_path, 'STORES["disk"]()', other)
