"""Results of workers that only a reducer can pickle which the main process alone registers: `copyreg.pickle(memoryview,
reduce_view)` in `main()`. A forked worker has inherited the table of reducers; measured with CPython 3.11, a fresh one
fails as it sends the result. For `migrate`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.functions import function_error
from lintpickle.analyses.main_state.main_setters import Setter, Setting, of_the_program, set_by
from lintpickle.analyses.process_state.process_settings import NOT_THERE, setters_of_setting
from lintpickle.catalog import Error, Product
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Constant, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ProductValue,
)
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS
from lintpickle.interpreter.reducers import is_registered
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import senders
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_REGISTRAR = "copyreg.pickle"
_FAILS = "dumps"
_SLICED = frozenset({"memoryview"})
"""Types of which a slice is one, too."""


class UnreducedResult(Struct, frozen=True):
    """What a function of workers sends back, the error without a reducer, and where the main process registers that."""

    function: WorkerFunction
    span: Span
    error: Error
    setting: Setting


class _Unreduced(Struct, frozen=True):
    """What cannot be pickled by itself: a product, or an object of a class that holds something of the kind."""

    made: Product | ClassValue
    error: Error


def unreduced_results(code: WorkerCode, linker: Linker) -> Iterator[UnreducedResult]:
    """The results that workers cannot pickle without what the main process alone registers."""
    boundary = code.boundary
    if linker.moving_to is None or boundary is None or not linker.classes.registered:
        return
    spec = next((each for each in linker.catalog.settings() if _REGISTRAR in each.by), None)
    registering = setters_of_setting(spec, code, linker) if spec is not None else []
    for function in senders(code, boundary, linker) if registering else ():
        for returned in function.facts.returns:
            for unreduced in _unreduced(returned, function.frame, linker):
                setters = [each for each in registering if _registers(unreduced.made, each, linker)]
                asker = code.root.site.module.path
                setting = set_by(of_the_program(setters, code, linker), NOT_THERE, linker, asker)
                if setting is not None:
                    yield UnreducedResult(function, returned.span, unreduced.error, setting)


def _unreduced(value: Expr, frame: Frame, linker: Linker) -> Iterator[_Unreduced]:
    """What a value surely is that cannot be pickled by itself; of a view of memory also a slice of it."""
    match without_narrowing(value):
        case Item(base=base, key=Constant(value=key)) if key is ...:
            for each in _unreduced(base, frame, linker):
                if isinstance(each.made, Product) and each.made.type in _SLICED:
                    yield each
        case whole:
            found = [traced.value for traced in linker.evaluate(whole, frame)]
            match found:
                case [InstanceValue(class_=class_) as instance]:
                    error = _error_of_parts(instance, linker)
                    if error is not None:
                        yield _Unreduced(class_, error)
                case [ProductValue(product=product), *_] if all(isinstance(each, ProductValue) for each in found):
                    if product.fails == _FAILS:
                        yield _Unreduced(product, product)
                case _:
                    pass


def _error_of_parts(instance: InstanceValue, linker: Linker) -> Error | None:
    """The error of pickling what an object surely holds, if a reducer that is registered for its class avoids it."""
    classes = linker.classes
    is_reduced = id(instance.class_.facts) in classes.registered
    if not is_reduced or any(classes.defines(instance, hook) for hook in SENDING_HOOKS):
        return None
    for held in classes.states.state(instance):
        values = [each.value for each in linker.evaluate(held.value, held.frame)] if not held.doubts else []
        match values:
            case [GeneratorValue(kind=kind)] if kind not in classes.registered:
                return f"TypeError: cannot pickle '{kind}' object"
            case [ProductValue(product=product) as made] if product.fails == _FAILS:
                if not is_registered(made, linker.evaluator):
                    return product
            case [FunctionValue(facts=facts, bound=None, opaque=False) as made]:
                if facts.is_local or facts.name == "<lambda>":
                    return function_error(made)
            case _:
                pass
    return None


def _registers(made: Product | ClassValue, setter: Setter, linker: Linker) -> bool:
    """Whether a call registers a reducer for a class, or for the type of a product."""
    frame = Frame(setter.module, setter.facts)
    for event in setter.facts.events:
        if isinstance(event, Called) and event.span == setter.span and event.call.arguments:
            types = (traced.value for traced in linker.evaluate(event.call.arguments[0].value, frame))
            return any(_is_type(each, made, linker) for each in types)
    return False


def _is_type(type_: AbstractValue, made: Product | ClassValue, linker: Linker) -> bool:
    match type_, made:
        case ClassValue(facts=facts), ClassValue(facts=other):
            return facts is other
        case ExternalValue(path=path), Product(type=name):
            known = linker.catalog.product(path)
            return path.removeprefix("builtins.") == name or (known is not None and known.type == name)
        case _:
            return False
