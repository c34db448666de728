"""LP122: functions that are wrapped for all, and those that are wrapped for who asks for it."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.held_objects import DATA, IMPORTS
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP122"


TEXT = """\
import speeds
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def step(row):
    return row


class Rows(Dataset):
    def __init__(self, fast=False):
        self.step = step
        {store}

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.step(index)


def main(fast):
    for batch in DataLoader(Rows({given}), num_workers=2):
        print(batch)


if __name__ == "__main__":
    main(True)
"""


@pytest.mark.parametrize(
    ("store", "given", "is_found"),
    [
        ("self.step = torch.compile(step)", "", True),
        ("if fast:\n            self.step = torch.compile(step)", "True", True),
        ("if fast:\n            self.step = torch.compile(step)", "False", False),
        ("if speeds.are_wanted():\n            self.step = torch.compile(step)", "True", False),
    ],
)
def test_what_is_wrapped_behind_an_option(store: str, given: str, is_found: bool) -> None:
    assert ("LP122" in [code for _, code in marks(TEXT.format(store=store, given=given))]) == is_found


@pytest.mark.parametrize(
    ("imported", "statement"),
    [
        ("from functools import cache", "self.load = cache(outer)"),
        ("from functools import cache", "self.load = cache(self._read)"),
        ("from functools import lru_cache", "self.load = lru_cache(None)(outer)"),
        ("from torch import compile", "self.load = compile(outer)"),
        ("from torch import no_grad", "self.load = no_grad()(outer)"),
        ("from torch import vmap", "self.load = vmap(outer)"),
        ("from torch.func import grad", "self.load = grad(outer)"),
    ],
)
def test_wrappers_however_they_are_imported(imported: str, statement: str) -> None:
    data = DATA.format(body=" " * 8 + statement)
    text = f"{imported}\nfrom torch.utils.data import Dataset\ndef outer(x):\n    return x\n{data}"
    assert [code for _, code in marks(text)] == ["LP122"]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("self.make = functools.lru_cache(None)(Row)", ["LP122"]),
        ("self.make = functools.cache(Row)", ["LP122"]),
        ("self.make = functools.partial(Row)", []),
        ("self.make = functools.cache(Row)(1)", []),
    ],
)
def test_caches_around_classes(statement: str, found: list[str]) -> None:
    row = "\nclass Row:\n    def __init__(self, x):\n        self.x = x\n\n"
    text = IMPORTS + row + DATA.format(body=" " * 8 + statement)
    assert [code for _, code in marks(text) if code != "LP301"] == found


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("self.load = functools.lru_cache(None)(json.loads)", ["LP122"]),
        ("self.list = functools.cache(os.listdir)", ["LP122"]),
        ("self.read = functools.lru_cache(maxsize=8)(imread)", ["LP122"]),
        ("self.load = functools.partial(json.loads)", []),
        ("self.load = functools.lru_cache(None)(json.loads)(text)", []),
        ("self.load = torch.compile(torch.relu)", []),  # gap: whether that keeps a name is not known
        ("self.load = json.loads", []),
    ],
)
def test_caches_around_functions_of_libraries(statement: str, found: list[str]) -> None:
    imported = "import json\nimport os\nfrom cv2 import imread\n"
    text = imported + IMPORTS + DATA.format(body=" " * 8 + statement)
    assert [code for _, code in marks(text) if code != "LP301"] == found


def test_the_error_leaves_out_where_a_library_defines_the_function() -> None:
    text = "import os\n" + IMPORTS + DATA.format(body="        self.list = functools.cache(os.listdir)")
    errors = [each.error for each in lint(text).diagnostics if each.code == "LP122"]
    assert errors == [
        "_pickle.PicklingError: Can't pickle <functools._lru_cache_wrapper object at 0x…>: "
        "it's not the same object as ….listdir"
    ]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("self._read = logged(self._read)", ["LP122"]),
        ("self.load = logged(self._read)", ["LP122"]),
        ("self.load = logged(Data._read)", ["LP122"]),
        ("self._read = plain(self._read)", ["LP103"]),
        ("self.load = logged(lambda x: x)", ["LP103"]),
        ("self._read = self._read", []),
        ("self._read = functools.partial(self._read)", []),
    ],
)
def test_what_a_decorator_of_the_program_gives(statement: str, found: list[str]) -> None:
    before = (
        "\ndef logged(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return f(*a)\n    return inner\n"
        "\ndef plain(f):\n    def inner(*a):\n        return f(*a)\n    return inner\n"
    )
    text = IMPORTS + before + DATA.format(body=" " * 8 + statement)
    assert [code for _, code in marks(text) if code != "LP301"] == found


PLAIN = """\
import functools


