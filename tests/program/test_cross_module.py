"""What modules tell each other."""

from __future__ import annotations

from lintpickle.program.cross_module import CrossModuleFacts, Dependency

ORDER = {"a": 0, "b": 1, "c": 2}
TOPIC = ("shipped", "x.py", 3)


def test_others_are_told() -> None:
    told = CrossModuleFacts(ORDER)
    assert not told.is_shared("c", TOPIC)
    told.share("a", TOPIC)
    assert told.is_shared("b", TOPIC)
    assert told.dependencies == {"c": {Dependency(TOPIC, False): False}, "b": {Dependency(TOPIC, False): True}}


def test_earlier_ones_are_asked() -> None:
    told = CrossModuleFacts(ORDER)
    told.share("b", TOPIC)
    assert not told.is_shared("a", TOPIC, earlier=True)
    assert told.is_shared("c", TOPIC, earlier=True)


def test_what_a_module_tells_itself_is_no_question() -> None:
    told = CrossModuleFacts(ORDER)
    told.share("b", TOPIC)
    assert told.is_shared("b", TOPIC)
    assert told.dependencies == {}
    assert not told.answer("b", Dependency(TOPIC, False)), "nobody else says so"


def test_what_was_told_before() -> None:
    told = CrossModuleFacts(ORDER, {"b": {TOPIC}})
    assert told.is_shared("a", TOPIC)
    assert not told.is_shared("a", TOPIC, earlier=True)
    assert told.topics == {}
