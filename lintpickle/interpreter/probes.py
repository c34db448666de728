"""Calls that only ask whether something can be pickled, or are meant to fail: no objects cross there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from lintpickle.control_flow import attempts
from lintpickle.facts.records import Called, Event, FunctionFacts
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Comprehension,
    Expr,
    Imported,
    Item,
    Mapping,
    Name,
    Sum,
    chain,
    options_of,
)
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.interpreter.evaluator import Evaluator

_MAY_EXPECT = re.compile(r"raises", re.IGNORECASE)
_MAY_GO_ON = re.compile(r"\bexcept\b|\bsuppress\b")
_ASKED_BY_NAME = re.compile(r"pickle?able|(?:can|test|check|try)_(?:be_)?pickle|serializable", re.IGNORECASE)
"""What stands in the name of a function that tells whether its argument can be pickled."""
_MARKED = ("xfail", "expectedFailure")
_TRIED = frozenset({"pickle", "cloudpickle", "deepcopy"})
"""Kinds of boundaries that pickle at once: any handler of errors is for those of pickle."""
_PICKLES = frozenset({"dump", "dumps"})
_Key: TypeAlias = "int | tuple[str, ...]"


class Probes:
    """Tells them apart for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._asking: dict[int, tuple[FunctionFacts, bool]] = {}
        self._calls: dict[int, tuple[FunctionFacts, _Calls]] = {}

    def is_one(self, event: Called, kind: str, frame: Frame) -> bool:
        """Whether a call of a boundary of some kind is a question: its error is caught, and the code goes on."""
        ways = frame.paths
        if not ways.has(_MAY_GO_ON):
            return False
        return attempts.goes_on_after_errors(*ways.in_tree(event.span.start), only_named=kind not in _TRIED)

    def is_settled(self, event: Called, frame: Frame) -> bool:
        """Whether a call is meant to fail, or what it is given has been asked before whether it can be pickled."""
        given = _given(event.call)
        return self._is_meant_to_fail(event, frame) or self.is_asked_before(event, given, frame)

    def is_asked_before(self, event: Event, given: Iterable[Expr], frame: Frame) -> bool:
        """Whether the function asked, before an event, whether one of these can be pickled."""
        function = frame.function
        if id(function) not in self._calls:
            self._calls[id(function)] = (function, _Calls.of(function))
        asking = self._calls[id(function)][1].before(event, given)
        return any(self._asks(each, frame) for each in asking)

    def _is_meant_to_fail(self, event: Called, frame: Frame) -> bool:
        if frame.function.decorated_by(*_MARKED):
            return True
        ways = frame.paths
        return ways.has(_MAY_EXPECT) and attempts.is_expected_to_fail(*ways.in_tree(event.span.start))

    def _asks(self, event: Called, frame: Frame) -> bool:
        """Whether a call asks whether its argument can be pickled, by the name of what is called or by what it does."""
        call = event.call
        if _is_named_so(call):
            return True
        if isinstance(call.function, Attribute):
            return self.is_one(event, "pickle", frame)
        found = self._evaluator.evaluate(call.function, frame)
        return any(isinstance(each.value, FunctionValue) and self._is_probe(each.value) for each in found)

    def _is_probe(self, value: FunctionValue) -> bool:
        """Whether a function does nothing but try to pickle what it is given."""
        facts = value.facts
        if id(facts) not in self._asking:
            frame = Frame(value.module, facts)
            calls = [event for event in facts.events if isinstance(event, Called)]
            tried = [event for event in calls if getattr(event.call.function, "name", "") in _PICKLES]
            is_probe = len(calls) <= 4 and any(self.is_one(event, "pickle", frame) for event in tried)
            self._asking[id(facts)] = (facts, is_probe)
        return self._asking[id(facts)][1]


class _Calls(Struct, frozen=True):
    """The calls of a function that may ask, by each key of what they ask about, in order; and the positions of all."""

    by_key: dict[_Key, list[tuple[int, Called]]]
    positions: dict[int, int]

    @classmethod
    def of(cls, function: FunctionFacts) -> _Calls:
        calls = cls({}, {})
        for position, event in enumerate(function.events):
            calls.positions[id(event)] = position
            if isinstance(event, Called):
                for key in set(_keys(_given(event.call))) if _may_ask(event.call) else ():
                    calls.by_key.setdefault(key, []).append((position, event))
        return calls

    def before(self, event: Event, given: Iterable[Expr]) -> Iterator[Called]:
        """The calls before an event that ask about something that it is given."""
        end = self.positions.get(id(event))
        for key in dict.fromkeys(_keys(given)):
            for position, asking in self.by_key.get(key, ()):
                if end is not None and position >= end:
                    break
                yield asking


def _may_ask(call: Call) -> bool:
    """Whether a call, by its form, can ask something: of one thing, by a name or what is known by one."""
    if len(call.arguments) != 1:
        return False
    return isinstance(call.function, (Name, Imported)) or _is_named_so(call) or _is_dumping(call)


def _is_dumping(call: Call) -> bool:
    """Whether a call is `pickle.dumps(…)`, by its form."""
    return isinstance(call.function, Attribute) and call.function.name in _PICKLES


def _is_named_so(call: Call) -> bool:
    """Whether the name of what is called says that it asks."""
    match call.function:
        case Attribute(name=name) | Name(name=name):
            return _ASKED_BY_NAME.search(name) is not None
        case Imported(target=target):
            return _ASKED_BY_NAME.search(target.name or "") is not None
        case _:
            return False


def _given(call: Call) -> Iterator[Expr]:
    return (argument.value for argument in call.arguments)


def _keys(given: Iterable[Expr]) -> Iterator[_Key]:
    """What is given, so that what is the same has a key in common: itself, and how it is written."""
    for value in _leaves(given):
        yield id(value)
        names = chain(value)
        if names is not None:
            yield names


def _leaves(values: Iterable[Expr]) -> Iterator[Expr]:
    """Values, and what displays, sums and calls among them are given, each once."""
    waiting, seen = list(values), set[int]()
    while waiting:
        for option in options_of(waiting.pop()):
            if id(option) in seen:
                continue
            seen.add(id(option))
            yield option
            match option:
                case Collection(elements=parts) | Sum(parts=parts):
                    waiting += parts
                case Mapping(items=items):
                    waiting += (item for _, item in items)
                case Comprehension(element=part) | Item(base=part, key=None):
                    waiting.append(part)
                case Call(arguments=arguments):
                    waiting += (argument.value for argument in arguments)
                case _:
                    pass
