from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.functions import MAIN, name_at_run
from lintpickle.catalog import Error
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    GENERATOR,
    PRODUCT,
    AbstractValue,
    Crossing,
    FunctionValue,
    GeneratorValue,
    Hazard,
    Hop,
    Linker,
    ProductValue,
    Rule,
    Site,
    TracedValue,
)

_BY_VALUE = frozenset({"joblib", "cloudpickle"})
_ERROR_OF_JOBLIB = "_pickle.PicklingError: Could not pickle the task to send it to the workers."


class GlobalSentByValue(Rule):
    """A global that cannot be pickled, named by a function of the script that cloudpickle sends by value."""

    code = "LP222"
    name = "global-sent-by-value"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` is sent to workers by value, as it is a function of the script, and with it the global "
        "`{name}`, which is {what}: {error}"
    )
    value_types = (FunctionValue,)
    marks = frozenset({GENERATOR, PRODUCT})
    help = "move the functions and the global into a module that is imported, or make the object where it is used"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        value = crossing.value
        if not isinstance(value, FunctionValue) or crossing.root.kind not in _BY_VALUE:
            return
        if value.module.first_party and name_at_run(value.module) == MAIN:
            for function, name, made, what in _refused_by(value, linker):
                site = Site(function.module, function.facts.reads[name])
                yield Hazard(
                    site=site,
                    noun="it is sent with the function",
                    error=_ERROR_OF_JOBLIB if crossing.root.kind == "joblib" else _error(made.value),
                    confidence=Confidence.LIKELY if made.doubts else None,
                    data={"function": function.facts.name, "name": name, "what": what},
                    hops=(Hop(f"`{value.facts.name}` is sent with what it names", crossing.site),),
                )


def _refused_by(first: FunctionValue, linker: Linker) -> Iterator[tuple[FunctionValue, str, TracedValue, str]]:
    """The globals that a function names and cloudpickle refuses, and those of the functions of its module that it
    names."""
    waiting, seen = [first], {id(first.facts)}
    while waiting:
        function = waiting.pop()
        for name, span in function.facts.reads.items():
            for made in _values(name, Site(function.module, span), linker):
                what = _refused(made)
                if what is not None:
                    yield function, name, made, what
                    break
                match made.value:
                    case FunctionValue(module=module, facts=facts) as named if module is first.module:
                        if id(facts) not in seen:
                            seen.add(id(facts))
                            waiting.append(named)
                    case _:
                        pass


def _values(name: str, site: Site, linker: Linker) -> Iterator[TracedValue]:
    definitions = tuple(linker.evaluator.names.lookup(site.module, name))
    for definition in definitions if len(definitions) == 1 else ():
        yield from linker.evaluator.definition(definition, site)


def _refused(made: TracedValue) -> str | None:
    """What a global is that cloudpickle refuses, in words."""
    match made.value:
        case ProductValue(product=product) if product.cloudpickle is False and product.fails == "dumps":
            return f"a `{product.type}`"
        case GeneratorValue(kind=kind):
            return f"a {kind}"
        case _:
            return None


def _error(value: AbstractValue) -> Error:
    kind = value.kind if isinstance(value, GeneratorValue) else "generator"
    return value.product if isinstance(value, ProductValue) else f"TypeError: cannot pickle '{kind}' object"
