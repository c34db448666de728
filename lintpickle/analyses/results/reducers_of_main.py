"""Results of workers that only a reducer can pickle which the main process alone registers: `copyreg.pickle(memoryview,
reduce_view)` in `main()`. A forked worker has inherited the table of reducers; measured with CPython 3.11, a fresh one
fails as it sends the result. For `migrate`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.main_state.main_setters import Setter, Setting, of_the_program, set_by
from lintpickle.analyses.process_state.process_settings import NOT_THERE, setters_of_setting
from lintpickle.catalog import Product
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Constant, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, ProductValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import senders
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_REGISTRAR = "copyreg.pickle"
_SLICED = frozenset({"memoryview"})
"""Types of which a slice is one, too."""


class UnreducedResult(Struct, frozen=True):
    """What a function of workers sends back, and where the main process registers the reducer for that."""

    function: WorkerFunction
    span: Span
    product: Product
    setting: Setting


def unreduced_results(code: WorkerCode, linker: Linker) -> Iterator[UnreducedResult]:
    """The results that workers cannot pickle without what the main process alone registers."""
    boundary = code.boundary
    if linker.moving_to is None or boundary is None or not linker.classes.registered:
        return
    spec = next((each for each in linker.catalog.settings() if _REGISTRAR in each.by), None)
    registering = setters_of_setting(spec, code, linker) if spec is not None else []
    for function in senders(code, boundary, linker) if registering else ():
        for returned in function.facts.returns:
            for product in _products(returned, function.frame, linker):
                setters = [each for each in registering if _registers(product, each, linker)]
                asker = code.root.site.module.path
                setting = set_by(of_the_program(setters, code, linker), NOT_THERE, linker, asker)
                if setting is not None:
                    yield UnreducedResult(function, returned.span, product, setting)


def _products(value: Expr, frame: Frame, linker: Linker) -> Iterator[Product]:
    """What a value surely is that cannot be pickled by itself; of a view of memory also a slice of it."""
    match without_narrowing(value):
        case Item(base=base, key=Constant(value=key)) if key is ...:
            yield from (each for each in _products(base, frame, linker) if each.type in _SLICED)
        case whole:
            found = [traced.value for traced in linker.evaluate(whole, frame)]
            products = [each.product for each in found if isinstance(each, ProductValue)]
            if len(products) == len(found):
                yield from (each for each in products[:1] if each.fails == "dumps")


def _registers(product: Product, setter: Setter, linker: Linker) -> bool:
    """Whether a call registers a reducer for the type of a product."""
    frame = Frame(setter.module, setter.facts)
    for event in setter.facts.events:
        if isinstance(event, Called) and event.span == setter.span and event.call.arguments:
            types = (traced.value for traced in linker.evaluate(event.call.arguments[0].value, frame))
            return any(isinstance(each, ExternalValue) and _is_type(each.path, product, linker) for each in types)
    return False


def _is_type(path: str, product: Product, linker: Linker) -> bool:
    made = linker.catalog.product(path)
    return path.removeprefix("builtins.") == product.type or (made is not None and made.type == product.type)
