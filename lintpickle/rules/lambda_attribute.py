from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, structs

from lintpickle.analyses.calls_and_values.functions import bound_to, function_error
from lintpickle.analyses.pickle_hooks.renamed_functions import has_name_of_its_own
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.function_fixes import lambda_fix
from lintpickle.rules.authoring import (
    LAMBDA,
    Crossing,
    FunctionValue,
    Hazard,
    Linker,
    Rule,
    Words,
    carries_functions,
    excerpt_of,
    how_held,
    is_worker_function,
)


class KeptLambda(Struct, frozen=True):
    """A lambda that crosses, and the linker that knows the rest of the program."""

    crossing: Crossing
    linker: Linker


class LambdaAttribute(Rule[KeptLambda]):
    """A lambda that is kept on an object, in a container or in a partial that crosses a process boundary."""

    code = "LP102"
    name = "lambda-attribute"
    value_types = (FunctionValue,)
    applicability = Applicability.SAFE
    message = "lambda `{excerpt}` is {held}: {error}"
    help = "use a function defined at module level, or `functools.partial` of one"
    marks = frozenset({LAMBDA})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptLambda]]:
        match crossing.value:
            case FunctionValue(facts=facts) if facts.name == "<lambda>" and crossing.value.bound is None:
                if carries_functions(crossing) or is_worker_function(crossing) or bound_to(crossing) is not None:
                    return
                if has_name_of_its_own(crossing):
                    return
                yield Hazard(
                    site=crossing.site,
                    noun="the lambda",
                    error=function_error(crossing.value),
                    data={"excerpt": excerpt_of(crossing), "held": how_held(crossing)},
                    subject=KeptLambda(crossing, linker),
                    culprit=crossing.value,
                )
            case _:
                pass

    def fix(self, hazard: Hazard[KeptLambda]) -> Fix | None:
        """Replace the lambda by an equivalent `operator` function, or define it at module level if it captures
        nothing."""
        crossing = hazard.subject.crossing
        value = crossing.value
        assert isinstance(value, FunctionValue)
        if value.module is not hazard.site.module:
            return None
        hint = crossing.held.place.strip(".") if crossing.held is not None else crossing.path
        fix = lambda_fix(hazard, hint, value.facts.span, _is_named(value, hazard.subject.linker))
        if fix is not None and _keeps_attributes(hazard.subject):
            return structs.replace(fix, applicability=Applicability.UNSAFE)
        return fix


def _is_named(value: FunctionValue, linker: Linker) -> bool:
    """Whether another file passes something by the name of a parameter of the lambda: `rows.key(row=first)`."""
    names = frozenset(parameter.name for parameter in value.facts.parameters)
    if not names:
        return False
    form = re.compile(rf"[(,]\s*(?:{'|'.join(map(re.escape, sorted(names)))})\s*=(?!=)")
    found = linker.first_party.naming(Words(names), value.module.path, form)
    return any(module is not value.module for module in found)


def _keeps_attributes(kept: KeptLambda) -> bool:
    """Whether code stores attributes on what the attribute holds, as on an object without a class:
    `self.state.rank = 3`. Each evaluation of a lambda makes a function of its own; a module has but one."""
    held = kept.crossing.held
    if held is None:
        return False
    name = held.name
    form = re.compile(
        rf"\.\s*{re.escape(name)}\s*\.\s*\w+\s*(?:[-+*/|&]|//|\*\*)?=(?!=)|setattr\(\s*[\w.]+\.{re.escape(name)}\s*,"
    )
    return kept.linker.first_party.is_anywhere(Words({name}), kept.crossing.site.module.path, form)
