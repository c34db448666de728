"""Descriptors that are read: objects in the body of a class by which its objects store and read an attribute."""

from __future__ import annotations

from msgspec.structs import replace

from lintpickle.facts.records import Called
from lintpickle.facts.values import Argument, Attribute, Call, Constant, Expr
from lintpickle.interpreter.abstract_values import AbstractValue, Bound, ClassValue, Done, Frame, InstanceValue
from lintpickle.interpreter.frames import Arguments, bind
from lintpickle.interpreter.protocols import Ancestor, ClassQueries, Interpreter

_NAMES = "__set_name__"


class Descriptors:
    """Finds the descriptors of classes, each one once."""

    def __init__(self, evaluator: Interpreter, classes: ClassQueries) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._known: dict[tuple[int, str], tuple[ClassValue, InstanceValue | None]] = {}
        self._frames: dict[tuple[int, int], tuple[InstanceValue, AbstractValue, Frame | None]] = {}

    def forget(self) -> None:
        """Let go of what was found."""
        self._known.clear()
        self._frames.clear()

    def of(self, line: tuple[Ancestor, ...], name: str) -> InstanceValue | None:
        """The object, of a class that is read, that the first class of a hierarchy with such an attribute has in its
        body; None if that has something else there."""
        for owner in line:
            if isinstance(owner, ClassValue) and (name in owner.facts.methods or name in owner.facts.body):
                return self._in_body(owner, name)
        return None

    def _in_body(self, owner: ClassValue, name: str) -> InstanceValue | None:
        made = owner.facts.body.get(name)
        if not isinstance(made, Call):
            return None
        key = (id(owner.facts), name)
        if key not in self._known:
            self._known[key] = (owner, None)  # while it is sought
            match [traced.value for traced in self._evaluator.evaluate(made, self._classes.body_frame(owner))]:
                case [InstanceValue() as found]:
                    self._known[key] = (owner, self._named(found, made, owner, name))
                case _:
                    pass
        return self._known[key][1]

    def _named(self, found: InstanceValue, made: Call, owner: ClassValue, name: str) -> InstanceValue:
        """The object after Python has told it under which name its class has it."""
        if self._classes.find_method(found, _NAMES) is None:
            return found
        told = (Argument(Expr(made.span)), Argument(Constant(made.span, name)))
        event = Called(made.span, False, (), Call(made.span, Attribute(made.span, made, _NAMES), told))
        done = Done(event, self._classes.body_frame(owner), (), _NAMES)
        return replace(found, done=(*found.done, done))

    def getter(self, descriptor: InstanceValue, instance: AbstractValue) -> Frame | None:
        """The one frame in which a descriptor gives what it has for an object."""
        key = (id(descriptor), id(instance))
        if key not in self._frames:
            self._frames[key] = (descriptor, instance, self._getting(descriptor, instance))
        return self._frames[key][2]

    def _getting(self, descriptor: InstanceValue, instance: AbstractValue) -> Frame | None:
        found = self._classes.find_method(descriptor, "__get__")
        if found is None:
            return None
        owner, function = found
        made_in = instance.frame if isinstance(instance, InstanceValue) else None
        class_ = instance.class_ if isinstance(instance, InstanceValue) else None
        given = (Bound(value=descriptor), Bound(value=instance), Bound(value=class_))
        bindings = bind(function, Arguments(given, {}, False))
        if bindings is None:
            return None
        depth = made_in.depth + 1 if made_in is not None else 1
        active = (*(made_in.active if made_in is not None else ()), id(function))
        return Frame(owner.module, function, bindings, owner.frame, depth, active=active)
