"""Calls: what they give, and the frames of the functions that they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard

from lintpickle.facts.contexts import MANAGER_DECORATORS
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import (
    Argument,
    Awaited,
    Call,
    Choice,
    Expr,
    Item,
    Parameter,
    parameter_name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    DOCUMENT,
    UNKNOWN,
    AbstractValue,
    Bound,
    ClassValue,
    ConstantValue,
    ContainerValue,
    Doubt,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    GeneratorValue,
    Hop,
    InstanceValue,
    PlainValue,
    ProductValue,
    Site,
    Slot,
    SlotKey,
    SuperValue,
    TracedValue,
    part_of_data,
)
from lintpickle.interpreter.external_calls import WRAPPED, ExternalCalls
from lintpickle.interpreter.fitting import WITHOUT_INSTANCE, fails_to_make, lacks_arguments
from lintpickle.interpreter.frames import WIDENED_DEPTH, Arguments, bind, expand
from lintpickle.interpreter.handed_methods import HANDED, product_of
from lintpickle.interpreter.made_classes import CLASS_KINDS, enumeration_of, instance_of, is_typed_dict
from lintpickle.interpreter.method_calls import MethodCalls
from lintpickle.interpreter.parsed_arguments import ParsedArguments
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import excerpt, is_module, one_of
from lintpickle.interpreter.stores import holding, may_hold
from lintpickle.interpreter.taken import taken_options, taken_returns
from lintpickle.interpreter.tensors import OF_THE_GRAPH, Tensors
from lintpickle.interpreter.texts import made_of_text
from lintpickle.limits import DEPTH, RECURSION


class Calls:
    """Evaluates calls for one evaluator. Frames are remembered until `forget`, so that one call in one frame has one
    frame."""

    def __init__(self, evaluator: Interpreter, tensors: Tensors) -> None:
        self._evaluator = evaluator
        self._external = ExternalCalls(evaluator)
        self._methods = MethodCalls(evaluator)
        self._tensors = tensors
        self._arguments = ParsedArguments(evaluator)
        self._entered: dict[tuple[int, int, int, int, int], tuple[FunctionValue, Call, Frame, Frame | None]] = {}
        self._widened: dict[tuple[int, int, tuple[int, ...], tuple[str, ...]], tuple[FunctionValue, Frame]] = {}
        self._yielded: dict[int, tuple[FunctionFacts, Expr]] = {}
        self._unwrapped: set[tuple[int, int]] = set()

    def forget(self) -> None:
        """Let go of the frames."""
        self._entered.clear()
        self._widened.clear()

    def results(self, call: Call, frame: Frame) -> Iterator[TracedValue]:
        """What a call gives, with what is stored on it afterwards."""
        site = Site(frame.module, call.span)
        view = self._methods.view(call, frame)
        if view is not None:
            yield TracedValue(view, site)
            return
        for traced in self._results(call, frame, site):
            yield (
                holding(traced, self._evaluator.stores.on(call, frame), call)
                if may_hold(traced.value, call)
                else traced
            )

    def _results(self, call: Call, frame: Frame, site: Site) -> Iterator[TracedValue]:
        got = self._methods.got(call, frame, site)
        if got:
            yield from got
            return
        asked = self._methods.asked(call, frame, site)
        if asked is not None:
            yield from asked
            return
        known = made_of_text(call, frame, site, self._evaluator)
        if known:
            yield from known
            return
        parsed = self._arguments.parsed(call, frame)
        if parsed is not None:
            yield TracedValue(parsed, site)
            return
        chained = tuple(self._methods.chained(call, frame, site))
        if chained:
            yield from chained
            return
        receivers = self._methods.returned_receivers(call.function, frame)
        if receivers:
            yield from receivers
            return
        computed = tuple(self._tensors.computed(call, frame))
        if computed:
            yield from computed
            return
        for callee in self._evaluator.given(call.function, frame):
            for result in self.call(callee.value, call, frame, site):
                yield result.by_way_of(callee)
            tensor = self._tensors.given_by(callee.value, call, frame)
            if tensor is not None:
                yield TracedValue(tensor, site).by_way_of(callee)

    def call(self, callee: AbstractValue, call: Call, frame: Frame, site: Site) -> Iterable[TracedValue]:
        """What calling a value gives."""
        catalog = self._evaluator.catalog
        match callee:
            case ClassValue():
                is_made = self._evaluator.classes.has_instances(callee)
                if not is_made or fails_to_make(callee, call, frame, self._evaluator):
                    return ()
                enumeration = enumeration_of(callee, self._evaluator.classes.mro(callee), call, frame)
                if enumeration is not None:
                    return (TracedValue(enumeration, site),)
                if is_typed_dict(self._evaluator.classes.mro(callee)):
                    return self._external.call("builtins.dict", call, frame, site)
                by_metaclass = self._made_by_metaclass(callee, call, frame, site)
                return by_metaclass or (TracedValue(InstanceValue(callee, call, frame), site),)
            case SuperValue(instance=ClassValue() as made):
                return (TracedValue(InstanceValue(made, call, frame), site),)
            case FunctionValue(opaque=opaque):
                found = self._call_function(callee, call, frame, site)
                return (each.doubted(Doubt.DECORATOR) for each in found) if opaque else found
            case ExternalValue(path="builtins.type.__call__" | "builtins.object.__new__") if call.arguments:
                given = (traced.value for traced in self._evaluator.evaluate(call.arguments[0].value, frame))
                return [TracedValue(InstanceValue(each, call, frame), site) for each in given if _is_class(each)]
            case ExternalValue(path=path):
                return self._external.call(path, call, frame, site)
            case ProductValue(product=maker, path=path) if (
                called := catalog.method_product(maker, "()")
            ) is not None and called.kind != OF_THE_GRAPH:
                return (TracedValue(ProductValue(called, path, call, frame), site),)
            case ProductValue(path=path, call=None, product=made_by):
                # The method of a product is known by its bare name, a value by its dotted path.
                product = self._external.product(path, call, frame) if "." in path else made_by
                return (TracedValue(ProductValue(product, path, call, frame), site),) if product else ()
            case ContainerValue(kind="functools.partial", slots=slots) if slots:
                return self._call_partial(slots, call, frame, site)
            case ContainerValue(kind=kind, made_by=name) if kind == HANDED:
                handed = product_of(callee, self._evaluator)
                return (TracedValue(ProductValue(handed, name, call, frame), site),) if handed is not None else ()
            case ContainerValue(slots=(Slot(key=key) as function, *_)) if key == WRAPPED:
                return self._call_wrapped(function, call, frame, site)
            case ExternalResult(path=path) if catalog.converter(path) == "wrap":
                return (self._external.wrapped(path, call, frame, site),)
            case ExternalResult(path=path) if (
                product := catalog.method_product(path, "()")
            ) is not None and product.kind != OF_THE_GRAPH:
                return (TracedValue(ProductValue(product, path, call, frame), site),)
            case ContainerValue() | ExternalResult() if (
                kept := self._methods.kept_with(callee, "()", call.function, call, frame)
            ) is not None:
                return (TracedValue(kept, site),)
            case ExternalResult(path=path) if (made_by_call := catalog.method_returns(path, "()")) is not None:
                return (TracedValue(ExternalResult(made_by_call, call, frame), site),)
            case ContainerValue(kind=kind) as made if kind in CLASS_KINDS:
                return (TracedValue(instance_of(made, call, frame), site),)
            case InstanceValue():
                return (
                    result.by_way_of(method)
                    for method in self._evaluator.classes.instance_attribute(callee, "__call__", site)
                    for result in self.call(method.value, call, frame, site)
                )
            case PlainValue() as data:
                return (TracedValue(part_of_data(data), site),)
            case _:
                return ()

    def _call_wrapped(self, function: Slot, call: Call, frame: Frame, site: Site) -> list[TracedValue]:
        """What the function in a wrapper gives. One that is wrapped in itself, as far as can be seen, gives nothing."""
        key = (id(function.value), id(function.frame))
        if key in self._unwrapped:
            return []
        self._unwrapped.add(key)
        try:
            return [
                result.by_way_of(callee)
                for callee in self._evaluator.evaluate(function.value, function.frame)
                for result in self.call(callee.value, call, frame, site)
            ]
        finally:
            self._unwrapped.remove(key)

    def _made_by_metaclass(self, class_: ClassValue, call: Call, frame: Frame, site: Site) -> tuple[TracedValue, ...]:
        """The objects of a class that its metaclass makes and gives back, as far as that can be seen: if it may make
        some of other classes instead, those of the class itself. None if it makes them as any class does, of what it is
        given (and keeps them, say): then they are what the call gives."""
        function = self._evaluator.classes.metaclass_call(class_)
        if function is None:
            return ()
        found = self._call_function(function, call, frame, site)
        made = [(each, each.value) for each in found if isinstance(each.value, InstanceValue)]
        own = [(each, instance) for each, instance in made if instance.class_.facts is class_.facts]
        if own and all(self._is_only_made(instance) for _, instance in own):
            return ()
        return tuple(each for each, _ in own or made)

    def _is_only_made(self, instance: InstanceValue) -> bool:
        """Whether the function that makes an object passes on what it is given, and does nothing to the object."""
        made, frame = instance.call, instance.frame
        if made is None or frame is None or instance.later or instance.done:
            return False
        given = {parameter.name for parameter in frame.function.parameters}
        is_passed_on = all(parameter_name(each.value) in given and each.keyword is None for each in made.arguments)
        are_all = {each.star for each in made.arguments} >= {"*", "**"}
        return (
            is_passed_on
            and are_all
            and not self._evaluator.made_events.is_concerned(made, frame.function, frame.module)
        )

    def _call_function(self, callee: FunctionValue, call: Call, frame: Frame, site: Site) -> Iterator[TracedValue]:
        function = callee.facts
        if function.is_generator:
            if not function.decorated_by(*MANAGER_DECORATORS, "fixture"):
                yield TracedValue(self._generator(callee, call, frame), site)
                return
            if function.decorated_by("fixture"):
                return
        elif function.is_async:
            if len(function.decorators) <= function.decorated_by(*WITHOUT_INSTANCE):
                yield TracedValue(GeneratorValue(False, None, self.enter(callee, call, frame), "coroutine"), site)
            return
        # A context manager is called for what `with` makes of it, which is what it yields.
        inner = self.enter(callee, call, frame)
        if inner is not None:
            yield from self._given_by(inner, site)

    def awaited(self, value: Awaited, frame: Frame) -> Iterator[TracedValue]:
        """What awaiting gives: of a coroutine, what its function returns."""
        site = Site(frame.module, value.span)
        for traced in self._evaluator.evaluate(value.value, frame):
            match traced.value:
                case GeneratorValue(kind="coroutine", frame=Frame() as inner):
                    yield from (each.by_way_of(traced) for each in self._given_by(inner, site))
                case _:
                    yield TracedValue(UNKNOWN, site)

    def _given_by(self, inner: Frame, site: Site) -> Iterator[TracedValue]:
        """What the call of a function gives, or what the context manager yields that it makes."""
        function, module = inner.function, inner.module
        is_yielding = function.is_generator
        verb = "yields" if is_yielding else "returns"
        may_give_none = function.may_give_none and not is_yielding
        name = function.qualname.rpartition(".<locals>.")[2]
        results: list[TracedValue] = []
        if is_yielding:
            yields = function.yields
            returned = [option for each in yields for option in taken_options(each, inner, self._evaluator)]
        else:
            returned = list(taken_returns(inner, self._evaluator))
        is_one_of = len(returned) + may_give_none > 1
        for value in returned:
            hop = Hop(f"{name}() {verb} {excerpt(module, value)}", Site(module, value.span))
            for traced in self._evaluator.evaluate(value, inner):
                if isinstance(without_narrowing(value), Parameter) or traced.value is UNKNOWN:
                    results.append(traced)
                else:
                    results.append(TracedValue(traced.value, site, (hop, *traced.hops), traced.doubts))
        only_modules = all(is_module(traced.value) for traced in results)
        for traced in one_of(results) if is_one_of else results:
            if traced.value is not UNKNOWN and (only_modules or not is_module(traced.value)):
                yield traced
        doubts = (Doubt.BRANCH,) if is_one_of else ()
        if any(traced.value is UNKNOWN for traced in results):
            yield TracedValue(UNKNOWN, site, doubts=doubts)
        if may_give_none and results:
            yield TracedValue(ConstantValue(None), Site(module, function.header), doubts=doubts)

    def _generator(self, callee: FunctionValue, call: Call, frame: Frame) -> GeneratorValue:
        """What calling a generator function gives, with what it yields."""
        yields = callee.facts.yields
        is_endless = not (callee.facts.may_give_none or callee.facts.returns)
        inner = self.enter(callee, call, frame) if yields else None
        kind = "async_generator" if callee.facts.is_async else "generator"
        if inner is None:
            return GeneratorValue(False, kind=kind, is_endless=is_endless)
        key = id(callee.facts)
        if key not in self._yielded:
            self._yielded[key] = (callee.facts, yields[0] if len(yields) == 1 else Choice(call.span, yields))
        return GeneratorValue(False, self._yielded[key][1], inner, kind, is_endless)

    def enter(self, callee: FunctionValue, call: Call, frame: Frame) -> Frame | None:
        """The one frame of a call of a function that stands in another frame; None if the arguments do not fit or it
        goes too deep. A recursive function is widened: see `limits.RECURSION`."""
        if frame.is_active(callee.facts):
            return self._widened_frame(callee, call, frame)
        key = (id(callee.facts), id(callee.frame), id(callee.bound), id(call), id(frame))
        if key not in self._entered:
            arguments = expand(call, frame, self._evaluator)
            inner = self.activate(callee, arguments, frame.depth + 1, frame.active, (frame, call))
            self._entered[key] = (callee, call, frame, inner)
        return self._entered[key][3]

    def activate(
        self,
        callee: FunctionValue,
        arguments: Arguments,
        depth: int,
        active: tuple[int, ...] = (),
        called_by: tuple[Frame, Call] | None = None,
    ) -> Frame | None:
        """The frame of calling a function with these arguments, where others are active; None if they do not fit or it
        goes too deep. `called_by` is the call, if there is one."""
        first = Bound(value=callee.bound) if callee.bound is not None else None
        bindings = bind(callee.facts, arguments, first)
        if bindings is None:
            return None
        if called_by is not None and not callee.opaque and lacks_arguments(callee.facts, bindings, called_by):
            return None
        if depth > DEPTH.most:
            self._evaluator.cuts.note(DEPTH)
            return None
        active = (*active, id(callee.facts))
        return Frame(callee.module, callee.facts, bindings, callee.frame, depth, arguments.open, active, called_by)

    def _widened_frame(self, callee: FunctionValue, call: Call, frame: Frame) -> Frame:
        """The one frame of all further calls of a recursive function: nothing is known of its arguments, but whether
        they are parts of documents. A method has one for all that one call makes, whatever was done to it since: the
        nodes of a tree have others as their parts, to which more was done."""
        bound = bind(callee.facts, expand(call, frame, self._evaluator)) if callee.bound is None else None
        parts = tuple(name for name, given in (bound or {}).items() if self._is_of_document(given))
        key = (id(callee.facts), id(callee.frame), _made_by(callee.bound), parts)
        if key not in self._widened:
            self._evaluator.cuts.note_of(RECURSION, callee.module, callee.facts.header.start)
            bindings = {parameter.name: Bound() for parameter in callee.facts.parameters}
            bindings.update((name, Bound(value=DOCUMENT)) for name in parts)
            if callee.bound is not None and callee.facts.parameters:
                bindings[callee.facts.parameters[0].name] = Bound(value=callee.bound)
            active = (id(callee.facts),) * RECURSION.most
            frame = Frame(callee.module, callee.facts, bindings, callee.frame, WIDENED_DEPTH, True, active)
            self._widened[key] = (callee, frame)
        return self._widened[key][1]

    def _is_of_document(self, given: Bound) -> bool:
        if given.expr is None or given.frame is None:
            return given.value is DOCUMENT
        return all(traced.value is DOCUMENT for traced in self._evaluator.evaluate(given.expr, given.frame))

    def _call_partial(self, slots: tuple[Slot, ...], call: Call, frame: Frame, site: Site) -> Iterator[TracedValue]:
        target, *_ = slots
        merged = merge_partial(slots, call)
        for traced in self._evaluator.evaluate(target.value, target.frame):
            if target.frame is frame:
                for result in self.call(traced.value, merged, frame, site):
                    yield result.by_way_of(traced)


def _made_by(bound: AbstractValue | None) -> tuple[int, ...]:
    """What tells the objects of one call, in one frame, from all others."""
    match bound:
        case InstanceValue(class_=class_, call=Call() as call, frame=Frame() as frame):
            return (id(class_.facts), id(call), id(frame))
        case _:
            return (id(bound),)


def merge_partial(slots: tuple[Slot, ...], call: Call) -> Call:
    """The call that a call of a partial amounts to."""
    stored = list(map(_as_argument, slots[1:]))
    given = {a.keyword for a in call.arguments if a.keyword}
    positional = [a for a in stored if a.keyword is None]
    keywords = [a for a in stored if a.keyword is not None and a.keyword not in given]
    return Call(call.span, call.function, (*positional, *call.arguments, *keywords))


def _as_argument(kept: Slot) -> Argument:
    """What a partial object keeps, as it was written."""
    match kept:
        case Slot(key=SlotKey(attribute=None, item=None), value=Item(base=base)):
            return Argument(base, star="*")
        case _:
            return Argument(kept.value, kept.key.attribute)


def _is_class(value: AbstractValue) -> TypeGuard[ClassValue]:
    return isinstance(value, ClassValue)
