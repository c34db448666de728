"""Objects that are given a process and only keep it: `State(actor)`, whose constructor stores it and whose methods
never start it. What a function does with them is asked as for the process itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.boundaries.kept_to_itself import Scrutiny, is_kept
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Frame, FunctionValue
from lintpickle.interpreter.evaluator import Evaluator

_START = "start"
_MOCKS = "unittest.mock."
_ASSERTS = "assert"
"""How the names begin of methods that only compare what they get: `TestCase.assertIs`, `Mock.assert_called_with`."""


class Holders:
    """What of a function's values is a process that it makes, or an object that holds it. Which calls only keep or
    compare what they get is found when the first is asked about."""

    def __init__(self, process: Call, frame: Frame, evaluator: Evaluator) -> None:
        self._process = process
        self._frame = frame
        self._evaluator = evaluator
        self._attributes: dict[int, frozenset[str]] = {}
        """The attributes in which the objects that calls make hold the process, by the calls."""
        self._known: dict[int, tuple[Call, bool]] = {}
        for event in frame.function.events:
            if isinstance(event, Called):
                self.ignores(event.call)

    def is_it(self, value: Expr) -> bool:
        """Whether a value can be the process, or what holds it."""
        return any(map(self._is_one, options_of(without_narrowing(value))))

    def _is_one(self, value: Expr) -> bool:
        found = without_narrowing(value)
        if found is self._process or id(found) in self._attributes:
            return True
        match found:
            case Attribute(base=base, name=name):
                held = [self._attributes.get(id(each)) for each in options_of(without_narrowing(base))]
                return any(names is not None and name in names for names in held)
            case _:
                return False

    def ignores(self, call: Call) -> bool:
        """Whether a call starts nothing of what it gets: it makes an object that only keeps it, or asks it, or makes or
        asks a mock."""
        if call is self._process or not any(self.is_it(each.value) for each in call.arguments):
            return False
        if id(call) not in self._known:
            self._known[id(call)] = (call, False)
            self._known[id(call)] = (call, self._leaves(call))
        return self._known[id(call)][1]

    def _leaves(self, call: Call) -> bool:
        match call.function:
            case Attribute(name=name) if name.startswith(_ASSERTS):
                return True
            case _:
                pass
        callees = [each.value for each in self._evaluator.evaluate(call.function, self._frame)]
        return bool(callees) and all(self._is_left_by(each, call) for each in callees)

    def _is_left_by(self, callee: object, call: Call) -> bool:
        match callee:
            case ExternalValue(path=path):
                return path.startswith(_MOCKS)
            case FunctionValue(facts=facts, bound=None, opaque=False):
                return self._kept_by(facts, call, 0) is not None
            case ClassValue():
                found = self._evaluator.classes.find_method(callee, "__init__")
                kept = self._kept_by(found[1], call, 1) if found is not None else None
                texts = tuple(self._texts(callee))
                if kept is None or any(_reads_to_start(name).search(text) for name in kept for text in texts):
                    return False
                self._attributes[id(call)] = kept | self._attributes.get(id(call), frozenset())
                return True
            case _:
                return False

    def _kept_by(self, function: FunctionFacts, call: Call, place: int) -> frozenset[str] | None:
        """The attributes of its object in which a function stores the process that a call gives it; None if it does
        anything else with that. `place` is that of the first argument."""
        if call.has_unknown_arguments():
            return None
        given, names = call.positional() or (), set[str]()
        by_name = {each.keyword: each.value for each in call.arguments if each.keyword is not None}
        positions = [each.name for each in function.parameters if each.kind in ("positional-only", "positional")]
        got = {name for name, value in zip(positions[place:], given, strict=False) if self.is_it(value)}
        got |= {name for name, value in by_name.items() if self.is_it(value)}
        if len(got) != sum(self.is_it(each.value) for each in call.arguments):
            return None
        me = positions[0] if place and positions else None

        def is_got(value: Expr) -> bool:
            found = without_narrowing(value)
            return isinstance(found, Parameter) and found.owner == function.qualname and found.name in got

        def keeps(event: Store) -> bool:
            target = event.target
            if isinstance(target, Parameter) and target.name == me and event.key is None:
                names.add(event.attribute)
                return True
            return False

        watched = Scrutiny(is_got, _START.__eq__, keeps=keeps)
        return frozenset(names) if is_kept(function, watched, (*function.returns, *function.yields)) else None

    def _texts(self, class_: ClassValue) -> Iterator[str]:
        for base in self._evaluator.classes.mro(class_):
            if isinstance(base, ClassValue):
                yield base.module.code[base.facts.span.start : base.facts.span.end]


def _reads_to_start(attribute: str) -> re.Pattern[str]:
    """Finds where an attribute is read to start it, or to be passed on: all but `.name`, and where it is stored."""
    return re.compile(rf"\.\s*{re.escape(attribute)}\b(?!\s*(?:=(?!=)|\.\s*(?!{_START}\b)\w))")
