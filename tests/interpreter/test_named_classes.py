"""Objects of classes that the program finds by the texts of their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import marks

PROGRAM = """
import importlib
import threading
from concurrent.futures import ProcessPoolExecutor

class Limiter:
    def __init__(self, rate=1):
        self.rate = rate
        self.guard = threading.Lock()

class Geocoder:
    def __init__(self, limiter, precision=2):
        self.limiter = limiter
        self.precision = precision

    def find(self, address):
        return address

class Zones:
    def find(self, address):
        return address

BINDINGS = {
    "limiter": ("__main__.Limiter", {"rate": 5}),
    "geocoder": ("__main__.Geocoder", {"limiter": "@limiter", "precision": 3}),
    "zones": ("__main__.Zones", {}),
}
CLASSES = {"Limiter": Limiter, "Geocoder": Geocoder, "Zones": Zones}

class Container:
    def __init__(self, bindings):
        self.bindings = dict(bindings)
        self.made = {}

    def get(self, name):
        if name not in self.made:
            target, options = self.bindings[name]
            {locate}
            wired = {key: {value} for key, value in options.items()}
            self.made[name] = factory(**wired)
        return self.made[name]

def main():
    service = Container(BINDINGS).get({name})
    with ProcessPoolExecutor(2) as executor:
        print(executor.submit(service.find, "1 High St").result())

if __name__ == "__main__":
    main()
"""
WIRED = "self.get(value[1:]) if isinstance(value, str) and value.startswith('@') else value"


def found(locate: str, value: str = WIRED, name: str = '"geocoder"') -> list[str]:
    program = PROGRAM.replace("{locate}", locate).replace("{value}", value).replace("{name}", name)
    return [code for _, code in marks(program)]


@pytest.mark.parametrize(
    "locate",
    [
        "module, _, attribute = target.rpartition('.')\n            factory = CLASSES[attribute]",
        "_, _, attribute = target.partition('.')\n            factory = CLASSES[attribute]",
        "factory = CLASSES[target.rsplit('.', 1)[1]]",
        "factory = CLASSES[target.split('.')[-1]]",
        "factory = CLASSES[target.removeprefix('__main__.')]",
        "factory = globals()[target.rpartition('.')[2]]",
    ],
)
def test_a_text_that_is_cut_names_the_class(locate: str) -> None:
    assert found(locate) == ["LP111"]


SERVICES = """
import threading

class Geocoder:
    def __init__(self):
        self.guard = threading.Lock()

class Zones:
    pass
"""
LOCATE = "factory = CLASSES[target.rpartition('.')[2]]"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("self.get(value[1:])", '"geocoder"'),
        ("Limiter() if value == '@limiter' else value", '"geocoder"'),
    ],
)
def test_what_is_put_in_under_names_that_are_not_known(value: str, name: str) -> None:
    assert found(LOCATE, value, name) == ["LP111"]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        # Another class.
        ("Limiter() if value == '@limiter' else value", '"zones"'),
        # Nothing with a lock is put in.
        ("str(value)", '"geocoder"'),
    ],
)
def test_other_classes_and_values(value: str, name: str) -> None:
    assert found(LOCATE, value, name) == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("getattr(importlib.import_module('services'), 'Geocoder')()", ["LP111"]),
        ("getattr(importlib.import_module('services.Geocoder'.rpartition('.')[0]), 'Geocoder')()", ["LP111"]),
        ("importlib.import_module('services').Geocoder()", ["LP111"]),
        ("importlib.import_module('services').Zones()", []),
        ("importlib.import_module('others').Geocoder()", []),
        ("importlib.import_module(name).Geocoder()", []),
        ("importlib.import_module('.services', name).Geocoder()", []),
    ],
)
def test_a_module_is_imported_by_name(tmp_path: Path, given: str, code: list[str]) -> None:
    (tmp_path / "services.py").write_text(SERVICES)
    (tmp_path / "run.py").write_text(
        f"import copy\nimport importlib\n\n\ndef main(name):\n    return copy.deepcopy({given})\n\n\nmain('services')\n"
    )
    outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True))
    assert [each.code for each in outcome.diagnostics] == code


@pytest.mark.parametrize(
    ("keeps", "code"),
    [
        ("self.made[name] = Limiter()\n        return self.made[name]", ["LP111"]),
        (
            "if name not in self.made:\n            self.made[name] = Limiter()\n        return self.made[name]",
            ["LP111"],
        ),
        ("self.made[name] = Limiter()\n        return len(self.made[name])", []),
    ],
)
def test_what_a_method_has_put_into_a_mapping_is_what_it_finds_there(keeps: str, code: list[str]) -> None:
    program = f"""
import copy
import threading

class Limiter:
    def __init__(self):
        self.guard = threading.Lock()

class Container:
    def __init__(self):
        self.made = {{}}

    def get(self, name, other):
        {keeps}

def main(name, other):
    return copy.deepcopy(Container().get(name, other))

main("a", "b")
"""
    assert [each for _, each in marks(program)] == code
