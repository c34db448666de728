from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.functions import function_error, takes_name
from lintpickle.analyses.pickle_hooks.renamed_functions import has_name_of_its_own
from lintpickle.analyses.workers.worker_functions import hidden_by_decorator, role_phrase
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.function_fixes import local_function_fix
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
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
    is_worker_function,
)


class LocalFunctionWorkerFunction(Rule[Crossing]):
    """A function defined inside a function that worker processes call: `collate_fn`, `target`, and so on."""

    code = "LP202"
    name = "local-function-worker-function"
    value_types = (FunctionValue,)
    start_methods = ALL_START_METHODS
    applicability = Applicability.SAFE
    message = "{kind} `{excerpt}` is passed {where}: {error}"
    help = "define the function at module level; bind what it captures with `functools.partial`"
    marks = frozenset({LOCAL_FUNCTION})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Crossing]]:
        match crossing.value:
            case FunctionValue(facts=facts, bound=None) if facts.name != "<lambda>":
                if carries_functions(crossing) or not is_worker_function(crossing):
                    return
                if facts.is_local:
                    # One that wraps is sought under another name: see LP122.
                    if not takes_name(crossing.value, linker) and not has_name_of_its_own(crossing):
                        yield self._hazard(crossing, crossing.value, linker)
                    return
                inner = hidden_by_decorator(crossing.value, linker)
                if inner is not None:
                    yield self._hazard(crossing, inner, linker)
            case _:
                pass

    def _hazard(self, crossing: Crossing, local: FunctionValue, linker: Linker) -> Hazard[Crossing]:
        named = crossing.value
        assert isinstance(named, FunctionValue)
        decorated = local is not named
        kind = "decorated function" if decorated else "local function"
        header, written = Site(named.module, named.facts.header), excerpt_of(crossing)
        return Hazard(
            site=crossing.site,
            noun=f"the {kind} {named.facts.name}",
            error=function_error(local),
            data={
                "excerpt": named.facts.name if written.endswith(")") else written,
                "where": role_phrase(crossing),
                "kind": kind,
            },
            hops=(Hop(f"a decorator replaces {named.facts.name} with a local function", header),) * decorated,
            help="decorate the decorator's inner function with `functools.wraps`" if decorated else None,
            subject=crossing,
            culprit=named,
        )

    def fix(self, hazard: Hazard[Crossing]) -> Fix | None:
        """Move the function to module level, if it captures nothing and is defined in the same file."""
        crossing = hazard.subject
        assert isinstance(crossing.value, FunctionValue)
        return local_function_fix(hazard, crossing.value) if crossing.value.facts.is_local else None
