from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.functions import function_error
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.function_fixes import lambda_fix
from lintpickle.rules.authoring import (
    LAMBDA,
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


class LambdaAttribute(Rule[Crossing]):
    """A lambda that is kept on an object, in a container or in a partial that crosses a process boundary."""

    code = "LP102"
    name = "lambda-attribute"
    value_types = (FunctionValue,)
    applicability = Applicability.SAFE
    message = "lambda `{excerpt}` is kept in `{where}`: {error}"
    help = "use a function defined at module level, or `functools.partial` of one"
    marks = frozenset({LAMBDA})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Crossing]]:
        match crossing.value:
            case FunctionValue(facts=facts) if facts.name == "<lambda>" and crossing.value.bound is None:
                if carries_functions(crossing) or is_worker_function(crossing):
                    return
                yield Hazard(
                    site=crossing.site,
                    noun="the lambda",
                    error=function_error(crossing.value),
                    data={"excerpt": excerpt_of(crossing), "where": where(crossing)},
                    subject=crossing,
                    culprit=crossing.value,
                )
            case _:
                pass

    def fix(self, hazard: Hazard[Crossing]) -> Fix | None:
        """Replace the lambda by an equivalent `operator` function, or move it to module level if it captures
        nothing."""
        crossing = hazard.subject
        assert isinstance(crossing.value, FunctionValue)
        if crossing.value.facts.span != hazard.site.span or not crossing.value.facts.is_local:
            return None
        return lambda_fix(hazard, crossing.held.attribute if crossing.held is not None else crossing.path)
