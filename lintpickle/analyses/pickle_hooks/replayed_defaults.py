"""Attributes that an object of a subclass of `Decimal`, `datetime`, `Counter` and the like is given by its constructor,
and that `__reduce__` of the base class leaves out: it sends arguments for the constructor, and no state.

Measured with CPython 3.10 to 3.13: `copy.copy` and `copy.deepcopy` lose them, too, but those of a `Decimal`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCERS,
    call_error,
    defines,
    external_bases,
    known_ancestors,
    stored_on_made,
)
from lintpickle.analyses.main_state.given_instead import calls_of_class, is_read_elsewhere
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.interpreter.replayed_bases import SENT_BY_REDUCE
from lintpickle.payload.linker import Linker

_REPLAYED_ELSEWHERE = frozenset({"collections.defaultdict"})
"""Those of which another rule tells that the constructor asks for more."""
_KINDS = ("positional", "positional-only", "keyword-only")


class ReplayedDefault(Struct, frozen=True):
    """An attribute that is lost, where it is stored, and the base class that sends none. `error` is that of making the
    copy; None if it is made, and has the `default`, as it is written."""

    attribute: str
    store: Site
    base: str
    default: str
    error: str | None


def replayed_default(class_: ClassValue, linker: Linker) -> ReplayedDefault | None:
    """The first such attribute that code reads and that some call gives another value than the default."""
    line = known_ancestors(class_, linker.classes)
    paths = external_bases(line) if line is not None else ()
    if line is None or len(paths) != 1 or paths[0] not in SENT_BY_REDUCE or defines(line, *REDUCERS):
        return None
    base, sent = paths[0].rpartition(".")[2], SENT_BY_REDUCE[paths[0]]
    for name in ("__new__", "__init__"):
        method = class_.facts.methods.get(name)
        if method is None:
            continue
        error = call_error(class_.facts.qualname, method, sent) if paths[0] not in _REPLAYED_ELSEWHERE else None
        for store, place in _stores(method):
            parameter = method.parameters[place]
            is_lost = parameter.kind == "keyword-only" or place > sent
            if not is_lost or (error is None and not _is_given(place, method, class_, linker)):
                continue
            default = parameter.default
            if is_read_elsewhere(store.attribute, class_, linker) and (default is not None) == (error is None):
                written = class_.module.code[default.span.start : default.span.end] if default is not None else ""
                return ReplayedDefault(store.attribute, Site(class_.module, store.span), base, written, error)
    return None


def _stores(method: FunctionFacts) -> Iterator[tuple[Store, int]]:
    """What a constructor keeps of a parameter, and the place of that."""
    for store in stored_on_made(method):
        value = without_narrowing(store.value)
        if isinstance(value, Parameter):
            places = (at for at, each in enumerate(method.parameters) if each.name == value.name)
            yield from ((store, at) for at in places if method.parameters[at].kind in _KINDS)


def _is_given(place: int, method: FunctionFacts, class_: ClassValue, linker: Linker) -> bool:
    parameter = method.parameters[place]
    is_named = parameter.kind == "keyword-only"
    calls = calls_of_class(class_, linker)
    return any(
        (each.keyword(parameter.name) if is_named else each.argument(parameter.name, place - 1)) for each in calls
    )
