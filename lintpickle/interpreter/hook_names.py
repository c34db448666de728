"""Names and methods of the program that a pickling hook of an instance uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Name
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ConstantValue,
    ContainerValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
    Slot,
    TracedValue,
)
from lintpickle.interpreter.held import mangled
from lintpickle.interpreter.hook_classes import HookClasses
from lintpickle.interpreter.hook_values import NOT_KNOWN, HookValue, Known, OneClass, Parts
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.limits import HOOK_VALUES, Limit
from lintpickle.program.module import Module

_PROPERTIES = ("property", "cached_property")


class Method(Struct, frozen=True, eq=False):
    """A function of a module, or a method that the class `owner` defines, with its statements."""

    module: Module
    facts: FunctionFacts
    tree: ast.FunctionDef
    owner: ClassValue | None = None

    @property
    def is_static(self) -> bool:
        """Whether the method receives no instance."""
        return self.facts.decorated_by("staticmethod")

    @property
    def binds_class(self) -> bool:
        """Whether it gets the class."""
        return self.facts.decorated_by("classmethod")

    def mangled(self, name: str) -> str:
        """A name as Python writes it in the method."""
        return mangled(name, self.owner.facts.name) if self.owner is not None else name


class HookNames:
    """What the names in the hooks of one instance mean."""

    def __init__(self, evaluator: Interpreter, instance: InstanceValue) -> None:
        self._evaluator = evaluator
        self._instance = instance
        self._methods: dict[int, Method | None] = {}
        self.classes = HookClasses(evaluator.classes, instance)

    def method(self, name: str, after: ClassValue | None = None) -> Method | None:
        """The method that the instance has under a name; with `after`, the one behind that class (`super()`)."""
        found = self._evaluator.classes.find_method(self._instance, name, after)
        if found is None or found[1].decorated_by(*_PROPERTIES):
            return None
        return self._read(found[0].module, found[1], found[0])

    def parents_method(self, name: str, method: Method) -> Method | None:
        """What `super().name` is in a method."""
        return self.method(name, method.owner) if method.owner is not None else None

    def is_of_plain_object(self) -> bool:
        """Whether `__getstate__` behind those of the classes that are read is that of `object`: it gives the `__dict__`
        of the instance itself, not a copy (measured with CPython 3.11 to 3.13)."""
        line = self._evaluator.classes.mro(self._instance)
        return all(isinstance(each, ClassValue) or each.path == "builtins.object" for each in line)

    def property(self, name: str) -> Method | None:
        """The method that runs when an attribute is read."""
        found = self._evaluator.classes.find_method(self._instance, name)
        if found is None or not found[1].decorated_by(*_PROPERTIES):
            return None
        return self._read(found[0].module, found[1], found[0])

    def method_of(self, owner: str, name: str, method: Method) -> Method | None:
        """What `Owner.name` or `module.name` is, as a method writes it."""
        for traced in self._values(owner, method):
            if isinstance(traced.value, ClassValue):
                found = self._evaluator.classes.find_method(traced.value, name)
                return self._read(found[0].module, found[1], found[0]) if found is not None else None
            frame = Frame(method.module, method.facts)
            for each in self._evaluator.attribute(traced, name, traced.site, frame):
                if isinstance(each.value, FunctionValue):
                    return self._read(each.value.module, each.value.facts, None)
        return None

    def function(self, name: str, method: Method) -> Method | None:
        """The function of the program that a name stands for in a method."""
        for traced in self._values(name, method):
            if isinstance(traced.value, FunctionValue) and not traced.value.is_nameless:
                return self._read(traced.value.module, traced.value.facts, None)
        return None

    def named(self, name: str, method: Method) -> HookValue:
        """What a name of the module stands for."""
        return self._value(self._values(name, method), 0)

    def note(self, limit: Limit) -> None:
        """A run of a hook has reached a limit."""
        self._evaluator.cuts.note(limit)

    def attribute(self, name: str) -> HookValue:
        """What the instance has under another name than the one that is asked for."""
        class_ = self._instance.class_
        site = Site(class_.module, class_.facts.header)
        return self._value(tuple(self._evaluator.classes.instance_attribute(self._instance, name, site)), 0)

    def of_class(self, given: tuple[HookValue, ...]) -> HookValue:
        """What a class of the hierarchy, or the `__dict__` of one, has: `getattr(cls, "name", default)`."""
        match given:
            case (OneClass() as asked, Known(value=str() as name), *defaults):
                found = self._in_class(asked, name)
                return found or (defaults[0] if defaults else NOT_KNOWN)
            case _:
                return NOT_KNOWN

    def is_in_class(self, given: tuple[HookValue, ...], answer: bool = True) -> HookValue:
        """Whether it has that: `answer` if so, else the opposite."""
        match given:
            case (OneClass() as asked, Known(value=str() as name)):
                found = self._in_class(asked, name)
                return found if found is NOT_KNOWN else Known((found is not None) is answer)
            case _:
                return NOT_KNOWN

    def given_class(self, called: str, given: tuple[HookValue, ...]) -> HookValue:
        """What a function of Python's own gives that gets a class first."""
        first = given[0] if isinstance(given[0], OneClass) else self.classes.own
        match called:
            case "vars":
                return first.own_dict()
            case "getattr":
                return self.of_class((first, *given[1:]))
            case "hasattr":
                return self.is_in_class((first, *given[1:]))
            case _:
                return NOT_KNOWN

    def _in_class(self, asked: OneClass, name: str) -> HookValue | None:
        """What it has; None if it has nothing."""
        found = self.classes.stored(asked, name)
        if not isinstance(found, tuple):
            return found
        value, owner = found
        return self._value(self._evaluator.evaluate(value, self._evaluator.classes.body_frame(owner)), 0)

    def _values(self, name: str, method: Method) -> tuple[TracedValue, ...]:
        span = Span(method.facts.span.start, method.facts.span.start)
        return self._evaluator.evaluate(Name(span, name), Frame(method.module, method.facts))

    def _read(self, module: Module, facts: FunctionFacts, owner: ClassValue | None) -> Method | None:
        if id(facts) not in self._methods:
            tree = next(_functions(Paths(module, facts.span).tree, facts.name), None)
            self._methods[id(facts)] = Method(module, facts, tree, owner) if tree is not None else None
        return self._methods[id(facts)]

    def _value(self, found: tuple[TracedValue, ...], depth: int) -> HookValue:
        """What one of some values is: nothing is known of it unless they are constants, or hold such."""
        values = [traced.value for traced in found]
        if len(values) == 1 and depth == HOOK_VALUES.most:
            self.note(HOOK_VALUES)
            return NOT_KNOWN
        if len(values) != 1:
            return NOT_KNOWN
        match values[0]:
            case ConstantValue(value=value):
                return Known(value)
            case ContainerValue(kind="dict", slots=slots):
                keys = [slot.key.item for slot in slots if isinstance(slot.key.item, str)]
                return Parts(tuple(map(Known, keys)), len(keys) < len(slots))
            case ContainerValue(kind="list" | "tuple" | "set" | "frozenset", slots=slots, call=call):
                known = [each for slot in slots if slot.is_item for each in self._elements(slot, depth + 1)]
                return Parts(tuple(known), rest=not known and call is not None and bool(call.arguments))
            case _:
                return NOT_KNOWN

    def _elements(self, slot: Slot, depth: int) -> Iterator[HookValue]:
        """What a slot of a container stands for: of one at an unknown place, each of the values that it can be."""
        for traced in self._evaluator.evaluate(slot.value, slot.frame):
            yield self._value((traced,), depth)


def _functions(tree: ast.Module, name: str) -> Iterator[ast.FunctionDef]:
    """The functions of that name in the text of one, which may stand in a block that was put around it."""
    for statement in tree.body:
        inner = statement.body if isinstance(statement, ast.If) else [statement]
        yield from (each for each in inner if isinstance(each, ast.FunctionDef) and each.name == name)
