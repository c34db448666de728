from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.functions import SUPER_ERROR, class_error, function_error
from lintpickle.analyses.pickle_hooks.made_classes import misnamed, place_of_class
from lintpickle.analyses.results.reducers_of_main import unreduced_results
from lintpickle.analyses.workers.worker_functions import hidden_by_decorator
from lintpickle.catalog import Error
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    BoundaryCall,
    ClassValue,
    ContainerValue,
    Crossing,
    Expr,
    FunctionValue,
    GeneratorValue,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    ModuleValue,
    ProductValue,
    Rule,
    Site,
    SuperValue,
    WorkerCode,
    WorkerFunction,
    excerpt,
    results_sent,
    senders,
    sends_results,
)

_HELP_FOR_CLASSES = "assign the class at module level to the name in its first argument, or return plain data"
_OUTCOMES = {
    "dataloader": "the worker only prints it, and the loop waits for ever or misses the item",
    "pool": "multiprocessing.pool.MaybeEncodingError in the parent",
    "executor": "the future raises it",
}


class UnpicklableWorkerResult(Rule):
    """A result of a worker that cannot be sent back: a dict view, a generator, a lambda, an open handle."""

    code = "LP206"
    name = "unpicklable-worker-result"
    start_methods = ALL_START_METHODS
    message = "`{excerpt}` is in what `{function}` sends back from the worker: {error} ({outcome})"
    help = "return plain data: `list(...)` of a view or generator, `dict(row)` of a row, the contents of a handle"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None or not sends_results(boundary):
            return
        for function, crossing in results_sent(code, linker):
            error = _error(crossing, linker)
            if error is not None:
                yield _hazard(crossing, function, error, boundary)
        for unreduced in unreduced_results(code, linker):
            yield Hazard(
                site=Site(unreduced.function.module, unreduced.span),
                noun="it is sent back to the parent",
                error=unreduced.error,
                start_methods=PICKLED_ON_START,
                data={
                    "excerpt": excerpt(unreduced.function.module, Expr(unreduced.span), 40),
                    "function": unreduced.function.facts.name,
                    "outcome": f"a reducer for it is registered only {unreduced.setting.where}",
                },
                hops=(*unreduced.function.hops, Hop("the main process registers it here", unreduced.setting.site)),
                help="register the reducer where the module is imported, or in an `initializer`",
            )
        for function in senders(code, boundary, linker) if boundary.spec.kind != "dataloader" else ():
            if function.facts.is_generator and not function.facts.is_async and not function.facts.decorators:
                site = Site(function.module, function.facts.header)
                yield Hazard(
                    site=site,
                    noun="it returns a generator",
                    error="TypeError: cannot pickle 'generator' object",
                    data={
                        "excerpt": "yield",
                        "function": function.facts.name,
                        "outcome": _OUTCOMES[boundary.spec.kind],
                    },
                    hops=function.hops,
                )


def _hazard(crossing: Crossing, function: WorkerFunction, error: Error, boundary: BoundaryCall) -> Hazard:
    site, hops = place_of_class(crossing.value, crossing.site)
    return Hazard(
        site=site,
        noun="the class" if hops else "it is sent back to the parent",
        error=error,
        data={
            "excerpt": excerpt(crossing.site.module, Expr(crossing.site.span), 40),
            "function": function.facts.name,
            "outcome": _OUTCOMES[boundary.spec.kind],
        },
        hops=(*function.hops, *crossing.hops, *hops),
        help=_HELP_FOR_CLASSES if hops else None,
    )


def _error(crossing: Crossing, linker: Linker) -> Error | None:
    """The error of pickling a value; None if it can be sent."""
    match crossing.value:
        case FunctionValue(facts=facts, bound=None, opaque=False) if facts.is_local or facts.name == "<lambda>":
            return function_error(crossing.value)
        case FunctionValue(bound=None, opaque=False):
            inner = hidden_by_decorator(crossing.value, linker)
            return function_error(inner) if inner is not None else None
        case InstanceValue(class_=ClassValue() as class_) | (ClassValue() as class_) if class_.facts.is_local:
            return class_error(class_)
        case GeneratorValue(kind=kind):
            return f"TypeError: cannot pickle '{kind}' object"
        case SuperValue():
            return SUPER_ERROR
        case ModuleValue():
            return "TypeError: cannot pickle 'module' object"
        case ContainerValue():
            found = misnamed(crossing.value, linker)
            return found[1] if found is not None else None
        case ProductValue(product=product) if product.fails == "dumps" and "dataloader" not in product.crosses:
            return product
        case _:
            return None
