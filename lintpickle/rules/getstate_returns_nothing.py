from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines
from lintpickle.analyses.pickle_hooks.none_states import HOOK, none_state
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    Attribute,
    Call,
    ClassValue,
    Constant,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
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
    """A `__getstate__` that returns None, often beside a state that it makes: the object arrives without attributes."""

    code = "LP609"
    name = "getstate-returns-nothing"
    message = "`{class_}.__getstate__` {how}: {error}"
    help = "return the state"
    value_types = (InstanceValue,)
    marks = frozenset()
    of_results = True
    words = frozenset({HOOK})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        """Yield what a hook does that the class of an object inherits, too."""
        if isinstance(crossing.value, InstanceValue):
            yield from self._of_class(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        if HOOK in class_.facts.methods:
            yield from _not_returned(class_, class_.facts.methods[HOOK], linker)
            yield from seldom_sent(self._of_class(class_, linker), class_, linker)

    def _of_class(self, class_: ClassValue, linker: Linker) -> tuple[Hazard, ...]:
        """The hazards of a class, computed once, because many instances of it may cross."""
        return linker.remembered((self.code, *class_.key), lambda: tuple(_given_none(class_, linker)))


def _given_none(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    found = none_state(class_, linker)
    if found is None:
        return
    name, owner = class_.facts.name, found.owner.facts.name
    is_of = f", as of a `{name}`" if name != owner else ""
    how = "returns None" if found.is_always else f"returns None if nothing is left of the state{is_of}"
    yield Hazard(
        site=found.site,
        noun="it returns None",
        error=f"AttributeError: '{name}' object has no attribute '{found.attribute}'",
        help=None if found.is_always else "return the state, even if nothing is in it: only None is not sent",
        data={"class_": owner, "how": f"{how}, so no attribute is sent and no `__setstate__` is called"},
    )


def _not_returned(class_: ClassValue, method: FunctionFacts, linker: Linker) -> Iterator[Hazard]:
    if method.decorators or method.is_generator or method.is_async:
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
            data={
                "class_": class_.facts.name,
                "how": "makes a state and does not return it, so all attributes are lost",
            },
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
