"""Decorators: what a name stands for once decorators have had the function or class that is defined under it.

A decorator that is read is followed to what it returns: what it was given, a function of its own around that, or
something else. The catalog knows others that give back what they get, or a function of its name. Of the rest nothing is
known: a decorated function may be anything then, a class most often is what it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs

from lintpickle.facts.records import ClassFacts, FunctionFacts, Lambda, NestedClass
from lintpickle.facts.values import Argument, Call, Expr, chain, uncalled
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    ContainerValue,
    Doubt,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.protocols import Interpreter

_Made = tuple[TracedValue, ...]
_OPAQUE: _Made = ()
"""What nobody knows."""


def decorating_call(decorator: Expr, function: FunctionFacts) -> Call:
    """The call of a decorator with the function under it."""
    return Call(decorator.span, decorator, (Argument(Lambda(function.header, function)),))


class Decorators:
    """Applies decorators for one evaluator, each once."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._functions: dict[tuple[int, int], tuple[FunctionFacts, Frame, _Made | None]] = {}
        self._classes: dict[int, tuple[ClassFacts, bool]] = {}
        self._around: dict[tuple[int, int], tuple[FunctionFacts, Frame, tuple[FunctionValue, ...]]] = {}

    def forget(self) -> None:
        """Let go of what was found."""
        self._functions.clear()
        self._classes.clear()
        self._around.clear()

    def of_function(self, function: FunctionValue, frame: Frame, site: Site) -> tuple[TracedValue, ...]:
        """What the name of a function stands for, read at `site`; its decorators are read in `frame`."""
        facts = function.facts
        if not facts.decorators:
            return (TracedValue(function, site),)
        key = (id(facts), id(frame))
        if key not in self._functions:
            self._functions[key] = (facts, frame, None)  # What it is to its own decorators.
            self._functions[key] = (facts, frame, self._made_of(function, frame))
        made = self._functions[key][2]
        if made is None:
            return (TracedValue(function, site),)
        if made is _OPAQUE:
            return (TracedValue(structs.replace(function, opaque=True), site),)
        return tuple(TracedValue(each.value, site, each.hops, each.doubts) for each in made)

    def of_class(self, class_: ClassValue, frame: Frame, site: Site) -> TracedValue:
        """What the name of a class stands for: the class, with a doubt where a decorator may have replaced it."""
        facts = class_.facts
        if facts.decorators and id(facts) not in self._classes:
            self._classes[id(facts)] = (facts, True)
            is_kept = all(self._keeps_class(decorator, class_, frame) for decorator in facts.decorators)
            self._classes[id(facts)] = (facts, is_kept)
        is_kept = not facts.decorators or self._classes[id(facts)][1]
        return TracedValue(class_, site) if is_kept else TracedValue(class_, site).doubted(Doubt.DECORATOR)

    def around(self, function: FunctionValue, frame: Frame) -> Iterator[FunctionValue]:
        """The functions of its decorators that run when a function is called by its name, each of which calls it."""
        for decorator in function.facts.decorators:
            if self._is_transparent(decorator, frame):
                continue
            call, site = decorating_call(decorator, function.facts), Site(frame.module, decorator.span)
            for callee in self._evaluator.evaluate(decorator, frame):
                for made in self._evaluator.call(callee.value, call, frame, site):
                    match made.value:
                        case FunctionValue(facts=facts) as inner if facts is not function.facts:
                            if self._bears_its_name(inner, function):
                                yield inner
                        case _:
                            pass

    def around_method(self, method: FunctionValue, frame: Frame) -> tuple[FunctionValue, ...]:
        """The same for a method of a class whose body is read in `frame`, remembered."""
        key = (id(method.facts), id(frame))
        if key not in self._around:
            self._around[key] = (method.facts, frame, ())  # while they are sought
            self._around[key] = (method.facts, frame, tuple(self.around(method, frame)))
        return self._around[key][2]

    def _made_of(self, function: FunctionValue, frame: Frame) -> _Made | None:
        """What all decorators make of a function; None if its name still stands for the function."""
        current: _Made | None = None
        for decorator in reversed(function.facts.decorators):
            made = self._applied(decorator, function, frame)
            if made is not None:
                if current is not None or made is _OPAQUE:
                    return _OPAQUE
                current = made
        return current

    def _applied(self, decorator: Expr, function: FunctionValue, frame: Frame) -> _Made | None:
        if self._is_transparent(decorator, frame):
            return None
        call = decorating_call(decorator, function.facts)
        found = tuple(self._evaluator.evaluate(decorator, frame))
        made = [self._made_by(callee.value, call, function, frame) for callee in found]
        opaque = [callee.value for callee, each in zip(found, made, strict=True) if each is _OPAQUE]
        if None in made and all(map(_is_read, opaque)):
            return None
        return _OPAQUE if opaque or None in made else tuple(each for one in made if one for each in one)

    def _made_by(self, decorator: AbstractValue, call: Call, function: FunctionValue, frame: Frame) -> _Made | None:
        site = Site(frame.module, call.span)
        if isinstance(decorator, ExternalValue):
            path = f"@{decorator.path}"
            product = self._evaluator.catalog.product(path)
            if product is not None and product.first_failing(self._evaluator.pythons):
                return (TracedValue(ProductValue(product, path, call, frame), site),)
        made = tuple(self._evaluator.call(decorator, call, frame, site))
        if any(self._bears_its_name(each.value, function) for each in made):
            return None
        is_known = all(
            isinstance(each.value, (InstanceValue, ContainerValue))
            or (isinstance(each.value, ExternalResult) and self._evaluator.catalog.has_boundaries(each.value.path))
            for each in made
        )
        return made if is_known else _OPAQUE

    def _bears_its_name(self, made: AbstractValue, function: FunctionValue) -> bool:
        """Whether what a decorator gives is the function, or one of the decorator's own that stands around it."""
        if not isinstance(made, FunctionValue) or made.opaque:
            return False
        return made.facts is function.facts or (made.facts.is_local and self._stands_around(made, function))

    def _stands_around(self, made: FunctionValue, function: FunctionValue) -> bool:
        """Whether a function within a decorator names what the decorated function is there. One that does not is for
        another use of the decorator: what takes the function, after options were given."""
        text = made.module.code[made.facts.span.start : made.facts.span.end]
        frame = made.frame
        while frame is not None:
            for name, bound in frame.bindings.items():
                if re.search(rf"\b{re.escape(name)}\b", text) and self._may_be(bound, function):
                    return True
            frame = frame.parent
        return False

    def _may_be(self, bound: Bound, function: FunctionValue) -> bool:
        if bound.expr is None or bound.frame is None:
            return bound.value is None or bound.value is function
        return any(
            isinstance(each.value, FunctionValue) and each.value.facts is function.facts
            for each in self._evaluator.evaluate(bound.expr, bound.frame)
        )

    def _is_transparent(self, decorator: Expr, frame: Frame) -> bool:
        """Whether the catalog knows that the decorator gives what it gets, or a function of that name. A context
        manager that is made by a function may be one, too."""
        is_called = isinstance(decorator, Call)
        target = uncalled(decorator)
        for traced in self._evaluator.evaluate(target, frame):
            match traced.value:
                case ExternalValue(path=path) if self._evaluator.catalog.keeps_decorated(path):
                    pass
                case FunctionValue(facts=facts) if is_called and facts.decorated_by("contextmanager"):
                    pass
                case _:
                    return False
        return True

    def _keeps_class(self, decorator: Expr, class_: ClassValue, frame: Frame) -> bool:
        catalog = self._evaluator.catalog
        names = chain(uncalled(decorator))
        if names is not None and catalog.registers(".".join(names)):
            return True
        if self._is_transparent(decorator, frame):
            return True
        made = self._made_of_class(decorator, class_, frame)
        return any(isinstance(each, ClassValue) and each.facts is class_.facts for each in made)

    def _made_of_class(self, decorator: Expr, class_: ClassValue, frame: Frame) -> tuple[AbstractValue, ...]:
        undecorated = NestedClass(class_.facts.header, class_.facts)
        call = Call(decorator.span, decorator, (Argument(undecorated),))
        return tuple(
            made.value
            for callee in self._evaluator.evaluate(decorator, frame)
            for made in self._evaluator.call(callee.value, call, frame, Site(frame.module, call.span))
        )

    def in_place_of(self, class_: ClassValue, frame: Frame) -> tuple[AbstractValue, ...]:
        """What the decorators of a class put in its place, if one of them is read and does not give the class; empty
        if the class stays, or if that is not known."""
        for decorator in class_.facts.decorators:
            if not self._keeps_class(decorator, class_, frame):
                return self._made_of_class(decorator, class_, frame)
        return ()

    def may_replace(self, class_: ClassValue, frame: Frame) -> bool:
        """Whether a decorator of a class may put something else in its place: what one that is read gives counts before
        its name."""
        for decorator in class_.facts.decorators:
            made = self._made_of_class(decorator, class_, frame)
            is_kept = all(isinstance(each, ClassValue) and each.facts is class_.facts for each in made)
            if not (is_kept if made else self._keeps_class(decorator, class_, frame)):
                return True
        return False


def _is_read(decorator: AbstractValue) -> bool:
    return isinstance(decorator, FunctionValue) and not decorator.opaque
