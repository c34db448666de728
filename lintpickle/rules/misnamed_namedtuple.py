from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules.authoring import (
    PRODUCT,
    Call,
    Constant,
    ContainerValue,
    Crossing,
    Hazard,
    Linker,
    Rule,
    carries_functions,
    excerpt_of,
    where,
)

_KINDS = ("namedtuple", "namedtuple()")


class MisnamedNamedtuple(Rule):
    """A namedtuple that crosses, and whose class is not a global of its module under its type name."""

    code = "LP121"
    name = "misnamed-namedtuple"
    value_types = (ContainerValue,)
    message = "namedtuple `{excerpt}` is kept in `{where}`, but `{typename}` of its module is not its class: {error}"
    help = "assign the namedtuple class at module level to the name in its first argument"
    marks = frozenset({PRODUCT})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case ContainerValue(kind=kind, slots=(first, *_), call=Call() as made) if kind in _KINDS:
                name = first.value
                if (
                    carries_functions(crossing)
                    or made.keyword("module") is not None
                    or first.key.label not in ("[0]", ".typename")
                ):
                    return
                if not isinstance(name, Constant) or not isinstance(name.value, str):
                    return
                module = first.frame.module
                definitions = list(linker.evaluator.names.lookup(module, name.value))
                if any(each.value is made for each in definitions):
                    return
                path = f"{module.name}.{name.value}"
                reason = (
                    f"it's not the same object as {path}"
                    if any(each.module is module for each in definitions)
                    else f"attribute lookup {name.value} on {module.name} failed"
                )
                yield Hazard(
                    site=crossing.site,
                    noun="the namedtuple",
                    error=f"_pickle.PicklingError: Can't pickle <class '{path}'>: {reason}",
                    data={"excerpt": excerpt_of(crossing), "where": where(crossing), "typename": name.value},
                )
            case _:
                pass
