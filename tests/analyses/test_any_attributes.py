"""Objects of settings that main gives attributes whose names are not written out."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.support import marks

PROGRAM = """
import argparse
import json
from concurrent.futures import ProcessPoolExecutor

class Settings:
    def __init__(self):
        self.currency = "EUR"
        self.places = 2

    {update}

settings = Settings()

def show(amount):
    return f"{round(amount, settings.places)} {settings.currency}"

def parse():
    parser = argparse.ArgumentParser()
    {options}
    return parser.parse_args()

def main():
    {main}
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(show, [1.5, 2.25])))

if __name__ == "__main__":
    main()
"""
IN_LOOP = """def update(self, **values):
        for key, value in values.items():
            if not hasattr(self, key):
                raise KeyError(key)
            setattr(self, key, value)"""
OPTIONS = 'parser.add_argument("--currency")'


def codes(update: str, main: str, options: str = OPTIONS) -> list[str]:
    program = PROGRAM.replace("{update}", update).replace("{main}", main).replace("{options}", options)
    return [code for _, code in marks(program)]


@pytest.mark.parametrize("options", [OPTIONS, "pass"])
@pytest.mark.parametrize(
    "update",
    [
        IN_LOOP,
        "def update(self, **values):\n        self.__dict__.update(values)",
        "def update(self, **values):\n        vars(self).update(values)",
        "def update(self, **values):\n        for name in values:\n            setattr(self, name, values[name])",
        "def update(self, **values):\n        self._take(values)\n\n"
        "    def _take(self, values):\n        for name in values:\n            setattr(self, name, values[name])",
    ],
)
@pytest.mark.parametrize(
    "main", ["settings.update(**vars(parse()))", "settings.update(**json.load(open('shop.json')))"]
)
def test_a_method_stores_whatever_main_gives_it(update: str, main: str, options: str) -> None:
    assert codes(update, main, options) == ["LP210"]


@pytest.mark.parametrize(
    "main",
    [
        "for name, value in vars(parse()).items():\n        setattr(settings, name, value)",
        "settings.__dict__.update(vars(parse()))",
    ],
)
def test_main_stores_each_option(main: str) -> None:
    assert codes("pass", main) == ["LP210"]


@pytest.mark.parametrize(
    ("update", "main"),
    [
        # Nobody calls it.
        (IN_LOOP, "parse()"),
        # Its names are those of its class.
        ("def update(self):\n        for name in ('a', 'b'):\n            setattr(self, name, 0)", "settings.update()"),
        # It only shows them.
        (
            "def update(self, **values):\n        for name in values:\n            getattr(self, name)",
            "settings.update(a=1)",
        ),
        # Another object gets them.
        (IN_LOOP, "Settings().update(**vars(parse()))"),
    ],
)
def test_other_methods_and_objects(update: str, main: str) -> None:
    assert codes(update, main, "pass") == []


def test_what_a_worker_does_not_read_is_left_alone() -> None:
    program = PROGRAM.replace("{update}", IN_LOOP).replace("{main}", "settings.update(**vars(parse()))")
    unread = program.replace('f"{round(amount, settings.places)} {settings.currency}"', "repr(amount)")
    assert marks(unread.replace("{options}", OPTIONS)) == []


def test_workers_may_do_the_same() -> None:
    program = PROGRAM.replace("{update}", IN_LOOP).replace("{main}", "values = vars(parse())\n    configure(values)")
    program = program.replace("Executor(2)", "Executor(2, initializer=configure, initargs=(values,))")
    configure = "def configure(values):\n    settings.update(**values)\n\ndef show("
    assert marks(program.replace("{options}", OPTIONS).replace("def show(", configure)) == []


OF_CLASS = """
import json
from concurrent.futures import ProcessPoolExecutor

class Settings:
    currency = "EUR"
    places: int = 2

    {update}

class Priced:
    @property
    def settings(self):
        return Settings

class Bill(Priced):
    def __init__(self, amount):
        self.amount = amount

    def show(self, _):
        return {shown}

def main():
    {main}
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(Bill(1.5).show, [1, 2])))

if __name__ == "__main__":
    main()
"""
OF_EACH = """@classmethod
    def load(cls, values):
        for key, value in values.items():
            setattr(cls, key, value)"""
LOADED = "Settings.load(json.load(open('shop.json')))"


def _codes_of_class(update: str, main: str, shown: str) -> list[str]:
    program = OF_CLASS.replace("{update}", update).replace("{main}", main).replace("{shown}", shown)
    return [code for _, code in marks(program)]


@pytest.mark.parametrize("shown", ["round(self.amount, Settings.places)", "round(self.amount, self.settings.places)"])
@pytest.mark.parametrize(
    "update",
    [
        OF_EACH,
        "@classmethod\n    def load(cls, given):\n        for key in given:\n            setattr(cls, key, given[key])",
    ],
)
def test_a_class_method_stores_on_the_class_whatever_main_loads(update: str, shown: str) -> None:
    assert _codes_of_class(update, LOADED, shown) == ["LP210"]


@pytest.mark.parametrize(
    ("update", "main", "shown"),
    [
        pytest.param(OF_EACH, "print(json)", "round(self.amount, Settings.places)", id="nobody calls it"),
        pytest.param(OF_EACH, LOADED, "round(self.amount, 2)", id="workers do not read the class"),
        pytest.param(OF_EACH, LOADED, "self.settings is not None", id="workers read none of its attributes"),
        pytest.param(
            "def load(self, values):\n        for key, value in values.items():\n            setattr(self, key, value)",
            "Settings().load(json.load(open('shop.json')))",
            "round(self.amount, Settings.places)",
            id="an object gets them",
        ),
    ],
)
def test_classes_that_are_as_at_import(update: str, main: str, shown: str) -> None:
    assert _codes_of_class(update, main, shown) == []


def test_workers_may_store_the_same_on_the_class() -> None:
    program = OF_CLASS.replace("{update}", OF_EACH).replace("{shown}", "round(self.amount, Settings.places)")
    program = program.replace("{main}", "values = json.load(open('shop.json'))\n    Settings.load(values)")
    assert [code for _, code in marks(program)] == ["LP210"]
    assert not marks(program.replace("Executor(2)", "Executor(2, initializer=Settings.load, initargs=(values,))"))


PREFIXES = """
from concurrent.futures import ProcessPoolExecutor

PREFIXES = ["a", "b"]

def is_kept(name):
    return name[0] in PREFIXES

class Unused:
    def __init__(self, names):
        self.sets = {{}}
        for name in names:
            {statement}

def main():
    unused = Unused(["prefixes"])
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(is_kept, ["apple", "cherry"])), unused)

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("globals()[name.upper()] = []", True),
        ("globals()[name.upper()] += ['c']", True),
        ("globals()[name.upper()].append('c')", True),
        ("globals()[name.upper()][0] = 'c'", True),
        ("self.sets[name] = set(globals()[name.upper()])", False),
        ("self.sets[name] = globals()[name.upper()]", False),
        ("print(globals()[name.upper()] == ['a'])", False),
        ("print(globals()[name.upper()][0])", False),
        ("print(globals()[name.upper()].index('a'))", False),
    ],
)
def test_a_global_whose_name_is_computed(statement: str, fires: bool) -> None:
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True, "target-version": "3.11"})
    outcome = lint_source(PREFIXES.format(statement=statement), "example.py", resolver=resolver)
    assert any(each.code == "LP210" for each in outcome.diagnostics) is fires
