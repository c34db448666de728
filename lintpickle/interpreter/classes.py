"""Classes over modules: hierarchy, kind, methods, and what attribute access finds."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.methods import Methods, method_named
from lintpickle.facts.records import ClassFacts, FunctionFacts, Raised
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    Doubt,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
    SuperValue,
    TracedValue,
)
from lintpickle.interpreter.attribute_lookup import AttributeLookup
from lintpickle.interpreter.class_kinds import external_kind, kind_in
from lintpickle.interpreter.class_order import ClassOrder
from lintpickle.interpreter.descriptors import Descriptors
from lintpickle.interpreter.instance_state import StateReader
from lintpickle.interpreter.protocols import Ancestor, Interpreter
from lintpickle.program.module import Module

_MAPPING_BASES = frozenset(
    {
        "builtins.dict",
        "collections.OrderedDict",
        "collections.UserDict",
        "collections.defaultdict",
        "collections.Counter",
    }
)


class Classes:
    """Class knowledge of one run, remembered per class."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._order = ClassOrder(evaluator)
        self._descriptors = Descriptors(evaluator, self)
        self._attributes = AttributeLookup(evaluator, self, self._descriptors)
        self._values: dict[int, ClassValue] = {}
        self._kinds: dict[int, str | None] = {}
        self._made: dict[int, bool] = {}
        self._metaclass_calls: dict[int, tuple[ClassValue, FunctionFacts] | None] = {}
        self._others: dict[int, InstanceValue] = {}
        self._frames_of_others: dict[tuple[int, int], Frame] = {}
        self.registered: frozenset[int | str] = frozenset()
        """Classes with a registered reducer (`copyreg.pickle`): identities of their facts, or the names of types."""
        self.states = StateReader(evaluator, self)

    def forget(self) -> None:
        """Let go of the states of objects."""
        self._others.clear()
        self._frames_of_others.clear()
        self._attributes.forget()
        self._descriptors.forget()
        self.states.forget()

    def module_level(self, module: Module, facts: ClassFacts) -> ClassValue:
        """The one value for a class that is not defined in a function."""
        key = id(facts)
        if key not in self._values:
            self._values[key] = ClassValue(module, facts)
        return self._values[key]

    def mro(self, value: AbstractValue) -> tuple[Ancestor, ...]:
        """See `ClassOrder.mro`."""
        return self._order.mro(value)

    def derives(self, value: AbstractValue, base: ClassValue) -> bool:
        """Whether a class, or an instance's class, is another one, or is derived from it."""
        return any(isinstance(each, ClassValue) and each.facts is base.facts for each in self.mro(value))

    def behind(self, value: AbstractValue, owner: ClassValue) -> tuple[Ancestor, ...]:
        """See `ClassOrder.behind`."""
        return self._order.behind(value, owner)

    def bases(self, class_: ClassValue) -> Iterator[Ancestor]:
        """See `ClassOrder.bases`."""
        return self._order.bases(class_)

    def body_frame(self, class_: ClassValue) -> Frame:
        """See `ClassOrder.body_frame`."""
        return self._order.body_frame(class_)

    def doubts(self, class_: ClassValue) -> tuple[Doubt, ...]:
        """See `ClassOrder.doubts`."""
        return self._order.doubts(class_)

    def kind(self, class_: AbstractValue) -> str | None:
        """The payload kind of a class ("dataset", "module", …), from the closest ancestor that has one."""
        class_ = class_.class_ if isinstance(class_, InstanceValue) else class_
        if not isinstance(class_, ClassValue):
            return external_kind(class_.path, self._evaluator.catalog) if isinstance(class_, ExternalValue) else None
        key = id(class_.facts)
        if key not in self._kinds:
            self._kinds[key] = kind_in(self.mro(class_), self._evaluator.catalog)
        return self._kinds[key]

    def has_instances(self, class_: ClassValue) -> bool:
        """Whether objects of a class can be made: its constructor does not always fail (it is abstract by hand)."""
        key = id(class_.facts)
        if key not in self._made:
            found = (self.find_method(class_, name) for name in ("__new__", "__init__"))
            self._made[key] = not any(each is not None and _never_ends(each[1]) for each in found)
        return self._made[key]

    def is_mapping(self, value: AbstractValue) -> bool:
        """Whether `.keys()` of the value is a plain dict's, because its class derives from dict and does not
        define it."""
        for ancestor in self.mro(value):
            if isinstance(ancestor, ClassValue) and "keys" in ancestor.facts.methods:
                return False
            if isinstance(ancestor, ExternalValue) and ancestor.path in _MAPPING_BASES:
                return True
        return False

    def find_method(
        self, value: AbstractValue, name: str, after: ClassValue | None = None
    ) -> tuple[ClassValue, FunctionFacts] | None:
        """The method that attribute lookup finds on a class or instance, and the class that defines it; with
        `after`, the search starts behind that class (`super()`). A constructor of a library that takes what crosses
        calls none behind it."""
        for ancestor in self.mro(value) if after is None else self.behind(value, after):
            if isinstance(ancestor, ExternalValue):
                if name == "__init__" and self._evaluator.catalog.boundary(ancestor.path) is not None:
                    return None
                continue
            method = method_named(name, ancestor.facts)
            if method is not None:
                return ancestor, method
        return None

    def find_property(self, value: AbstractValue, name: str) -> tuple[ClassValue, FunctionFacts] | None:
        """The getter of the property of that name that a class or instance has, and the class that defines it."""
        found = self.find_method(value, name)
        return found if found is not None and self._attributes.reads.is_property(found[1], found[0]) else None

    def find_setter(self, value: AbstractValue, name: str) -> tuple[ClassValue, FunctionFacts] | None:
        """The setter of the property of that name that a class or instance has, and the class that defines it."""
        found = self.find_method(value, name)
        methods = found[0].facts.methods if found is not None else None
        setter = methods.setter(name) if isinstance(methods, Methods) else None
        return (found[0], setter) if found is not None and setter is not None else None

    def find_descriptor(self, value: AbstractValue, name: str) -> InstanceValue | None:
        """See `Descriptors.of`."""
        return self._descriptors.of(self.mro(value), name)

    def defines(self, value: AbstractValue, name: str) -> bool:
        """Whether a class, or an instance's class, has something of that name in a body that is read: a method, or
        what is assigned to it (`__reduce__ = _reduce`)."""
        lines = (each.facts for each in self.mro(value) if isinstance(each, ClassValue))
        return any(name in facts.methods or name in facts.body for facts in lines)

    def metaclass_call(self, class_: ClassValue) -> FunctionValue | None:
        """What a metaclass that is read does when the class is called."""
        key = id(class_.facts)
        if key not in self._metaclass_calls:
            self._metaclass_calls[key] = None  # while it is sought
            found = (self.find_method(meta, "__call__") for meta in self.metaclasses(class_))
            self._metaclass_calls[key] = next((each for each in found if each is not None), None)
        called = self._metaclass_calls[key]
        return FunctionValue(called[0].module, called[1], called[0].frame, class_) if called is not None else None

    def metaclasses(self, class_: ClassValue) -> Iterator[ClassValue]:
        """The metaclasses that a class, or one that it derives from, names and that are read."""
        for ancestor in self.mro(class_):
            named = dict(ancestor.facts.keywords).get("metaclass") if isinstance(ancestor, ClassValue) else None
            if named is not None and isinstance(ancestor, ClassValue):
                for traced in self._evaluator.evaluate(named, self.body_frame(ancestor)):
                    if isinstance(traced.value, ClassValue):
                        yield traced.value

    def frame_on(self, owner: ClassValue, method: FunctionFacts, instance: InstanceValue) -> Frame:
        """See `AttributeLookup.frame_on`."""
        return self._attributes.reads.frame_on(owner, method, instance)

    def frame_of_other(self, owner: ClassValue, method: FunctionFacts, instance: InstanceValue) -> Frame:
        """The one frame of a method of `owner` as another object of the class of `instance` runs it, of whose making
        nothing is known."""
        facts = instance.class_.facts
        if id(facts) not in self._others:
            self._others[id(facts)] = InstanceValue(instance.class_)
        key = (id(method), id(facts))
        if key not in self._frames_of_others:
            me = {method.parameters[0].name: Bound(value=self._others[id(facts)])}
            self._frames_of_others[key] = Frame(owner.module, method, me, owner.frame, 1, open=True)
        return self._frames_of_others[key]

    def class_attribute(self, class_: ClassValue, name: str, site: Site) -> Iterator[TracedValue]:
        """See `AttributeLookup.class_attribute`."""
        return self._attributes.class_attribute(class_, name, site)

    def instance_attribute(self, instance: InstanceValue, name: str, site: Site) -> Iterator[TracedValue]:
        """See `AttributeLookup.instance_attribute`."""
        return self._attributes.instance_attribute(instance, name, site)

    def super_attribute(self, parent: SuperValue, name: str, site: Site) -> Iterator[TracedValue]:
        """See `AttributeLookup.super_attribute`."""
        return self._attributes.super_attribute(parent, name, site)


def _never_ends(function: FunctionFacts) -> bool:
    """Whether a function gives nothing back, not even None: it raises whatever it is given."""
    raises = any(isinstance(event, Raised) and not event.conditional for event in function.events)
    return raises and not (
        function.returns or function.may_give_none or function.decorators or function.is_generator or function.is_async
    )
