from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lintpickle.analyses.at_import.loaded_modules import (
    calls_attribute,
    given_to_workers,
    is_called_as_given,
    is_in_sys_modules,
    is_loaded_by_path,
    may_be_found,
)
from lintpickle.analyses.at_import.loaded_objects import loaded_objects
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    Crossing,
    Hazard,
    Linker,
    ProductValue,
    WorkerCode,
    carries_functions,
    excerpt_of,
)

_OF_CLASS = "_pickle.PicklingError: Can't pickle <class '…'>: import of module '…' failed"
"""How an object of a class fails of a module that is in no process's `sys.modules` (CPython 3.11)."""


class FunctionOfLoadedModule(ProductRule):
    """A function or object of a module loaded from a path, given to worker processes, which cannot import it."""

    code = "LP129"
    name = "function-of-loaded-module"
    start_methods = ALL_START_METHODS
    message = (
        "`{excerpt}` is of a module that is loaded from a path, and is sent to workers by the name of that module, "
        "{why}: {error}"
    )
    help = "send the path, and load the module in the worker"
    kinds = frozenset({"loaded"})
    noun = "function of a loaded module"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        if self._is_loaded(crossing) and _is_function(crossing):
            yield from _hazards(crossing, linker)

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        for crossing in given_to_workers(code, linker):
            if self._is_loaded(crossing) and is_called_as_given(crossing, code):
                yield from (replace(hazard, hops=crossing.hops) for hazard in _hazards(crossing, linker))
        for each in loaded_objects(code, linker):
            confidence = Confidence.LIKELY if each.is_sure else Confidence.POSSIBLE
            for hazard in _hazards(each.crossing, linker):
                error = hazard.error if isinstance(hazard.error, str) else _OF_CLASS
                yield replace(hazard, hops=each.crossing.hops, confidence=confidence, error=error)

    def _is_loaded(self, crossing: Crossing) -> bool:
        match crossing.value:
            case ProductValue(product=product):
                return product.kind in self.kinds
            case _:
                return False


def _hazards(crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
    sites = (crossing.root.site, crossing.site, *(hop.site for hop in crossing.hops))
    if carries_functions(crossing) or not isinstance(crossing.value, ProductValue) or not is_loaded_by_path(sites):
        return
    is_there = is_in_sys_modules(sites)
    if is_there and may_be_found(sites):
        return
    failing = PICKLED_ON_START if is_there else ALL_START_METHODS
    yield Hazard(
        site=crossing.site,
        noun="it is of a module that is loaded from a path",
        error="ModuleNotFoundError: No module named '…'" if is_there else crossing.value.product,
        confidence=Confidence.LIKELY,
        data={
            "excerpt": excerpt_of(crossing),
            "why": "which no worker can import" if is_there else "which nobody can import",
        },
        start_methods=tuple(method for method in crossing.root.start_methods if method in failing),
        subject=KeptProduct(crossing, linker),
    )


def _is_function(crossing: Crossing) -> bool:
    """Whether workers call it: it is given as a function, or the object that holds it calls it."""
    spec = crossing.root.spec
    if crossing.holder is None or crossing.held is None:
        return spec is not None and crossing.role in spec.functions
    return calls_attribute(crossing.holder.class_.module, crossing.held.attribute)
