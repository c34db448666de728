"""What reading an attribute of a class gives for an object: methods, properties, descriptors, and other values."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call, Expr, Name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.descriptors import Descriptors
from lintpickle.interpreter.fields import value_on_class
from lintpickle.interpreter.own_reads import PROPERTY_DECORATORS
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.taken import taken_returns

_PROPERTY_DEPTH = 3


class ClassReads:
    """Reads for one evaluator."""

    def __init__(self, evaluator: Interpreter, classes: ClassQueries, descriptors: Descriptors) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._descriptors = descriptors
        self._property_frames: dict[tuple[int, int], Frame] = {}
        self._are_properties: dict[int, tuple[FunctionFacts, bool]] = {}

    def forget(self) -> None:
        """Let go of the frames in which properties were read."""
        self._property_frames.clear()

    def from_class(
        self, instance: AbstractValue, name: str, site: Site, after: ClassValue | None
    ) -> Iterator[TracedValue]:
        """What an attribute of a class gives for an instance, or for the class itself; with `after`, of the classes
        that stand behind that one only."""
        found = self._classes.find_method(instance, name, after)
        class_ = instance.class_ if isinstance(instance, InstanceValue) else instance
        if found is not None:
            owner, method = found
            if self.is_property(method, owner):
                yield from self._returned_by(method, owner, instance)
                return
            bound = None if method.decorated_by("staticmethod") else instance
            if method.decorated_by("classmethod"):
                bound = class_
            yield TracedValue(FunctionValue(owner.module, method, owner.frame, bound), site)
            return
        for ancestor in self._classes.mro(instance) if after is None else self._classes.behind(instance, after):
            if isinstance(ancestor, ExternalValue):
                if ancestor.path != "builtins.object":
                    product = self._evaluator.catalog.method_product(ancestor.path, name)
                    if product is not None:
                        yield TracedValue(ExternalValue(f"{ancestor.path}().{name}"), site)
                    else:
                        yield TracedValue(ExternalValue(f"{ancestor.path}.{name}"), site)
                    return
            elif (stored := value_on_class(name, ancestor, self._classes)) is not None:
                descriptor = self._descriptors.of((ancestor,), name)
                getting = self._descriptors.getter(descriptor, instance) if descriptor is not None else None
                if getting is not None:
                    yield from self._given_by(descriptor, getting)
                else:
                    yield from self.read(stored, ancestor, instance)
                return

    def is_property(self, method: FunctionFacts, owner: ClassValue) -> bool:
        """Whether reading a method gives what it returns: by the name of its decorator, or because that is a class of
        the program whose objects are only there to be read by `__get__`."""
        if method.decorated_by(*PROPERTY_DECORATORS):
            return True
        if not method.decorators:
            return False
        if id(method) not in self._are_properties:
            self._are_properties[id(method)] = (method, False)  # while its decorators are sought
            frame = self._classes.body_frame(owner)
            found = (each.value for value in method.decorators for each in self._evaluator.evaluate(value, frame))
            is_property = any(isinstance(each, ClassValue) and self._is_only_read(each) for each in found)
            self._are_properties[id(method)] = (method, is_property)
        return self._are_properties[id(method)][1]

    def _is_only_read(self, class_: ClassValue) -> bool:
        return self._classes.defines(class_, "__get__") and not self._classes.defines(class_, "__call__")

    def _given_by(self, descriptor: InstanceValue | None, getting: Frame) -> Iterator[TracedValue]:
        """What a descriptor gives for an object: not itself, as it does for the class."""
        for value in getting.function.returns:
            for traced in self._evaluator.evaluate(value, getting):
                if traced.value is not descriptor:
                    yield traced

    def _returned_by(self, getter: FunctionFacts, owner: ClassValue, instance: AbstractValue) -> Iterator[TracedValue]:
        """What reading a property gives."""
        frame = self.frame_on(owner, getter, instance)
        for value in taken_returns(frame, self._evaluator):
            yield from self._evaluator.given(value, frame)

    def frame_on(self, owner: ClassValue, method: FunctionFacts, instance: AbstractValue) -> Frame:
        """The frame of reading a property, or of a method that Python calls on an object, one for each instance, and
        deeper than what made that: properties that read each other must end, of one object or of ever new ones."""
        key = (id(instance), id(method))
        if key not in self._property_frames:
            made_in = instance.frame if isinstance(instance, InstanceValue) else None
            depth = max(_PROPERTY_DEPTH, made_in.depth + 1 if made_in is not None else 0)
            binding = _self_binding(method, instance)
            active = (*(made_in.active if made_in is not None else ()), id(method))
            self._property_frames[key] = Frame(owner.module, method, binding, owner.frame, depth, active=active)
        return self._property_frames[key]

    def read(self, value: Expr, owner: ClassValue, instance: AbstractValue | None) -> Iterator[TracedValue]:
        """What reading a value of a class body gives, from an instance if there is one: of `property(getter)`, what
        that returns; of `staticmethod(function)`, the function."""
        for traced in self._evaluator.evaluate(value, self._classes.body_frame(owner)):
            match traced.value:
                case ProductValue(path="builtins.property", call=Call() as call, frame=Frame() as frame) if instance:
                    for getter in self._first_argument(call, frame, owner):
                        if isinstance(getter.value, FunctionValue):
                            yield from self._returned_by(getter.value.facts, owner, instance)
                case ProductValue(
                    path="builtins.staticmethod" | "builtins.classmethod", call=Call() as call, frame=Frame() as frame
                ):
                    yield from self._first_argument(call, frame, owner)
                case _:
                    yield traced

    def _first_argument(self, call: Call, frame: Frame, owner: ClassValue) -> Iterator[TracedValue]:
        match call.positional():
            case (Name(name=name), *_) if name in owner.facts.methods:
                method = owner.facts.methods[name]
                yield TracedValue(FunctionValue(owner.module, method, owner.frame), Site(owner.module, method.header))
            case (value, *_):
                yield from self._evaluator.evaluate(value, frame)
            case _:
                pass


def _self_binding(method: FunctionFacts, instance: AbstractValue) -> dict[str, Bound]:
    return {method.parameters[0].name: Bound(value=instance)} if method.parameters else {}
