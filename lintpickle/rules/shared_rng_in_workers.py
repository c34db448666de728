from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.given_arguments import is_passed_by
from lintpickle.analyses.random_numbers.shared_generators import (
    CONSTRUCTORS,
    SEEDS,
    SharedDraw,
    drawn_from,
    shared_draws,
)
from lintpickle.diagnostics import Confidence, Span, StartMethod
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

_HELPS_CONSTRUCTION = re.compile(r"_|(?:init|make|build|create|set_?up)(?:_|$)")
"""How the names of methods begin that are there for the constructor."""
_KNOWS_WORKERS = re.compile(r"get_worker_info|worker_info|split_by_worker")
_AGAIN = "every worker draws the same numbers, and draws them again in every epoch"
_OF_POOL = "every worker draws the same numbers"
_OF_TASK = "every task gets a copy and draws the same numbers"
_HELP_FOR_TASKS = (
    "give each task a seed of its own (`np.random.SeedSequence(0).spawn(n)`), and make the generator in the worker "
    "from it"
)


class SharedRngInWorkers(Rule):
    """A random generator that is made before the workers start, and used in them."""

    code = "LP302"
    name = "shared-rng-in-workers"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = "`{made}` is made before the workers start, but used in `{user}`: {outcome}"
    help = (
        "draw from torch or from NumPy's global generator (torch seeds them per worker), or make the generator in the "
        "worker from `torch.initial_seed()`"
    )
    words = frozenset({"default_rng", "RandomState", "Random("})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is not None and code.boundary.spec.kind != "dataloader":
            yield from (_of_pool(draw) for draw in shared_draws(code, linker))
            return
        if any(_knows_workers(function) for function in code.functions) or _is_initialised(code, linker):
            return
        in_worker = {id(function.facts) for function in code.functions}
        renewed = _renewed(code, linker)
        for function in code.functions:
            if function.facts.name in CONSTRUCTORS:
                continue
            for event in function.facts.events:
                if isinstance(event, Called) and not is_passed_by(event.span, function.frame, linker):
                    for value, traced in drawn_from(event.call, function.frame, linker):
                        attribute = value.name if isinstance(value, Attribute) else ""
                        if attribute not in renewed and _is_made_outside(traced, attribute, in_worker):
                            assert isinstance(traced.value, ExternalResult)
                            yield _hazard(traced.value, event.call.span, function, _AGAIN)


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
            for event in method.events if method.name not in CONSTRUCTORS else ():
                match event:
                    case Store(attribute=attribute):
                        found.add(attribute)
                    case Called(call=call):
                        match call.function:
                            case Attribute(base=Attribute(name=attribute), name=name) if name in SEEDS:
                                found.add(attribute)
                    case _:
                        pass
    return frozenset(found.difference(_stored_by_constructors(classes.values())))


def _stored_by_constructors(classes: Iterable[ClassValue]) -> Iterator[str]:
    """Attributes that only a helper of a constructor stores, in its class or another one: `self._make_rng()`."""
    line = list(classes)
    constructors = [each.facts.methods[name] for each in line for name in CONSTRUCTORS & each.facts.methods.keys()]
    called = {
        event.call.function.name
        for constructor in constructors
        for event in constructor.events
        if isinstance(event, Called) and isinstance(event.call.function, Attribute)
    }
    for class_ in line:
        for name in filter(_HELPS_CONSTRUCTION.match, called & class_.facts.methods.keys()):
            yield from (e.attribute for e in class_.facts.methods[name].events if isinstance(e, Store))


def _of_pool(draw: SharedDraw) -> Hazard:
    outcome = _OF_TASK if draw.is_per_task else _OF_POOL
    hazard = _hazard(draw.made, draw.span, draw.function, outcome)
    forked = (StartMethod.FORK,) if draw.is_forked else None
    return replace(hazard, confidence=Confidence.LIKELY, help=_HELP_FOR_TASKS, start_methods=forked)


def _is_made_outside(traced: TracedValue, attribute: str, in_worker: set[int]) -> bool:
    """Whether a generator is made before the workers start. An unseeded module-level generator is made again in spawned
    workers, and a property makes one on each access."""
    value = traced.value
    assert isinstance(value, ExternalResult)
    maker = value.frame.function
    if id(maker) in in_worker or maker.decorated_by("property", "cached_property"):
        return False
    return not maker.is_module_body or bool(value.call.arguments or attribute)


def _hazard(made: ExternalResult, span: Span, function: WorkerFunction, outcome: str) -> Hazard:
    module = made.frame.module
    return Hazard(
        site=Site(module, made.call.span),
        noun="the generator",
        error=None,
        data={"made": excerpt(module, made.call), "user": function.facts.qualname, "outcome": outcome},
        hops=(*function.hops, Hop("draws from the generator", Site(function.module, span))),
    )
