from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.functions import function_error, wraps
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.function_fixes import local_function_fix
from lintpickle.rules.authoring import (
    LOCAL_FUNCTION,
    Crossing,
    FunctionValue,
    Hazard,
    Linker,
    Rule,
    carries_functions,
    excerpt_of,
    is_worker_function,
    where,
)


class LocalFunctionAttribute(Rule[Crossing]):
    """A function defined inside a function that is kept on an object that crosses a process boundary."""

    code = "LP103"
    name = "local-function-attribute"
    value_types = (FunctionValue,)
    applicability = Applicability.SAFE
    message = "local function `{excerpt}` is kept in `{where}`: {error}"
    help = "define the function at module level; bind what it captures with `functools.partial`"
    marks = frozenset({LOCAL_FUNCTION})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Crossing]]:
        match crossing.value:
            case FunctionValue(facts=facts, bound=None) if facts.is_local and facts.name != "<lambda>":
                if carries_functions(crossing) or is_worker_function(crossing) or wraps(crossing.value, linker):
                    return
                yield Hazard(
                    site=crossing.site,
                    noun=f"the local function {facts.name}",
                    error=function_error(crossing.value),
                    data={"excerpt": excerpt_of(crossing), "where": where(crossing)},
                    subject=crossing,
                    culprit=crossing.value,
                )
            case _:
                pass

    def fix(self, hazard: Hazard[Crossing]) -> Fix | None:
        """Move the function to module level, if it captures nothing and is defined in the same file."""
        crossing = hazard.subject
        assert isinstance(crossing.value, FunctionValue)
        return local_function_fix(hazard, crossing.value)
