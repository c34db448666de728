from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.functions import class_error, function_error
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS
from lintpickle.catalog import Error
from lintpickle.rules.authoring import (
    AbstractValue,
    Bound,
    ClassValue,
    Collection,
    Frame,
    FunctionValue,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
    is_special_name,
)


class ReduceNamesLocal(Rule):
    """A `__reduce__` that returns a callable which pickle cannot send: local, a lambda, or a method of the object."""

    code = "LP605"
    name = "reduce-names-local"
    message = "`{class_}.{method}` rebuilds the object with {what}: {error}"
    help = "return a class or a function that is defined at module level"
    words = frozenset({"__reduce"})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        for name in REDUCERS & set(class_.facts.methods):
            method = class_.facts.methods[name]
            if not method.parameters or method.decorators:
                continue
            me = linker.activations.instance(class_)
            frame = Frame(class_.module, method, {method.parameters[0].name: Bound(value=me)}, None, 1, open=True)
            for value in method.returns:
                if not isinstance(value, Collection) or value.kind != "tuple" or len(value.elements) < 2:
                    continue
                for traced in linker.evaluate(value.elements[0], frame):
                    judged = _judged(traced.value, me)
                    if judged is not None:
                        what, error = judged
                        yield Hazard(
                            site=Site(class_.module, value.elements[0].span),
                            noun=what,
                            error=error,
                            data={"class_": class_.facts.name, "method": name, "what": what},
                        )


def _judged(value: AbstractValue, me: InstanceValue) -> tuple[str, Error] | None:
    """A description of the callable, and the error; None if it can be pickled."""
    match value:
        case FunctionValue(facts=facts, bound=bound) if bound is me:
            if is_special_name(facts.name):
                return None
            return (
                f"its own method `{facts.name}`",
                "RecursionError: maximum recursion depth exceeded",
            )
        case FunctionValue(facts=facts, bound=None) if facts.name == "<lambda>":
            return "a lambda", function_error(value)
        case FunctionValue(facts=facts, bound=None, opaque=False) if facts.is_local:
            return f"the local function `{facts.name}`", function_error(value)
        case ClassValue(facts=facts) if facts.is_local:
            return f"the local class `{facts.name}`", class_error(value)
        case _:
            return None
