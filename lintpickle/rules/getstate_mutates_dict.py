from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.hierarchies import is_me, stores_of
from lintpickle.analyses.pickle_hooks.closed_for_pickling import called_on_attributes, opens_again
from lintpickle.analyses.pickle_hooks.live_state import taken_from_object
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION, AliasedDict, aliased_dict, error_if_none, is_needed
from lintpickle.analyses.pickle_hooks.state_forms import converted
from lintpickle.diagnostics import Applicability, Confidence, Edit, Fix
from lintpickle.rules.authoring import (
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
    Store,
    says_none,
)

_CLOSE = "close"


class GetstateMutatesDict(Rule[AliasedDict | None]):
    """A `__getstate__` that removes, closes or sets to None attributes of the object itself, not of a copy."""

    code = "LP603"
    name = "getstate-mutates-dict"
    applicability = Applicability.SAFE
    message = "`{class_}.__getstate__` {does} `{attribute}` of the object itself: pickling breaks the original: {error}"
    help = "work on a copy: `state = self.__dict__.copy()`"
    value_types = (InstanceValue,)
    marks = frozenset()
    words = frozenset({"__getstate__"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[AliasedDict | None]]:
        """Yield what a hook does that the class of an object inherits, too."""
        if isinstance(crossing.value, InstanceValue):
            yield from self._of_class(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[AliasedDict | None]]:
        if "__getstate__" in class_.facts.methods:
            yield from self._of_class(class_, linker)

    def _of_class(self, class_: ClassValue, linker: Linker) -> tuple[Hazard[AliasedDict | None], ...]:
        """The hazards of a class, computed once, because many instances of it may cross."""
        return linker.remembered((self.code, *class_.key), lambda: tuple(_of_class(class_, linker)))

    def fix(self, hazard: Hazard[AliasedDict | None]) -> Fix | None:
        """Copy the dict before it is changed, if it is assigned to a variable."""
        alias = hazard.subject
        if alias is None:
            return None
        edit = Edit(alias.span, f"{alias.text}.copy()")
        return Fix("Copy the state first", Applicability.SAFE, (edit,))


def _of_class(class_: ClassValue, linker: Linker) -> Iterator[Hazard[AliasedDict | None]]:
    found = linker.classes.find_method(class_, "__getstate__")
    if found is not None:
        line = tuple(each for each in linker.classes.mro(class_) if isinstance(each, ClassValue))
        yield from _judged(_Hook(class_, *found, line), linker)


class _Hook(Struct, frozen=True, eq=False):
    """The `__getstate__` of a class, in the class that defines it, and the hierarchy."""

    class_: ClassValue
    owner: ClassValue
    method: FunctionFacts
    line: tuple[ClassValue, ...]

    @property
    def name(self) -> str:
        return self.class_.facts.name

    def needs(self, attribute: str) -> bool:
        """Whether a method of the hierarchy reads the attribute without checking first."""
        return any(is_needed(attribute, each) for each in self.line)

    def stores(self) -> Iterator[Store]:
        """What the hook stores on the object."""
        for event in self.method.events:
            if isinstance(event, Store) and is_me(event.target, self.method):
                yield event


def _judged(hook: _Hook, linker: Linker) -> Iterator[Hazard[AliasedDict | None]]:
    for hazard in (*_taking(hook, linker), *_closing(hook, linker), *_emptying(hook)):
        yield replace(hazard, confidence=Confidence.LIKELY)
    for hazard in _converting(hook, linker):
        is_read = hook.needs(hazard.data["attribute"])
        yield replace(hazard, confidence=Confidence.LIKELY if is_read else Confidence.POSSIBLE)


def _taking(hook: _Hook, linker: Linker) -> Iterator[Hazard[AliasedDict | None]]:
    """The attributes that the hook removes though methods use them."""
    restored = {event.attribute for event in hook.stores() if not says_none(event.value)}
    taken = dict(taken_from_object(hook.class_, hook.owner, hook.method, linker))
    for attribute, span in taken.items():
        lazy = any(
            f"{function.parameters[0].name}.{attribute}" in event.guards
            for function, event in stores_of(hook.line, attribute)
        )
        in_class = any(attribute in each.facts.body for each in hook.line)
        if attribute in restored or lazy or in_class or not hook.needs(attribute):
            continue
        yield Hazard(
            site=Site(hook.owner.module, span),
            noun=f"`{attribute}` is gone from the original",
            error=f"AttributeError: '{hook.name}' object has no attribute '{attribute}'",
            data={"class_": hook.name, "attribute": attribute, "does": "removes"},
            subject=aliased_dict(hook.owner.module, hook.method),
        )
        return


def _closing(hook: _Hook, linker: Linker) -> Iterator[Hazard[AliasedDict | None]]:
    """The handles that the hook closes though other methods use them again, and that do not open themselves."""
    stored = {event.attribute for event in hook.stores()}
    for attribute, called, span in called_on_attributes(hook.method):
        if called != _CLOSE or attribute in stored or not hook.needs(attribute):
            continue
        if not _is_reopened(attribute, hook.line) and not opens_again(hook.class_, attribute, called, linker):
            yield Hazard(
                site=Site(hook.owner.module, span),
                noun=f"`{attribute}` of the original is closed",
                error="ValueError: I/O operation on closed file.",
                data={"class_": hook.name, "attribute": attribute, "does": "closes"},
            )
            return


def _emptying(hook: _Hook) -> Iterator[Hazard[AliasedDict | None]]:
    """The attributes that the hook sets to None though other methods use them."""
    last = {event.attribute: event for event in hook.stores()}
    for attribute, event in last.items():
        if not says_none(event.value) or event.conditional or _is_reopened(attribute, hook.line):
            continue
        errors = (error_if_none(attribute, each) for each in hook.line)
        error = next((each for each in errors if each is not None), None)
        if error is not None:
            yield Hazard(
                site=Site(hook.owner.module, event.span),
                noun=f"`{attribute}` of the original is None",
                error=error,
                data={"class_": hook.name, "attribute": attribute, "does": "empties"},
                subject=aliased_dict(hook.owner.module, hook.method),
            )
            return


def _converting(hook: _Hook, linker: Linker) -> Iterator[Hazard[AliasedDict | None]]:
    """The attributes that the hook replaces by what only `__setstate__` turns back."""
    back = linker.classes.find_method(hook.class_, "__setstate__")
    for event in converted(hook.stores(), hook.method, back[1]) if back is not None else ():
        yield Hazard(
            site=Site(hook.owner.module, event.span),
            noun=f"`{event.attribute}` of the original is what was made for the pickle",
            error=f"silently, `{event.attribute}` stays what only `__setstate__` turns back",
            data={"class_": hook.name, "attribute": event.attribute, "does": "converts"},
            subject=aliased_dict(hook.owner.module, hook.method),
        )
        return


def _is_reopened(attribute: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether a method other than those of construction and pickling stores the attribute."""
    return any(function.name not in CONSTRUCTION for function, _ in stores_of(line, attribute))
