from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.attribute_names import may_be_given
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, plain_ancestors
from lintpickle.analyses.pickle_hooks.failing_lookups import lookup_error
from lintpickle.analyses.pickle_hooks.filled_before_state import is_of_object, missing_on_paths
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    Ancestor,
    ClassValue,
    Crossing,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
)

_HOOK = "__setstate__"


class SetstateReadsMissing(Rule):
    """A `__setstate__` that reads an attribute of the object before it has put any into it."""

    code = "LP615"
    name = "setstate-reads-missing"
    message = "`{class_}.__setstate__` reads `{attribute}`, which the object does not have yet: {error}"
    help = "read it from the state, or put the state into `self.__dict__` first"
    value_types = (InstanceValue,)
    marks = frozenset()
    of_results = True
    words = frozenset({f"def {_HOOK}"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from self._of_class(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        if _HOOK in class_.facts.methods:
            yield from seldom_sent(self._of_class(class_, linker), class_, linker)

    def _of_class(self, class_: ClassValue, linker: Linker) -> tuple[Hazard, ...]:
        """The hazards of a class, computed once, because many instances of it may cross."""
        return linker.remembered((self.code, *class_.key), lambda: tuple(_judged(class_, linker)))


def _judged(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    found = linker.classes.find_method(class_, _HOOK)
    line = plain_ancestors(class_, linker.classes) if found is not None else None
    if found is None or line is None or _is_made_otherwise(line):
        return
    paths = list(
        missing_on_paths(
            *found, lambda name: is_of_object(name, line), lambda name: linker.classes.find_method(class_, name)
        )
    )
    attribute = next((each for each in paths if each is not None), None)
    error = _error(attribute, class_, line, linker) if attribute is not None else None
    if attribute is None or error is None or may_be_given(attribute, line):
        return
    owner, method = found
    yield Hazard(
        site=Site(owner.module, method.header),
        noun=f"it asks for `{attribute}`",
        error=error,
        confidence=None if None not in paths else Confidence.LIKELY,
        data={"class_": owner.facts.name, "attribute": attribute},
    )


def _is_made_otherwise(line: tuple[ClassValue, ...]) -> bool:
    """Whether an object may have attributes before it is given its state."""
    is_changed = any(each.facts.decorators or each.facts.keywords for each in line)
    return is_changed or defines(line, *REDUCERS, "__new__", "__getattribute__", "__setattr__")


def _error(attribute: str, class_: ClassValue, line: tuple[Ancestor, ...], linker: Linker) -> str | None:
    lookup = linker.classes.find_method(class_, "__getattr__")
    name = class_.facts.name
    if lookup is None:
        return f"AttributeError: '{name}' object has no attribute '{attribute}'"
    return lookup_error(lookup[0].module, lookup[1], lambda asked: is_of_object(asked, line), attribute, name)
