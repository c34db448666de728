from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.batch_samplers import SAMPLER_KINDS
from lintpickle.analyses.loaders.loader_arguments import is_loader
from lintpickle.catalog import Product
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    AbstractValue,
    Arguments,
    Attribute,
    BoundaryCall,
    Called,
    ClassValue,
    ContainerValue,
    Event,
    FunctionValue,
    GeneratorValue,
    Hazard,
    Hop,
    ItemStore,
    Linker,
    Parameter,
    ProductValue,
    Rule,
    Site,
    Store,
)

_ARGUMENTS = ("sampler", "batch_sampler")


class SamplerIteratorKept(Rule):
    """A sampler that returns the same iterator in every epoch: the second epoch is empty."""

    code = "LP410"
    name = "sampler-iterator-kept"
    start_methods = ALL_START_METHODS
    message = "{where} is an iterator that is exhausted after one epoch: from the second epoch on the loader is empty"
    help = "create a new iterator in `__iter__`, or pass a list"
    words = frozenset({"sampler", "Sampler"})
    class_kinds = frozenset(SAMPLER_KINDS)

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        for name in _ARGUMENTS if is_loader(call) else ():
            values = call.value(name, linker.evaluator)
            if values and all(_is_used_up(traced.value) for traced in values):
                made = Hop("makes the iterator", values[0].site)
                yield Hazard(
                    site=call.site,
                    noun="the loader",
                    error=None,
                    data={"where": f"`{name}`"},
                    hops=(made,),
                    confidence=Confidence.LIKELY,
                )

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        method = class_.facts.methods.get("__iter__")
        if method is None or linker.classes.kind(class_) not in SAMPLER_KINDS or method.is_generator:
            return
        instance = linker.activations.instance(class_)
        function = FunctionValue(class_.module, method, class_.frame, instance)
        frame = linker.evaluator.activate(function, Arguments((), {}, False), 1)
        for value in method.returns if frame is not None and len(method.returns) == 1 else ():
            assert frame is not None
            match value:
                case Attribute(base=Parameter(name=me), name=attribute) if me == method.parameters[0].name:
                    values = linker.evaluate(value, frame)
                    renewed = any(_stores(event, attribute) for event in method.events)
                    calls = any(_calls_self(event, me) for event in method.events)
                    if values and all(_is_used_up(r.value) for r in values) and not renewed and not calls:
                        yield Hazard(
                            site=Site(class_.module, value.span),
                            noun="the iterator",
                            error=None,
                            data={"where": f"`{class_.facts.name}.{attribute}`"},
                        )
                case _:
                    pass


def _is_used_up(value: AbstractValue) -> bool:
    match value:
        case GeneratorValue(is_endless=is_endless):
            return not is_endless
        case ProductValue(product=Product(kind="iterator")):
            return True
        case ContainerValue(kind="iterator" | "chain", made_by=name):
            return name != "cycle"
        case _:
            return False


def _stores(event: Event, attribute: str) -> bool:
    return isinstance(event, Store | ItemStore) and getattr(event, "attribute", attribute) == attribute


def _calls_self(event: Event, me: str) -> bool:
    """Whether another method may replace the iterator."""
    match event:
        case Called(call=call):
            match call.function:
                case Attribute(base=Parameter(name=name)):
                    return name == me
        case _:
            pass
    return False
