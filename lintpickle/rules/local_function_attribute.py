from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.functions import bound_to, function_error, takes_name
from lintpickle.analyses.pickle_hooks.renamed_functions import has_name_of_its_own
from lintpickle.analyses.workers.worker_functions import hidden_by_decorator
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.function_fixes import local_function_fix
from lintpickle.rules.authoring import (
    LOCAL_FUNCTION,
    Crossing,
    FunctionValue,
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    carries_functions,
    excerpt_of,
    how_held,
    is_worker_function,
)


class LocalFunctionAttribute(Rule[Crossing]):
    """A function defined inside a function that is kept on an object that crosses a process boundary."""

    code = "LP103"
    name = "local-function-attribute"
    value_types = (FunctionValue,)
    applicability = Applicability.SAFE
    message = "{kind} function {written} is {held}: {error}"
    help = "define the function at module level; bind what it captures with `functools.partial`"
    marks = frozenset({LOCAL_FUNCTION})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Crossing]]:
        match crossing.value:
            case FunctionValue(facts=facts, bound=None) if facts.name != "<lambda>":
                if carries_functions(crossing) or is_worker_function(crossing) or bound_to(crossing) is not None:
                    return
                if not facts.is_local:
                    yield from _decorated(crossing, crossing.value, linker)
                elif not takes_name(crossing.value, linker) and not has_name_of_its_own(crossing):
                    yield Hazard(
                        site=crossing.site,
                        noun=f"the local function {facts.name}",
                        error=function_error(crossing.value),
                        data={"kind": "local", "written": _written(facts.name, crossing), "held": how_held(crossing)},
                        subject=crossing,
                        culprit=crossing.value,
                    )
            case _:
                pass

    def fix(self, hazard: Hazard[Crossing]) -> Fix | None:
        """Move the function to module level, if it captures nothing and is defined in the same file."""
        crossing = hazard.subject
        assert isinstance(crossing.value, FunctionValue)
        return local_function_fix(hazard, crossing.value) if crossing.value.facts.is_local else None


def _written(name: str, crossing: Crossing) -> str:
    """How a message names a function: as it is written there, and if that is a call, by its own name, too."""
    excerpt = excerpt_of(crossing)
    return f"`{name}`, which `{excerpt}` gives," if excerpt.endswith(")") else f"`{excerpt}`"


def _decorated(crossing: Crossing, named: FunctionValue, linker: Linker) -> Iterator[Hazard[Crossing]]:
    """The hazard of a function of a module in whose place a decorator has put a local function of its own."""
    inner = hidden_by_decorator(named, linker)
    if inner is not None:
        header = Site(named.module, named.facts.header)
        yield Hazard(
            site=crossing.site,
            noun=f"the decorated function {named.facts.name}",
            error=function_error(inner),
            data={"kind": "decorated", "written": f"`{excerpt_of(crossing)}`", "held": how_held(crossing)},
            hops=(Hop(f"a decorator replaces {named.facts.name} with a local function", header),),
            help="decorate the decorator's inner function with `functools.wraps`",
            subject=crossing,
            culprit=named,
        )
