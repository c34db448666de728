"""Calls that only ask whether something can be pickled, or are meant to fail: no objects cross there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Collection, Imported, Name, Value, chain, options_of
from lintpickle.project.frames import Frame
from lintpickle.project.things import FunctionThing
from lintpickle.project.ways import Ways
from lintpickle.source import attempts

if TYPE_CHECKING:
    from lintpickle.project.evaluate import Evaluator

_MAY_EXPECT = re.compile(r"raises", re.IGNORECASE)
_MAY_GO_ON = re.compile(r"\bexcept\b|\bsuppress\b")
_ASKED_BY_NAME = re.compile(r"pickle?able|(?:can|test|check|try)_(?:be_)?pickle|serializable", re.IGNORECASE)
"""What stands in the name of a function that tells whether its argument can be pickled."""
_MARKED = ("xfail", "expectedFailure")
_TRIED = frozenset({"pickle", "cloudpickle", "deepcopy"})
"""Kinds of boundaries that pickle at once: any handler of errors is for those of pickle."""
_PICKLES = frozenset({"dump", "dumps"})


class Questions:
    """Tells them apart for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._asking: dict[int, tuple[FunctionFacts, bool]] = {}

    def is_one(self, event: Called, kind: str, frame: Frame) -> bool:
        """Whether a call of a boundary of some kind is a question: its error is caught, and the code goes on."""
        ways = Ways.through(frame)
        if not ways.has(_MAY_GO_ON):
            return False
        return attempts.goes_on_after_errors(*ways.in_tree(event.span.start), only_named=kind not in _TRIED)

    def is_settled(self, event: Called, frame: Frame) -> bool:
        """Whether a call is meant to fail, or what it is given has been asked before whether it can be pickled."""
        return self._is_meant_to_fail(event, frame) or self._is_asked_before(event, frame)

    def _is_meant_to_fail(self, event: Called, frame: Frame) -> bool:
        if frame.function.decorated_by(*_MARKED):
            return True
        ways = Ways.through(frame)
        return ways.has(_MAY_EXPECT) and attempts.is_expected_to_fail(*ways.in_tree(event.span.start))

    def _is_asked_before(self, event: Called, frame: Frame) -> bool:
        given = tuple(_leaves(argument.value for argument in event.call.arguments))
        for other in frame.function.events if given else ():
            if other is event:
                return False
            if isinstance(other, Called) and _are_shared(other.call, given) and self._asks(other.call, frame):
                return True
        return False

    def _asks(self, call: Call, frame: Frame) -> bool:
        """Whether a call asks whether its argument can be pickled, by the name of what is called or by what it does."""
        if len(call.arguments) != 1:
            return False
        match call.function:
            case Attribute(name=name) | Name(name=name):
                pass
            case Imported(target=target):
                name = target.name or ""
            case _:
                return False
        if _ASKED_BY_NAME.search(name):
            return True
        if not isinstance(call.function, (Name, Imported)):
            return False
        found = self._evaluator.evaluate(call.function, frame)
        return any(isinstance(each.thing, FunctionThing) and self._is_probe(each.thing) for each in found)

    def _is_probe(self, thing: FunctionThing) -> bool:
        """Whether a function does nothing but try to pickle what it is given."""
        facts = thing.facts
        if id(facts) not in self._asking:
            frame = Frame(thing.module, facts)
            calls = [event for event in facts.events if isinstance(event, Called)]
            tried = [event for event in calls if getattr(event.call.function, "name", "") in _PICKLES]
            is_probe = len(calls) <= 4 and any(self.is_one(event, "pickle", frame) for event in tried)
            self._asking[id(facts)] = (facts, is_probe)
        return self._asking[id(facts)][1]


def _are_shared(call: Call, given: tuple[Value, ...]) -> bool:
    """Whether the call is given one of some values."""
    asked = tuple(_leaves(argument.value for argument in call.arguments))
    return any(_is_same(one, other) for one in asked for other in given)


def _is_same(first: Value, second: Value) -> bool:
    return first is second or ((names := chain(first)) is not None and names == chain(second))


def _leaves(values: Iterable[Value]) -> Iterator[Value]:
    """Values, and what displays and calls among them are given."""
    for value in values:
        for option in options_of(value):
            yield option
            match option:
                case Collection(elements=elements):
                    yield from _leaves(elements)
                case Call(arguments=arguments):
                    yield from _leaves(argument.value for argument in arguments)
                case _:
                    pass
