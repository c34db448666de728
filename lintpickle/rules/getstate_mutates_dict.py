from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.hierarchies import is_me, stores_of
from lintpickle.analyses.own_state import CONSTRUCTION, AliasedDict, aliased_dict, error_if_none, is_needed
from lintpickle.diagnostics import Applicability, Edit, Fix, Span
from lintpickle.rules.authoring import (
    Ancestor,
    Attribute,
    Call,
    Called,
    ClassValue,
    Constant,
    Delete,
    Expr,
    FunctionFacts,
    Hazard,
    Linker,
    Rule,
    Site,
    Store,
)


class GetstateMutatesDict(Rule[AliasedDict | None]):
    """A `__getstate__` that removes, closes or sets to None attributes of the object itself, not of a copy."""

    code = "LP603"
    name = "getstate-mutates-dict"
    applicability = Applicability.SAFE
    message = "`{class_}.__getstate__` {does} `{attribute}` of the object itself: pickling breaks the original: {error}"
    help = "work on a copy: `state = self.__dict__.copy()`"
    words = frozenset({"__getstate__"})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[AliasedDict | None]]:
        method = class_.facts.methods.get("__getstate__")
        if method is None:
            return
        line = linker.classes.mro(class_)
        taken = dict(_taken(method))
        restored = {
            event.attribute
            for event in method.events
            if isinstance(event, Store) and is_me(event.target, method) and not _is_none(event.value)
        }
        for attribute, site in taken.items():
            lazy = any(
                f"{function.parameters[0].name}.{attribute}" in event.guards
                for function, event in stores_of(line, attribute)
            )
            if attribute in restored or lazy or not is_needed(attribute, class_):
                continue
            yield Hazard(
                site=Site(class_.module, site),
                noun=f"`{attribute}` is gone from the original",
                error=f"AttributeError: '{class_.facts.name}' object has no attribute '{attribute}'",
                data={"class_": class_.facts.name, "attribute": attribute, "does": "removes"},
                subject=aliased_dict(class_.module, method),
            )
            return
        yield from self._closing(class_, method, linker)
        yield from self._emptying(class_, method, linker)

    def _closing(
        self, class_: ClassValue, method: FunctionFacts, linker: Linker
    ) -> Iterator[Hazard[AliasedDict | None]]:
        """The handles that the method closes though other methods use them again."""
        line = linker.classes.mro(class_)
        stored = {
            event.attribute for event in method.events if isinstance(event, Store) and is_me(event.target, method)
        }
        for attribute, site in _closed(method):
            if attribute not in stored and is_needed(attribute, class_) and not _is_reopened(attribute, line):
                yield Hazard(
                    site=Site(class_.module, site),
                    noun=f"`{attribute}` of the original is closed",
                    error="ValueError: I/O operation on closed file.",
                    data={"class_": class_.facts.name, "attribute": attribute, "does": "closes"},
                )
                return

    def _emptying(
        self, class_: ClassValue, method: FunctionFacts, linker: Linker
    ) -> Iterator[Hazard[AliasedDict | None]]:
        """The attributes that the method sets to None though other methods use them."""
        line = linker.classes.mro(class_)
        stores = [event for event in method.events if isinstance(event, Store) and is_me(event.target, method)]
        last = {event.attribute: event for event in stores}
        for attribute, event in last.items():
            if not _is_none(event.value) or event.conditional or _is_reopened(attribute, line):
                continue
            error = error_if_none(attribute, class_)
            if error is not None:
                yield Hazard(
                    site=Site(class_.module, event.span),
                    noun=f"`{attribute}` of the original is None",
                    error=error,
                    data={"class_": class_.facts.name, "attribute": attribute, "does": "empties"},
                    subject=aliased_dict(class_.module, method),
                )
                return

    def fix(self, hazard: Hazard[AliasedDict | None]) -> Fix | None:
        """Copy the dict before it is changed, if it is assigned to a variable."""
        alias = hazard.subject
        if alias is None:
            return None
        edit = Edit(alias.span, f"{alias.text}.copy()")
        return Fix("Copy the state first", Applicability.SAFE, (edit,))


def _taken(method: FunctionFacts) -> Iterator[tuple[str, Span]]:
    """The attributes that the method removes from the object, each with the statement."""
    for event in method.events:
        match event:
            case Delete(target=target, attribute=attribute, span=span) if is_me(target, method):
                yield attribute, span
            case Called(
                call=Call(
                    function=Attribute(base=Attribute(base=owner, name="__dict__"), name="pop"),
                    arguments=(argument, *_),
                ),
                span=span,
            ) if is_me(owner, method) and isinstance(argument.value, Constant):
                yield str(argument.value.value), span
            case _:
                pass


def _closed(method: FunctionFacts) -> Iterator[tuple[str, Span]]:
    """The attributes that the method closes in any case, each with the call."""
    for event in method.events:
        match event:
            case Called(
                call=Call(function=Attribute(base=Attribute(base=me, name=attribute), name="close")), span=span
            ):
                if is_me(me, method):
                    yield attribute, span
            case _:
                pass


def _is_reopened(attribute: str, line: tuple[Ancestor, ...]) -> bool:
    """Whether a method other than those of construction and pickling stores the attribute."""
    return any(function.name not in CONSTRUCTION for function, _ in stores_of(line, attribute))


def _is_none(value: Expr) -> bool:
    return isinstance(value, Constant) and value.value is None
