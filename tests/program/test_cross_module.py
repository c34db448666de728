"""What modules tell each other."""

from __future__ import annotations

from lintpickle.program.cross_module import Question, Told

ORDER = {"a": 0, "b": 1, "c": 2}
TOPIC = ("shipped", "x.py", 3)


def test_others_are_told() -> None:
    told = Told(ORDER)
    assert not told.is_told("c", TOPIC)
    told.tell("a", TOPIC)
    assert told.is_told("b", TOPIC)
    assert told.questions == {"c": {Question(TOPIC, False): False}, "b": {Question(TOPIC, False): True}}


def test_earlier_ones_are_asked() -> None:
    told = Told(ORDER)
    told.tell("b", TOPIC)
    assert not told.is_told("a", TOPIC, earlier=True)
    assert told.is_told("c", TOPIC, earlier=True)


def test_what_a_module_tells_itself_is_no_question() -> None:
    told = Told(ORDER)
    told.tell("b", TOPIC)
    assert told.is_told("b", TOPIC)
    assert told.questions == {}
    assert not told.answer("b", Question(TOPIC, False)), "nobody else says so"


def test_what_was_told_before() -> None:
    told = Told(ORDER, {"b": {TOPIC}})
    assert told.is_told("a", TOPIC)
    assert not told.is_told("a", TOPIC, earlier=True)
    assert told.topics == {}
