"""Constructions: what objects of a class can hold, given the calls that make them."""

from __future__ import annotations

import re

from lintpickle.boundaries.kept_to_itself import Scrutiny, is_kept
from lintpickle.call_graph.constructing_calls import ConstructingCalls
from lintpickle.call_graph.named_calls import first_callers
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, before_puts, may_be
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    Doubt,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.limits import CALLERS
from lintpickle.parsing.assigned import variable_of
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.only_read import is_only_read
from lintpickle.payload.payload import Payload
from lintpickle.program.module import Module
from lintpickle.source.file_kinds import PlaceKind

_OPTIONAL = frozenset({Doubt.DEFAULT, Doubt.CONDITION, Doubt.BRANCH})
"""Doubts that the arguments of a call may resolve."""


_KEEPERS = ("builtins.", "torch.utils.data.")
"""What is called without shipping anything: it looks at an object, or makes a view of a dataset. Loaders are known."""


class Constructions:
    """Compares what classes ship by their kind with the constructions in the program."""

    def __init__(
        self, calls: ConstructingCalls, payload: Payload, evaluator: Evaluator, purposes: FilePurposes
    ) -> None:
        self._calls = calls
        self._payload = payload
        self._evaluator = evaluator
        self._conditions = evaluator.conditions
        self._purposes = purposes
        self._made: dict[int, tuple[ClassValue, tuple[TracedValue, ...]]] = {}
        self._shipped: dict[int, tuple[ClassValue, frozenset[Site]]] = {}

    def exclude(self, crossing: Crossing) -> bool:
        """Whether no object of the class that ships a value by its kind comes to hold it, as far as the program shows:
        its default is never used, or nobody turns on the option that it is behind. Where nothing but tests makes
        objects, users are taken to use defaults, but no options."""
        shipping = outermost(crossing)
        if not isinstance(shipping.value, InstanceValue) or _OPTIONAL.isdisjoint(crossing.doubts):
            return False
        class_ = shipping.value.class_
        made = self._of(class_)
        if not made:
            return self._is_behind_option(crossing)
        return len(made) < CALLERS.most and crossing.site not in self._sites(class_, made, shipping)

    def are_there(self, class_: ClassValue) -> bool:
        """Whether the program makes objects of a class."""
        return bool(self._of(class_))

    def stay(self, class_: ClassValue, evaluator: Evaluator) -> bool:
        """Whether the program itself makes objects of a class, and the functions that do give them to nothing but the
        program's own code and builtins: no library gets one that may ship it."""
        made = self._of(class_)
        return 0 < len(made) < CALLERS.most and all(
            isinstance(each.value, InstanceValue) and _stays(each.value, evaluator) for each in made
        )

    def are_only_read(self, class_: ClassValue, evaluator: Evaluator, is_alone: bool = False) -> bool:
        """Whether the program makes objects of a class, and does nothing with them but read them. `is_alone` is as for
        `only_read.is_only_read`."""
        made = self._of(class_)
        return 0 < len(made) < CALLERS.most and all(
            isinstance(each.value, InstanceValue) and is_only_read(each.value, evaluator, is_alone) for each in made
        )

    def are_kept(self, class_: ClassValue) -> bool:
        """Whether the program makes objects of a class, and the functions that do call their methods and give them to
        nobody: whoever calls a method of one is known there."""
        made = self._of(class_)
        return 0 < len(made) < CALLERS.most and all(
            isinstance(each.value, InstanceValue) and _is_kept(each.value) for each in made
        )

    def are_read(self, class_: ClassValue) -> bool:
        """Whether the functions that make objects of a class take items of one themselves, by its variable."""
        return any(isinstance(each.value, InstanceValue) and _is_read(each.value) for each in self._of(class_))

    def _of(self, class_: ClassValue) -> tuple[TracedValue, ...]:
        key = id(class_.facts)
        if key not in self._made:
            found = self._calls.of_class(class_, class_.module.path)
            if not self._is_test(class_.module):
                found = (each for each in found if not self._is_test(each.site.module))
            self._made[key] = (class_, tuple(first_callers(found, self._evaluator.cuts)))
        return self._made[key][1]

    def _is_test(self, module: Module) -> bool:
        return self._purposes.kind(module.path) is PlaceKind.TESTS

    def _sites(self, class_: ClassValue, made: tuple[TracedValue, ...], shipping: Crossing) -> frozenset[Site]:
        """Where all that comes to be that one of some objects of a class ships."""
        key = id(class_.facts)
        if key not in self._shipped:
            of_each = (self._payload.crossings(each, shipping.root, shipping.path, None) for each in made)
            self._shipped[key] = (class_, frozenset(each.site for of_one in of_each for each in of_one))
        return self._shipped[key][1]

    def _is_behind_option(self, crossing: Crossing) -> bool:
        inner: Crossing | None = crossing
        while inner is not None:
            held = inner.held
            if held is not None and self._conditions.is_behind_option(held.site.span, held.frame):
                return True
            inner = inner.inside
        return False


def outermost(crossing: Crossing) -> Crossing:
    """The crossing of what the root itself ships."""
    while crossing.inside is not None:
        crossing = crossing.inside
    return crossing


def _is_read(instance: InstanceValue) -> bool:
    """Whether the function that makes an object goes through it, or takes an item of it."""
    call, frame = instance.call, instance.frame
    if call is None or frame is None:
        return False
    code, body = frame.module.code, frame.function.span
    name = variable_of(code, call.span, body.start)
    if name is None:
        return False
    reads = re.compile(rf"(?<![\w.]){name}\s*\[|\bin\s+(?:\w+\()*{name}\b")
    return reads.search(code, call.span.end, body.end) is not None


def _is_kept(instance: InstanceValue) -> bool:
    """Whether a function keeps an object that it makes to itself, also what methods of that give which may be the
    object."""
    call, frame = instance.call, instance.frame
    if call is None or frame is None or frame.function.is_module_body:
        return False

    def is_it(value: Expr) -> bool:
        return any(each is call or is_given(each) for each in before_puts(value))

    def is_given(value: Expr) -> bool:
        match value:
            case Call(function=Attribute(base=base, name=name)):
                method = instance.class_.facts.methods.get(name)
                return (method is None or _may_give_itself(method)) and is_it(base)
            case _:
                return False

    function = frame.function
    watched = Scrutiny(is_it, lambda _: False)
    return is_kept(function, watched, (*function.returns, *function.yields))


def _may_give_itself(method: FunctionFacts) -> bool:
    given = (each for value in (*method.returns, *method.yields) for each in before_puts(value))
    own = [each.name for each in method.parameters[:1]]
    return any(isinstance(each, Parameter) and each.name in own for each in given)


def _stays(instance: InstanceValue, evaluator: Evaluator) -> bool:
    call, frame = instance.call, instance.frame
    if call is None or frame is None:
        return False
    for event in frame.function.events:
        if not isinstance(event, Called) or not any(may_be(each.value, call) for each in event.call.arguments):
            continue
        for traced in evaluator.evaluate(event.call.function, frame):
            match traced.value:
                case FunctionValue(module=module) | ClassValue(module=module) if module.first_party:
                    pass
                case ExternalValue(path=path) if path.startswith(_KEEPERS):
                    pass
                case _:
                    return False
    return True
