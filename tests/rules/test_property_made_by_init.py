"""LP616: property-made-by-init."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import KEPT, indented, rows
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP616"


_CLASS = """\
class A:
    count = 0

    def __init__(self, *items):
{body}
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("setattr(self.__class__, 'size', property(len))", [5]),
        ("setattr(type(self), 'size', property(len))", [5]),
        ("type(self).size = property(len)", [5]),
        ("for name in items:\n    setattr(self.__class__, name, property(made(name)))", [6]),
        ("self.__class__.count += 1", []),
        ("self.__class__.count = property(len)", []),
        ("self.__class__.last = items", []),
        ("self.size = property(len)", []),
        ("setattr(self, 'size', property(len))", []),
        ("setattr(items[0].__class__, 'size', property(len))", []),
    ],
)
def test_what_a_constructor_gives_to_its_class(body: str, found: list[int]) -> None:
    assert rows(_CLASS.format(body=indented(body)) + KEPT, "LP616") == found


@pytest.mark.parametrize(
    "more",
    [
        "    def __setstate__(self, state):\n        self.__init__(*state)\n",
        "    def __reduce__(self):\n        return A, ()\n",
        "    def __init_subclass__(cls):\n        cls.size = property(len)\n",
        "    def __getattr__(self, name):\n        return None\n",
    ],
)
def test_what_makes_them_in_other_processes(more: str) -> None:
    text = _CLASS.format(body=indented("type(self).size = property(len)")) + "\n" + more
    assert rows(text + KEPT, "LP616") == []


def test_a_base_class_is_found_where_it_does_that() -> None:
    text = _CLASS.replace("class A", "class Base").format(body=indented("type(self).size = property(len)"))
    derived = "\n\nclass A(Base):\n    def __init__(self, *items):\n        super().__init__()\n"
    assert rows(text + derived + KEPT, "LP616") == [5]


def test_a_copy_stays_in_the_process() -> None:
    text = _CLASS.format(body=indented("type(self).size = property(len)"))
    assert marks(f"import copy\n\n\n{text}\n\ncopied = copy.deepcopy(A())\n") == []


def test_what_nobody_ships_is_only_possible() -> None:
    outcome = lint(_CLASS.format(body=indented("type(self).size = property(len)")))
    assert (outcome.diagnostics, outcome.held_back) == ((), 1)
