from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.hierarchies import REDUCERS, defines
from lintpickle.rules.authoring import (
    Attribute,
    Call,
    ClassValue,
    Constant,
    FunctionFacts,
    Hazard,
    Linker,
    Raised,
    Rule,
    Site,
    options_of,
)

_MAKES_STATE = re.compile(r"__dict__|\bvars\(|\bstate\b|\bsuper\(\)")
"""What stands in a method that means to return the state."""
_GIVE_NONE = frozenset({"update", "clear"})
"""Methods of dicts that change them, and return None."""


class GetstateReturnsNothing(Rule):
    """A `__getstate__` that makes a state but does not return it, so that the object arrives without attributes."""

    code = "LP609"
    name = "getstate-returns-nothing"
    message = "`{class_}.__getstate__` makes a state and does not return it, so all attributes are lost: {error}"
    help = "return the state"
    words = frozenset({"__getstate__"})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        method = class_.facts.methods.get("__getstate__")
        if method is None or method.decorators or method.is_generator or method.is_async:
            return
        line = tuple(each for each in linker.classes.mro(class_) if isinstance(each, ClassValue))
        text = class_.module.code[method.span.start : method.span.end]
        if not _gives_nothing(method) or defines(line, *REDUCERS) or not _MAKES_STATE.search(text):
            return
        kept = [held for held in linker.classes.states.state(linker.activations.instance(class_)) if held.direct]
        if kept:
            yield Hazard(
                site=Site(class_.module, method.header),
                noun="it returns None",
                error=f"AttributeError: '{class_.facts.name}' object has no attribute '{kept[0].attribute}'",
                data={"class_": class_.facts.name},
            )


def _gives_nothing(method: FunctionFacts) -> bool:
    if any(isinstance(event, Raised) for event in method.events):
        return False
    options = [option for value in method.returns for option in options_of(value)]
    for option in options:
        match option:
            case Constant(value=None):
                return False
            case Call(function=Attribute(name=name)) if name in _GIVE_NONE:
                pass
            case _:
                return False
    return bool(options) or method.may_give_none
