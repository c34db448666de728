"""Calls of methods: which object's method is called, and under which names the catalog may know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.catalog import BoundarySpec, Product
from lintpickle.facts.values import Attribute, Choice, Expr, Imported, Name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    InstanceValue,
    ProductValue,
    SuperValue,
    TracedValue,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.handed_methods import as_written
from lintpickle.interpreter.protocols import Ancestor
from lintpickle.interpreter.taken import taken_options
from lintpickle.resolution.module_bindings import ModuleBinding


class CalledMethods:
    """The methods of objects that calls of a run can be."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def specs(self, function: Expr, frame: Frame) -> Iterator[tuple[BoundarySpec, TracedValue]]:
        """The boundaries that a method which is called can be, one for each object that it may be called on, with what
        is known of that object. Ends behind the first object of a kind with such a boundary."""
        for method, where in self._written(function, frame):
            for found in self._specs_on(method, where):
                yield found
                return

    def specs_of(self, method: ContainerValue) -> Iterator[tuple[BoundarySpec, TracedValue]]:
        """The same for a method of a pool that is a value (see `handed_methods`)."""
        written = as_written(method)
        yield from self._specs_on(*written) if written is not None else ()

    def _specs_on(self, method: Attribute, where: Frame) -> Iterator[tuple[BoundarySpec, TracedValue]]:
        for traced in self._evaluator.evaluate(method.base, where):
            for kind in self._kinds(traced.value, method.name):
                spec = self._evaluator.catalog.boundary_method(kind, method.name)
                if spec is not None and self._is_such(traced.value, spec):
                    yield spec, traced
                    return

    def named(self, function: Expr, frame: Frame) -> Iterator[tuple[Attribute, Frame]]:
        """The methods of objects that are called, each with the frame in which its object is read: written as such, or
        by a name that a module or the body of a class gives to one (`Process = context.Process`), or as one of several
        options (`run = pool.map if workers > 1 else map`), or as what a function or an object was given."""
        written = list(self._written(function, frame))
        yield from written
        for traced in self._evaluator.evaluate(function, frame) if not written else ():
            handed = as_written(traced.value)
            if handed is not None:
                yield handed

    def _written(self, function: Expr, frame: Frame) -> Iterator[tuple[Attribute, Frame]]:
        names, bindings = self._evaluator.names, tuple[ModuleBinding, ...]()
        match function:
            case Attribute():
                yield function, frame
                yield from self._of_class(function, frame)
            case Name(name=name):
                bindings = names.lookup(frame.module, name)
            case Imported(target=target):
                bindings = names.imported(frame.module, target)
            case Choice():
                taken = taken_options(function, frame, self._evaluator)
                yield from ((each, frame) for each in taken if isinstance(each, Attribute))
            case _:
                pass
        for each in bindings:
            if isinstance(each.value, Attribute) and each.module is not None and each.block is not None:
                yield each.value, self._evaluator.module_frame(each.module, each.block.body)

    def _of_class(self, function: Attribute, frame: Frame) -> Iterator[tuple[Attribute, Frame]]:
        classes = self._evaluator.classes
        for traced in self._evaluator.evaluate(function.base, frame):
            class_ = traced.value.class_ if isinstance(traced.value, InstanceValue) else traced.value
            for each in classes.mro(class_) if isinstance(class_, ClassValue) else ():
                given = each.facts.body.get(function.name) if isinstance(each, ClassValue) else None
                if isinstance(given, Attribute) and isinstance(each, ClassValue):
                    yield given, classes.body_frame(each)
                    return

    def _kinds(self, receiver: AbstractValue, method: str) -> Iterator[Product | str]:
        """The names under which the catalog may know the object's methods: of its maker, or of its base classes."""
        match receiver:
            case ProductValue(product=product):
                yield product
            case ExternalResult(path=path) | ContainerValue(kind=path):
                yield path
            case ExternalValue(path=path) if "()." in path:
                yield f"method of {path.rpartition('().')[0]}"
            case ClassValue() as class_ if class_.facts.decorators:
                made = self._evaluator.decorators.in_place_of(class_, self._evaluator.classes.body_frame(class_))
                yield from (each.path for each in made if isinstance(each, ExternalResult))
            case InstanceValue(class_=class_) if self._evaluator.classes.find_method(class_, method) is None:
                yield from self._kinds_of_bases(self._evaluator.classes.mro(class_))
            case SuperValue(instance=InstanceValue(class_=class_), owner=owner):
                yield from self._kinds_of_bases(self._evaluator.classes.behind(class_, owner))

    def _kinds_of_bases(self, line: Iterable[Ancestor]) -> Iterator[Product | str]:
        for ancestor in line:
            if isinstance(ancestor, ExternalValue):
                yield self._evaluator.catalog.product(ancestor.path) or ancestor.path

    def _is_such(self, receiver: AbstractValue, spec: BoundarySpec) -> bool:
        """Whether the receiver was made in the way that the boundary requires."""
        if not spec.receiver:
            return True
        keyword, word = spec.receiver
        match receiver:
            case ExternalResult(call=call, frame=frame):
                value = call.keyword(keyword)
                return value is not None and self._says(value, frame, word)
            case ContainerValue(slots=slots):
                return any(slot.key.attribute == keyword and self._says(slot.value, slot.frame, word) for slot in slots)
            case _:
                return False

    def _says(self, value: Expr, frame: Frame, word: str) -> bool:
        """Whether an argument holds a word, or is made of one that does (`DDPStrategy(start_method="spawn")`)."""
        made = (each.value for each in self._evaluator.evaluate(value, frame) if isinstance(each.value, ExternalResult))
        parts = ((argument.value, each.frame) for each in made for argument in each.call.arguments)
        return self._is_word(value, frame, word) or any(self._is_word(*part, word) for part in parts)

    def _is_word(self, value: Expr, frame: Frame, word: str) -> bool:
        found = (each.value for each in self._evaluator.evaluate(value, frame))
        return any(isinstance(each, ConstantValue) and word in str(each.value) for each in found)