class Resample:
    def __init__(self, rate):
        self.rate = rate


class Normalizer:
    def __init__(self, rate):
        self.rate = rate
        {statement}

    def _make(self, rate):
        return Resample(rate)
"""


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.make = functools.lru_cache(maxsize=12)(Resample)", True),
        ("self.make = functools.cache(self._make)", True),
        ("self.made = functools.lru_cache(maxsize=12)(Resample)(rate)", False),
        ("make = functools.lru_cache(maxsize=12)(Resample)", False),
        ("self.make = functools.partial(Resample, rate)", False),
    ],
)
def test_classes_that_nothing_in_sight_ships(statement: str, fires: bool) -> None:
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    outcome = lint_source(PLAIN.format(statement=statement), "example.py", resolver=resolver)
    assert [each.code for each in outcome.diagnostics] == (["LP122"] if fires else [])


REGISTRY = """\
import functools
from multiprocessing import Pool

TABLE = {{}}


def register(name, minimum=0):
    def decorate(fn):
        {before}
        def guarded(x):
            return float(fn(x)) if x > minimum else 0.0
        TABLE[name] = {kept}
        return {given}
    return decorate


def get(name):
    return TABLE[name]


@register("double")
def double(x):
    return 2 * x


@register("half", minimum=1)
def half(x):
    return x / 2


def main():
    with Pool(2) as pool:
        {use}


if __name__ == "__main__":
    main()
"""
WRAPPED = "@functools.wraps(fn)"


def _in_registry(use: str, before: str = WRAPPED, kept: str = "guarded", given: str = "fn") -> list[str]:
    return [code for _, code in marks(REGISTRY.format(before=before, kept=kept, given=given, use=use))]


EACH = "for name, function in TABLE.items():\n            print(name, pool.map(function, [1, 2]))"


@pytest.mark.parametrize("use", ['print(pool.map(TABLE["double"], [1, 2]))', 'pool.map(get("half"), [1])', EACH])
def test_a_registered_wrapper_whose_decorator_gives_the_function_back(use: str) -> None:
    assert _in_registry(use) == ["LP122"]


@pytest.mark.parametrize("use", ['print(pool.map(TABLE["double"], [1, 2]))', 'pool.map(get("half"), [1])', EACH])
@pytest.mark.parametrize(("kept", "given"), [("guarded", "guarded"), ("fn", "fn")])
def test_a_registered_function_that_its_name_leads_to(use: str, kept: str, given: str) -> None:
    assert _in_registry(use, kept=kept, given=given) == []


def test_a_registered_wrapper_that_stays_in_the_process() -> None:
    assert _in_registry('print(TABLE["double"](2), pool.map(double, [1, 2]))') == []
    assert _in_registry('print([TABLE["half"](x) for x in pool.map(abs, [1, 2])])') == []


def test_a_registered_function_of_the_decorator() -> None:
    assert _in_registry('pool.map(TABLE["double"], [1, 2])', before="print(name)") == ["LP202"]
    assert _in_registry('pool.map(TABLE["double"], [1, 2])', kept="lambda x: float(fn(x))") == ["LP201"]
