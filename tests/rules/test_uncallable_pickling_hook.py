"""LP614: uncallable-pickling-hook."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import KEPT, rows
from tests.support import lint


class TestPage(PageTests):
    code = "LP614"


def _class(method: str, base: str = "object", more: str = "") -> str:
    return f"""\
import functools
import unknown
from collections import defaultdict


class A({base}):
    def __init__(self, *items):
        self.items = items

    {method}
        return {{}}
{more}"""


@pytest.mark.parametrize(
    "method",
    [
        "def __getstate__(self, state):",
        "def __getstate__(self, *, deep):",
        "def __getstate__():",
        "def __setstate__(self):",
        "def __setstate__(self, **state):",
        "def __setstate__(self, state, version):",
        "def __reduce__(self, protocol):",
        "def __reduce_ex__(self):",
        "def __getnewargs__(self, names):",
        "def __getnewargs_ex__(self, names):",
        "@staticmethod\n    def __getstate__(self):",
    ],
)
def test_what_pickle_cannot_call(method: str) -> None:
    assert rows(_class(method) + KEPT, "LP614") == [10 + method.count("\n")]


@pytest.mark.parametrize(
    "method",
    [
        "def __getstate__(self):",
        "def __getstate__(self, *args, **kwargs):",
        "def __getstate__(*args):",
        "def __getstate__(self, deep=False):",
        "def __setstate__(self, state, /):",
        "def __setstate__(self, state, version=1):",
        "def __reduce_ex__(self, *args):",
        "@classmethod\n    def __getstate__(cls):",
        "@staticmethod\n    def __reduce__():",
        "@functools.wraps(print)\n    def __getstate__(self, state):",
        "def getstate(self, state):",
    ],
)
def test_what_pickle_can_call(method: str) -> None:
    assert rows(_class(method) + KEPT, "LP614") == []


@pytest.mark.parametrize(
    ("base", "fires"),
    [("dict", True), ("str", True), ("ValueError", False), ("defaultdict", False), ("unknown.Base", False)],
)
def test_which_bases_ask_for_the_state(base: str, fires: bool) -> None:
    assert bool(rows(_class("def __getstate__(self, state):", base) + KEPT, "LP614")) is fires


@pytest.mark.parametrize(
    "more",
    [
        "\n    def __reduce__(self):\n        return A, ()\n",
        "\n    def __reduce_ex__(self, protocol):\n        return A, ()\n",
        "\n    __getstate__ = object.__getstate__\n",
    ],
)
def test_another_hook_decides(more: str) -> None:
    assert rows(_class("def __getstate__(self, state):", more=more) + KEPT, "LP614") == []


def test_the_hook_of_a_base_class_is_found_where_it_stands() -> None:
    text = _class("def __getstate__(self, state):").replace("class A", "class Base") + "\n\nclass A(Base):\n    pass\n"
    assert rows(text + KEPT, "LP614") == [10]


def test_a_class_that_mends_what_it_inherits_is_right() -> None:
    derived = "\n\nclass A(Base):\n    def __getstate__(self):\n        return super().__getstate__(None)\n"
    text = _class("def __getstate__(self, state):").replace("class A", "class Base") + derived
    assert rows(text + KEPT, "LP614") == []


def test_a_registered_reducer_decides() -> None:
    text = _class("def __getstate__(self, state):", more="\n\nimport copyreg\n\ncopyreg.pickle(A, lambda a: (A, ()))\n")
    assert rows(text + KEPT, "LP614") == []


def test_what_nobody_ships_is_only_possible() -> None:
    outcome = lint(_class("def __getstate__(self, state):"))
    assert (outcome.diagnostics, outcome.held_back) == ((), 1)


def test_a_copy_of_a_module() -> None:
    assert rows(
        _class("def __deepcopy__(self):", "nn.Module").replace("import unknown", "from torch import nn") + KEPT, "LP614"
    ) == [10]


def _hook(method: str, base: str = "object", more: str = "") -> str:
    return f"""\
import unknown
from torch.utils.data import Dataset


class Parent:
    def __getstate__(self, deep):
        return {{}}

    def __setstate__(self):
        pass


class A({base}):
    def __init__(self, *items):
        self.items = items

    {method}
{more}"""


@pytest.mark.parametrize(
    ("method", "base"),
    [
        ("def __reduce_ex__(self, protocol):\n        return super().__reduce_ex__()", "object"),
        ("def __reduce_ex__(self, protocol):\n        return super(A, self).__reduce_ex__()", "Dataset"),
        ("def __reduce_ex__(self, protocol):\n        return super().__reduce__(protocol)", "dict"),
        ("def __reduce__(self):\n        return super().__reduce__(2)", "object"),
        ("def __getstate__(self):\n        return super().__getstate__()", "Parent"),
        ("def __setstate__(self, state):\n        super().__setstate__(state)", "Parent"),
    ],
)
def test_a_hook_that_calls_its_parents_with_other_arguments(method: str, base: str) -> None:
    assert 18 in rows(_hook(method, base) + KEPT, "LP614")


@pytest.mark.parametrize(
    ("method", "base"),
    [
        ("def __reduce_ex__(self, protocol):\n        return super().__reduce_ex__(protocol)", "object"),
        ("def __reduce_ex__(self, protocol):\n        return super().__reduce_ex__(*self.items)", "object"),
        ("def __reduce_ex__(self, protocol):\n        return super().__reduce__()", "object"),
        ("def __reduce__(self):\n        return super().__reduce__()", "dict"),
        ("def __reduce__(self):\n        return super().__reduce_ex__(2)", "dict"),
        ("def __getstate__(self):\n        return super().__getstate__(True)", "Parent"),
        ("def __reduce_ex__(self, protocol):\n        return super().__reduce_ex__()", "unknown.Base"),
        ("def __reduce_ex__(self, protocol):\n        return A, (super().__len__(),)", "list"),
        ("def parts(self):\n        return super().__reduce_ex__()", "object"),
        (
            "def __reduce__(self):\n        if not self.items:\n            return super().__reduce__(2)\n"
            "        return A, ()",
            "object",
        ),
    ],
)
def test_a_hook_that_calls_its_parents_as_these_allow(method: str, base: str) -> None:
    assert not {17, 18, 19} & {*rows(_hook(method, base) + KEPT, "LP614")}
