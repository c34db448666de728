"""Objects of modules that stand for themselves (`MISSING = object()`), in what workers send back: as a result, or as a
part of one, also as that which a call gives in place of something that is not there (`record.get(key, MISSING)`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.results.forms_made import ResultForm
from lintpickle.analyses.results.own_identities import MadeOnce, made_once
from lintpickle.analyses.results.result_forms import parts_of_path
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Expr
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    Frame,
    InstanceValue,
    Site,
    is_indefinite,
)
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted, last_name
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

ROOT = "result"
"""How the paths begin of what is sent back."""
_MAKES = re.compile(r"^[ \t]*\w+(?:[ \t]*:[^=\n]+)?[ \t]*=[ \t]*(?:[\w.]+\.)?_*(?:object\(\)|[A-Z]\w*\()", re.MULTILINE)
"""A statement that makes an object for a name."""
_MAKING = Words({"object", "class", "import"})
_WITH_DEFAULT = {"get": 1, "pop": 1, "next": 1, "getattr": 2}
"""Calls that give something in place of what is not there, and how many arguments stand before that."""


class SentinelSent(Struct, frozen=True, eq=False):
    """An object that stands for itself, the function that sends it back, where that gets it, and how one gets at it
    from what is sent, and from the objects in that which hold it. `sending` is the place where the function sends it,
    if it gets it there, too."""

    made: MadeOnce
    function: WorkerFunction
    site: Site
    path: str
    around: Mapping[ResultForm, InstanceValue]
    sending: Span | None


def has_sentinels(code: WorkerCode, linker: Linker) -> bool:
    """Whether the program makes an object for a name at all: the cheap question."""
    return linker.first_party.is_anywhere(_MAKING, code.root.site.module.path, _MAKES)


def sentinels_sent(code: WorkerCode, linker: Linker) -> Iterator[SentinelSent]:
    """The objects that stand for themselves, in the results of a boundary's workers."""
    for function, crossing in results_sent(code, linker):
        places = function.facts.return_places or [each.span for each in function.facts.returns]
        yield from sentinels_in(crossing, function, places, code, linker)


def sentinels_in(
    crossing: Crossing, function: WorkerFunction, sending: Sequence[Span], code: WorkerCode, linker: Linker
) -> Iterator[SentinelSent]:
    """The objects that stand for themselves, of those that a function sends at the places `sending`."""
    for made, site, path in _objects(crossing, code, linker):
        here = (each for each in sending if each.start <= site.span.start < each.end)
        place = next(here, None) if site.module is function.module else None
        around = dict(_around(crossing, path))
        yield SentinelSent(made, function, site, path.removeprefix(ROOT), around, place)


def _objects(crossing: Crossing, code: WorkerCode, linker: Linker) -> Iterator[tuple[MadeOnce, Site, str]]:
    found = made_once(crossing.value, linker)
    if found is not None:
        yield found, crossing.site, crossing.path
    elif is_indefinite(crossing.value):
        yield from ((made, crossing.site, crossing.path) for made in _instead(crossing.site, code, linker))
    for part, value, frame in _parts(crossing.value, linker):
        for traced in linker.evaluate(value, frame):
            if is_indefinite(traced.value):  # Of several such values, one alone crosses.
                yield from ((made, traced.site, crossing.path + part) for made in _instead(traced.site, code, linker))


def _parts(value: AbstractValue, linker: Linker) -> Iterator[tuple[str, Expr, Frame]]:
    match value:
        case ContainerValue(slots=slots):
            yield from ((each.key.label, each.value, each.frame) for each in slots)
        case InstanceValue():
            yield from ((f".{each.attribute}", each.value, each.frame) for each in linker.classes.states.state(value))
        case _:
            pass


def _instead(site: Site, code: WorkerCode, linker: Linker) -> Iterator[MadeOnce]:
    """What an expression in a function of workers may give in place of something that is not there."""
    function = code.function_around(site)
    written = site.module.expression(site.span) if function is not None else None
    if function is None or written is None:
        return
    frame = function.frame
    for node in within(written):
        match node:
            case ast.Call(func=called, args=[*before, default], keywords=[]) if dotted(default):
                if _WITH_DEFAULT.get(last_name(called)) == len(before):
                    values = linker.evaluate(value_named(default, frame), frame)
                    yield from filter(None, (made_once(each.value, linker) for each in values))
            case _:
                pass


def _around(crossing: Crossing, path: str) -> Iterator[tuple[ResultForm, InstanceValue]]:
    """The objects that hold a part of a result, each with the steps from it to that part."""
    holder: Crossing | None = crossing
    while holder is not None:
        if isinstance(holder.value, InstanceValue) and path.startswith(holder.path) and path != holder.path:
            yield parts_of_path(path[len(holder.path) :]), holder.value
        holder = holder.inside
