from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Attribute,
    Called,
    ClassValue,
    ExternalResult,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    Rule,
    Site,
    Store,
    TracedValue,
    WorkerCode,
    WorkerFunction,
    excerpt,
)

_GENERATORS = frozenset({"numpy.random.Generator", "random.Random"})
"""The catalog's kinds for the results of `default_rng`, `RandomState` and `Random`."""
_SEEDS = frozenset({"seed", "setstate", "set_state", "set_random_state", "spawn", "jumped"})
_KNOWS_WORKERS = re.compile(r"get_worker_info|worker_info|split_by_worker")
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "__setstate__"})


class SharedRngInWorkers(Rule):
    """A random generator that is made before the workers start, and used in them."""

    code = "LP302"
    name = "shared-rng-in-workers"
    start_methods = ALL_START_METHODS
    message = (
        "`{made}` is made before the workers start, but used in `{user}`: every worker draws the same numbers, "
        "and draws them again in every epoch"
    )
    help = (
        "draw from torch or from NumPy's global generator (torch seeds them per worker), or make the generator in the "
        "worker from `torch.initial_seed()`"
    )
    words = frozenset({"default_rng", "RandomState", "Random("})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is not None and code.boundary.spec.kind != "dataloader":
            return
        if any(_knows_workers(function) for function in code.functions) or _is_initialised(code, linker):
            return
        in_worker = {id(function.facts) for function in code.functions}
        renewed = _renewed(code, linker)
        for function in code.functions:
            if function.facts.name in _CONSTRUCTORS:
                continue
            for event in function.facts.events:
                if isinstance(event, Called):
                    for attribute, traced in _drawn_from(event, function, linker):
                        if attribute not in renewed and _is_made_outside(traced, attribute, in_worker):
                            yield _hazard(traced, event, function)


def _knows_workers(function: WorkerFunction) -> bool:
    span = function.facts.span
    return _KNOWS_WORKERS.search(function.module.code, span.start, span.end) is not None


def _is_initialised(code: WorkerCode, linker: Linker) -> bool:
    """Whether the loader may seed the dataset's generators: MONAI's does, and a `worker_init_fn` can."""
    boundary = code.boundary
    if boundary is None:
        return False
    if boundary.spec.path.startswith("monai."):
        return True
    values = boundary.value("worker_init_fn", linker.evaluator)
    return bool(values) and not any(
        id(function.facts) in {id(getattr(traced.value, "facts", None)) for traced in values}
        and "dataset" not in function.module.code[function.facts.span.start : function.facts.span.end]
        for function in code.functions
    )


def _renewed(code: WorkerCode, linker: Linker) -> frozenset[str]:
    """The attributes whose generator a method other than the constructor replaces or reseeds."""
    found: set[str] = set()
    classes = {
        id(class_.facts): class_
        for function in code.functions
        for bound in function.frame.bindings.values()
        if isinstance(bound.value, InstanceValue)
        for class_ in linker.classes.mro(bound.value)
        if isinstance(class_, ClassValue)
    }
    for class_ in classes.values():
        for method in class_.facts.methods.values():
            for event in method.events if method.name not in _CONSTRUCTORS else ():
                match event:
                    case Store(attribute=attribute):
                        found.add(attribute)
                    case Called(call=call):
                        match call.function:
                            case Attribute(base=Attribute(name=attribute), name=name) if name in _SEEDS:
                                found.add(attribute)
                    case _:
                        pass
    return frozenset(found.difference(_stored_by_constructors(classes.values())))


def _stored_by_constructors(classes: Iterable[ClassValue]) -> Iterator[str]:
    """Attributes that only a helper of the constructor stores: `__init__` calls `self._make_rng()`."""
    for class_ in classes:
        called = {
            event.call.function.name
            for name in _CONSTRUCTORS & class_.facts.methods.keys()
            for event in class_.facts.methods[name].events
            if isinstance(event, Called) and isinstance(event.call.function, Attribute)
        }
        for name in called & class_.facts.methods.keys():
            if name.startswith("_"):
                yield from (e.attribute for e in class_.facts.methods[name].events if isinstance(e, Store))


def _drawn_from(event: Called, function: WorkerFunction, linker: Linker) -> Iterator[tuple[str, TracedValue]]:
    """The generators that a call draws from or receives, each with the attribute that holds it."""
    values = [argument.value for argument in event.call.arguments]
    match event.call.function:
        case Attribute(base=base, name=name) if name not in _SEEDS:
            values.append(base)
        case _:
            pass
    for value in values:
        attribute = value.name if isinstance(value, Attribute) else ""
        for traced in linker.evaluate(value, function.frame):
            if isinstance(traced.value, ExternalResult) and traced.value.path in _GENERATORS:
                yield attribute, traced


def _is_made_outside(traced: TracedValue, attribute: str, in_worker: set[int]) -> bool:
    """Whether a generator is made before the workers start. An unseeded module-level generator is made again in spawned
    workers, and a property makes one on each access."""
    value = traced.value
    assert isinstance(value, ExternalResult)
    maker = value.frame.function
    if id(maker) in in_worker or maker.decorated_by("property", "cached_property"):
        return False
    return not maker.is_module_body or bool(value.call.arguments or attribute)


def _hazard(traced: TracedValue, event: Called, function: WorkerFunction) -> Hazard:
    value = traced.value
    assert isinstance(value, ExternalResult)
    module = value.frame.module
    return Hazard(
        site=Site(module, value.call.span),
        noun="the generator",
        error=None,
        data={"made": excerpt(module, value.call), "user": function.facts.qualname},
        hops=(*function.hops, Hop("draws from the generator", Site(function.module, event.call.span))),
    )
