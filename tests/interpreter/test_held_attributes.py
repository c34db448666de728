"""What an object holds by attribute, while its construction is followed: the order of the stores stays, and one store
costs nothing for the other attributes."""

from __future__ import annotations

import time
from typing import Any

from lintpickle.diagnostics import Span
from lintpickle.facts.values import UNNAMED, Constant
from lintpickle.interpreter.abstract_values import Doubt
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.held_attributes import HeldAttributes

_NOWHERE: Any = None
"""The frame and the site: nothing here asks for them."""


def _held(attribute: str, value: int) -> Held:
    return Held(attribute, Constant(Span(0, 0), value), _NOWHERE, _NOWHERE, None, "__init__")


def _with(*stores: tuple[str, int]) -> HeldAttributes:
    attributes = HeldAttributes()
    for attribute, value in stores:
        attributes.store(_held(attribute, value))
    return attributes


def _told(attributes: HeldAttributes) -> list[tuple[str, object, bool]]:
    """What is held, in order, and whether it may be gone."""
    return [(each.attribute, getattr(each.value, "value", None), bool(each.doubts)) for each in attributes.held]


def test_a_store_replaces_what_the_attribute_held() -> None:
    attributes = _with(("a", 1), ("b", 2), ("a", 3))
    assert _told(attributes) == [("b", 2, False), ("a", 3, False)]
    assert [getattr(each.value, "value", None) for each in attributes.of("a")[0].before] == [1]


def test_a_store_that_may_not_be_made_leaves_the_order() -> None:
    attributes = _with(("a", 1), ("b", 2))
    attributes.store(_held("a", 3), replaces=False)
    assert _told(attributes) == [("a", 1, True), ("b", 2, False), ("a", 3, False)]


def test_a_store_under_an_unknown_name_may_be_replaced_by_any_other() -> None:
    attributes = _with((UNNAMED, 1), ("a", 2))
    assert _told(attributes) == [(UNNAMED, 1, True), ("a", 2, False)]
    attributes.store(_held(UNNAMED, 3))
    assert _told(attributes) == [(UNNAMED, 1, True), ("a", 2, False), (UNNAMED, 3, False)], "it replaces nothing surely"


def test_what_is_deleted_was_there_once() -> None:
    attributes = _with(("a", 1), ("b", 2))
    attributes.delete("a", is_certain=True)
    attributes.delete("b", is_certain=False)
    assert _told(attributes) == [("b", 2, True)]
    assert attributes.has_had("a") and not attributes.has_own("a")


def test_what_a_call_has_replaced_that_may_not_be_made_is_kept() -> None:
    attributes = _with(("a", 1), ("b", 2))
    before = attributes.held
    attributes.store(_held("a", 3))
    attributes.keep_from(before, lambda held: False)
    assert _told(attributes) == [("b", 2, False), ("a", 3, False), ("a", 1, True)]
    assert attributes.of("a")[1].doubts == (Doubt.BRANCH,)


def test_only_what_one_way_has_left_is_held() -> None:
    attributes = _with(("a", 1), ("b", 2), ("c", 3))
    attributes.hold_only(attributes.of("b"))
    attributes.store(_held("b", 4))
    assert _told(attributes) == [("b", 4, False)]
    assert attributes.has_had("c")


def test_many_attributes_take_no_longer_each() -> None:
    started = time.process_time()
    _with(*((f"a{number}", number) for number in range(20_000)), *((f"a{number}", 0) for number in range(20_000)))
    assert time.process_time() - started < 5
