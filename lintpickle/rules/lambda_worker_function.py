from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.functions import function_error
from lintpickle.analyses.pickle_hooks.renamed_functions import has_name_of_its_own
from lintpickle.analyses.workers.worker_functions import choice_of, role_phrase
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.function_fixes import lambda_fix
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    LAMBDA,
    Crossing,
    FunctionValue,
    Hazard,
    Linker,
    Rule,
    bind_lambda,
    carries_functions,
    excerpt_of,
    is_worker_function,
)


class LambdaWorkerFunction(Rule[Crossing]):
    """A lambda that worker processes call: `collate_fn`, `worker_init_fn`, `target`, the function of a pool."""

    code = "LP201"
    name = "lambda-worker-function"
    value_types = (FunctionValue,)
    start_methods = ALL_START_METHODS
    applicability = Applicability.SAFE
    message = "lambda `{excerpt}` is passed {where}: {error}"
    help = "pass a function defined at module level; bind what it captures with `functools.partial`"
    marks = frozenset({LAMBDA})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Crossing]]:
        match crossing.value:
            case FunctionValue(facts=facts, bound=None) if facts.name == "<lambda>":
                if carries_functions(crossing) or not is_worker_function(crossing):
                    return
                if has_name_of_its_own(crossing):
                    return
                yield Hazard(
                    site=crossing.site,
                    noun="the lambda",
                    error=function_error(crossing.value),
                    data={"excerpt": excerpt_of(crossing), "where": role_phrase(crossing)},
                    subject=crossing,
                    culprit=crossing.value,
                    cause=choice_of(crossing.value),
                )
            case _:
                pass

    def fix(self, hazard: Hazard[Crossing]) -> Fix | None:
        """Move the lambda to module level; use `functools.partial` to bind captured variables that are assigned
        once."""
        crossing = hazard.subject
        assert isinstance(crossing.value, FunctionValue)
        if crossing.value.facts.span != hazard.site.span:
            return None
        hint = crossing.role or "function"
        fix = lambda_fix(hazard, hint)
        if fix is not None:
            return fix
        bound = bind_lambda(hazard.site.module.document.text, hazard.site.span, hint=hint)
        if bound is None:
            return None
        message = f"Move the lambda to a module-level function `{bound.name}` and bind what it captures"
        return Fix(message, Applicability.UNSAFE, bound.edits, is_the_help=True)
