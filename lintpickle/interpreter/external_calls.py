"""Calls of what is not read: the catalog says what they give, or what they do with their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.catalog import RESULT, USED_BY_NAMES, Product
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Argument, Attribute, Call, Comprehension, Expr, Item, options_of, parameter_name
from lintpickle.interpreter.abstract_values import (
    DOCUMENT,
    PLAIN,
    SOME_ITEM,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ModuleValue,
    ProductValue,
    Site,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.classes_asked import class_asked
from lintpickle.interpreter.copies import copied
from lintpickle.interpreter.folds import results_of_fold
from lintpickle.interpreter.iterators import ITERATOR, called_for_each, gone_through
from lintpickle.interpreter.made_classes import made_class
from lintpickle.interpreter.object_dicts import dict_of, fields_of
from lintpickle.interpreter.own_items import as_read
from lintpickle.interpreter.partials import PARTIAL, kept_by_partial
from lintpickle.interpreter.path_endings import ending_of
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.result_uses import is_used_by_names
from lintpickle.interpreter.slots import (
    in_any_of,
    is_mapping,
    kept,
    kept_kind,
    not_replaced,
    one_of,
    without_repetitions,
)
from lintpickle.interpreter.stores import changed
from lintpickle.interpreter.tensors import may_be_tracked

_DOCUMENT = "document"
"""What the catalog says of functions that read JSON and the like, unless they are told to make other objects of it."""
WRAPPED = SlotKey(attribute="__wrapped__")
SOME_TEXT = "…"
"""What stands for the unknown beginning of a text."""
_USED_UP = frozenset({"key", "cmp", "reverse", "maxlen"})
"""Keyword arguments that a consuming call does not keep."""


class ExternalCalls:
    """Evaluates calls of library functions for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._catalog = evaluator.catalog

    def call(self, path: str, call: Call, frame: Frame, site: Site) -> Iterator[TracedValue]:
        """What a call may give. A product that is made of its arguments, as an iterator that does not pickle, is two
        values: itself, and what it holds."""
        positional = call.positional() or ()
        if path == "importlib.import_module" and len(call.arguments) == len(positional) == 1:
            named = self._evaluator.evaluate(positional[0], frame)
            modules = [each.value.value for each in named if isinstance(each.value, ConstantValue)]
            if len(modules) == len(named) and all(isinstance(each, str) for each in modules):
                found = zip(named, map(str, modules), strict=True)
                yield from (TracedValue(ModuleValue(name), site).by_way_of(each) for each, name in found)
                return
        product, converter = self.product(path, call, frame), self._catalog.converter(path)
        if product is not None:
            yield TracedValue(ProductValue(product, path, call, frame), site)
            if converter is None:
                return
        if path == "builtins.vars" and len(positional) == 1:
            yield from dict_of(positional[0], frame, site, self._evaluator)
            return
        if path == "builtins.type" and len(positional) == len(call.arguments) == 1:
            asked = [(each, class_asked(each.value)) for each in self._evaluator.evaluate(positional[0], frame)]
            yield from (TracedValue(its_class, site).by_way_of(each) for each, its_class in asked if its_class)
            if all(its_class for _, its_class in asked):
                return
        one_of_many = results_of_fold(path, call, frame, self._evaluator)
        if one_of_many:
            yield from one_of_many
            return
        match converter:
            case "fields" if len(call.arguments) == len(positional) == 1:
                yield from fields_of(positional[0], frame, site, self._evaluator)
            case "first" if positional:
                yield from self._evaluator.evaluate(positional[0], frame)
            case "copy" if positional:
                for traced in self._evaluator.evaluate(positional[0], frame):
                    yield copied(traced, positional[0], call, frame, self._evaluator)
            case "change" if positional:
                for traced in self._evaluator.evaluate(positional[0], frame):
                    yield changed(traced, call, positional[0], frame)
            case "parts" if positional:
                yield TracedValue(ContainerValue("list", (Slot(SOME_ITEM, positional[0], frame),), call), site)
            case "element" if positional:
                element = Item(call.span, positional[0], None)
                yield from one_of(tuple(self._evaluator.item(element, frame, site)))
            case "last" if positional:
                yield from self._evaluator.evaluate(positional[-1], frame)
            case "consume":
                kind = self._catalog.returns(path) or path.rpartition(".")[2]
                slots = tuple(without_repetitions(self._consumed_by(call.arguments, frame, is_mapping(kind))))
                yield TracedValue(ContainerValue(kind, slots, call), site)
            case "keep":
                kind = self._catalog.returns(path) or kept_kind(path)
                if kind == PARTIAL:
                    slots = kept_by_partial(call, frame, self._evaluator)
                else:
                    slots = tuple(kept(call, frame, self._catalog.drops(path)))
                yield TracedValue(ContainerValue(kind, slots, call, _name_of(path)), site)
            case "class" if (made_by_call := made_class(path, call, frame)) is not None:
                yield TracedValue(made_by_call, site)
            case "wrap" if len(positional) == 1 and self._is_function(positional[0], frame):
                yield self.wrapped(path, call, frame, site)
            case "default":
                yield TracedValue(ContainerValue(kept_kind(path), tuple(self._defaulting(call, frame)), call), site)
            case "iterate" if path == "builtins.iter" and (iterators := list(self._iterators(call, frame, site))):
                yield from iterators
            case "iterate":
                slots = tuple(gone_through(slot) if self._is_view(slot) else slot for slot in kept(call, frame))
                name = _name_of(path)
                yield TracedValue(ContainerValue(ITERATOR, slots, call, name, called_for_each(name, call)), site)
            case _:
                owner, dot, method = path.rpartition("().")
                made = self._catalog.method_returns(owner, method) if dot else self._catalog.returns(path)
                if made == _DOCUMENT:
                    is_told = any(argument.keyword or argument.star for argument in call.arguments)
                    yield TracedValue(PLAIN if is_told else DOCUMENT, site)
                elif made is not None and made != path and self._catalog.converter(made) == "keep":
                    yield from self.call(made, call, frame, site)
                elif made is None and self._catalog.is_safe_function(path) and not may_be_tracked(path, call):
                    yield TracedValue(PLAIN, site)
                else:
                    yield TracedValue(ExternalResult(made or path, call, frame), site)

    def _iterators(self, call: Call, frame: Frame, site: Site) -> Iterator[TracedValue]:
        """What `iter(value)` gives of objects whose iterators the catalog knows, or whose `__iter__` is a generator."""
        if len(call.arguments) != 1 or call.arguments[0].star:
            return
        given = call.arguments[0].value
        for traced in self._evaluator.evaluate(given, frame):
            match traced.value:
                case ExternalResult(path=owner):
                    made = self._catalog.method_product(owner, "__iter__")
                case InstanceValue() as value:
                    method = self._evaluator.classes.find_method(value, "__iter__")
                    if method is not None:
                        if _may_give_generator(method[1]):
                            yield from self._generators(value, given, call, frame, site)
                        continue
                    made = self._catalog.method_product(self._evaluator.classes.kind(value) or "", "__iter__")
                case _:
                    continue
            if made is not None:
                yield TracedValue(ProductValue(made, "__iter__", call, frame), site).by_way_of(traced)

    def _generators(
        self, value: InstanceValue, given: Expr, call: Call, frame: Frame, site: Site
    ) -> Iterator[TracedValue]:
        """The generators that the method `__iter__` of one object gives."""
        asked = Call(call.span, Attribute(given.span, given, "__iter__"), ())
        for method in self._evaluator.classes.instance_attribute(value, "__iter__", site):
            made = self._evaluator.call(method.value, asked, frame, site)
            yield from (each.by_way_of(method) for each in made if isinstance(each.value, GeneratorValue))

    def wrapped(self, path: str, call: Call, frame: Frame, site: Site) -> TracedValue:
        """An object around the function that a call is given, which has its name."""
        slots = tuple(Slot(WRAPPED, argument.value, frame) for argument in call.arguments[:1])
        return TracedValue(ContainerValue(self._catalog.own_name(path), slots, call), site)

    def _is_function(self, value: Expr, frame: Frame) -> bool:
        return any(
            isinstance(each.value, (ClassValue, FunctionValue)) for each in self._evaluator.evaluate(value, frame)
        )

    def product(self, path: str, call: Call, frame: Frame) -> Product | None:
        """The object that an external call makes, if it cannot cross.

        `path` is the callee's; for a method of a call's result it ends in "().method".
        """
        owner, dot, method = path.rpartition("().")
        if dot:
            product = self._catalog.method_product(owner, method)
        else:
            depends = self._catalog.depends_on_arguments(path)
            known = self._literals(call, frame) if depends else None
            if known is not None and self._catalog.depends_on_use(path) and is_used_by_names(call, frame):
                known[RESULT] = USED_BY_NAMES
            product = self._catalog.product(path, known)
        return product if product is not None and product.first_failing(self._evaluator.pythons) else None

    def _literals(self, call: Call, frame: Frame) -> dict[int | str, object]:
        """The arguments of a call as far as they are literals; of paths, how they end; `...` stands for one of which
        nothing is known."""
        literals: dict[int | str, object] = {}
        for index, argument in enumerate(call.arguments):
            if argument.star:
                continue
            traced = self._evaluator.evaluate(argument.value, frame)
            only = traced[0].value if len(traced) == 1 else None
            literal = only.value if isinstance(only, ConstantValue) else self._ending(argument.value, frame) or ...
            literals[argument.keyword or index] = literal
        return literals

    def _ending(self, value: Expr, frame: Frame) -> str:
        ending = ending_of(value, frame, self._evaluator)
        return f"{SOME_TEXT}{ending}" if ending else ""

    def _is_view(self, slot: Slot) -> bool:
        traced = self._evaluator.evaluate(slot.value, slot.frame)
        return any(isinstance(r.value, ProductValue) and r.value.product.kind == "view" for r in traced)

    def _defaulting(self, call: Call, frame: Frame) -> Iterator[Slot]:
        """What a `defaultdict` holds: a factory, and what it is filled with."""
        first = call.arguments[0] if call.arguments else None
        if first is not None and first.keyword is None and not first.star:
            yield Slot(SlotKey(attribute="default_factory"), first.value, frame)
        yield from self._consumed_by(call.arguments[1:], frame, of_mapping=True)

    def _consumed_by(self, arguments: Sequence[Argument], frame: Frame, of_mapping: bool) -> Iterator[Slot]:
        """What a container made from other containers holds: elements of the positional arguments, and the
        keyword arguments themselves; a mapping, all that other mappings hold, but for what it is told by keyword."""
        told = [
            Slot(SlotKey(item=argument.keyword), argument.value, frame)
            for argument in arguments
            if argument.keyword is not None and argument.keyword not in _USED_UP
        ]
        for argument in arguments:
            if argument.keyword is None:
                yield from not_replaced(self._consumed(argument.value, frame, of_mapping), told)
        yield from told

    def _consumed(self, value: Expr, frame: Frame, of_mapping: bool) -> Iterator[Slot]:
        """What `list(value)`, or `dict(value)`, ends up holding."""
        site = Site(frame.module, value.span)
        mappings: list[list[Slot]] = []
        for found in self._evaluator.evaluate(value, frame):
            traced = self._evaluator.with_own_items(found, site, frame)
            match as_read(traced, "keys", self._evaluator).value if of_mapping else traced.value:
                case ContainerValue(kind=kind, slots=slots) if of_mapping and is_mapping(kind):
                    mappings.append([slot for slot in slots if slot.is_item])
                case abstract:
                    yield from self._evaluator.elements(abstract)
        yield from in_any_of(mappings)


def _name_of(path: str) -> str:
    """The name of a function in its module: `chain.from_iterable` of `itertools.chain.from_iterable`."""
    return path.partition(".")[2]


def _may_give_generator(method: FunctionFacts) -> bool:
    """Whether a method is a generator function, or returns a generator expression or what a method of its object gives.
    One that returns `iter(self.source)` asks another object in turn: where such objects stand around one another, all
    orders of them would be gone through."""
    return method.is_generator or any(
        isinstance(each, Comprehension)
        or (isinstance(each, Call) and isinstance(each.function, Attribute) and parameter_name(each.function.base))
        for value in method.returns
        for each in options_of(value)
    )
