"""Objects that processes got a copy of when they started, and that the main process changes by their methods afterwards
(`self.policy.update(…)`), while it goes on to send tasks, or to take results: also objects that a process of a class of
the program is made with, and keeps.

Measured with CPython 3.11, under fork and spawn: a process acts with the object as it was at its start, for ever.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.stored_by_methods import kept_by
from lintpickle.analyses.main_state.given_by_name import (
    RENEWED,
    NamedThing,
    all_given,
    calls_of_method,
    calls_through,
    changing_frames,
    is_queue,
    is_sent_along,
    things_named,
)
from lintpickle.analyses.main_state.stale_copies import StaleCopy
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue, ProductValue, Site
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.parsing.syntax import arguments_in_order, dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_ARGS = "args"
_USES = frozenset({"put", "put_nowait", "send", "get", "get_nowait", "recv"})
"""The methods by which the main process has to do with processes that run."""
_ENDING = "(None)"
"""How a call ends that tells a process to end."""
_LOADS = re.compile(r"\bload_state_dict\(|\bset_weights\(|\bsetattr\(|\b__dict__\b")
"""What stands in a worker that takes a newer state from elsewhere."""
_SHARED = re.compile(r"\b(?:Value|Array|RawValue|RawArray|Manager|memmap)\(|\bmmap\b")
"""What stands in a class whose objects may share what they hold."""


class _Change(Struct, frozen=True):
    """A call of a method that changes an attribute of an object, in the function of a frame."""

    frame: Frame
    span: Span
    part: str


def stale_objects(code: WorkerCode, linker: Linker) -> Iterator[StaleCopy]:
    """The first change of each object that a process of a boundary got a copy of."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    home = boundary.frame
    if home.module.has(RENEWED):
        return
    given = list(_given(boundary, linker))
    queues = [name for name, values in given if is_queue(values)]
    for name, values in given if queues else ():
        held = values[0] if len(values) == 1 else None
        if not isinstance(held, InstanceValue) or not _is_copied(held, linker):
            continue
        for change in _changes(name, held, home, linker):
            used = _used_behind(change, name, queues, boundary, linker)
            if used is not None and _is_read(change.part, held, code, linker):
                role = _ARGS if boundary.callee is None else boundary.callee.facts.name
                yield StaleCopy(name, role, Site(change.frame.module, change.span), boundary.site, used)
                break


def _given(boundary: BoundaryCall, linker: Linker) -> Iterator[NamedThing]:
    """The names of what a process is given as it starts, each with what it may be."""
    if boundary.callee is None:
        yield from all_given(boundary, _ARGS, linker)
        return
    source = source_tree(boundary.frame.module.code)
    node = source.call_at(boundary.call.span) if source is not None else None
    written = arguments_in_order(node) if node is not None else ()
    read = (each.value for each in boundary.call.arguments)
    yield from things_named(zip(written, read, strict=False), boundary.frame, linker)


def _is_copied(held: InstanceValue, linker: Linker) -> bool:
    """Whether an object is one of the program, that shares nothing with its copies as far as its class is written."""
    line = [each for each in linker.classes.mro(held) if isinstance(each, ClassValue)]
    return linker.classes.kind(held) not in (*MODULE_KINDS, "process") and not any(
        not each.module.first_party
        or each.module.has(RENEWED)
        or _SHARED.search(each.module.code, each.facts.span.start, each.facts.span.end)
        for each in line
    )


def _changes(name: str, held: InstanceValue, home: Frame, linker: Linker) -> Iterator[_Change]:
    """The calls of methods on the object that store something on it, or put something into what it holds."""
    for frame in changing_frames(name, home, home, linker):
        source = source_tree(frame.module.code)
        for node in source.nodes_within(frame.function.span) if source is not None else ():
            match node:
                case ast.Call(func=ast.Attribute(value=base, attr=method)) if dotted(base) == name:
                    found = linker.classes.find_method(held, method)
                    for part in dict.fromkeys(kept_by(found[1])) if found is not None else ():
                        if not _holds_a_product(held, part, linker):
                            assert source is not None
                            yield _Change(frame, source.span(node), part)
                case _:
                    pass


def _holds_a_product(held: InstanceValue, part: str, linker: Linker) -> bool:
    """Whether an attribute has a queue, a lock, a shared number or the like."""
    state = (each for each in linker.classes.states.state(held) if each.attribute == part)
    found = (traced.value for each in state for traced in linker.evaluate(each.value, each.frame))
    return any(isinstance(each, ProductValue) for each in found)


def _used_behind(change: _Change, name: str, queues: list[str], boundary: BoundaryCall, linker: Linker) -> Site | None:
    """Where the main process has to do with the processes when it has started them and made the change: in its next
    round, or behind it."""
    frame, home = change.frame, boundary.frame
    places = [(frame, change.span)]
    if frame.function is not home.function:
        places += [(caller.frame, span) for caller, span, _ in calls_of_method(frame, linker)]
    is_started = any(_is_started_before(place, each) for each, place in places)
    is_started = is_started or (frame.function is not home.function and any(_starts(home)))
    if not is_started or frame.paths.share_a_loop(change.span.start, boundary.call.span.start):
        return None
    uses = [(each, use, place) for each, place in places for use in _uses(each, queues)]
    if any(is_sent_along(name, use, each) for each, use, _ in uses):
        return None
    is_called_again = any(each.paths.share_a_loop(place.start, place.start) for each, place in places[1:])
    for each, use, place in uses:
        is_again = each.paths.share_a_loop(use.start, place.start) or (is_called_again and each is frame)
        if is_again or (use.start > place.end and not each.paths.exclude_each_other(use.start, place.start)):
            return Site(each.module, use)
    return None


def _starts(frame: Frame) -> Iterator[Span]:
    for event in frame.function.events:
        match event:
            case Called(call=Call(function=Attribute(name="start"))):
                yield event.span
            case _:
                pass


def _is_started_before(place: Span, frame: Frame) -> bool:
    return any(each.start < place.start for each in _starts(frame))


def _uses(frame: Frame, queues: list[str]) -> Iterator[Span]:
    """Where a function puts something into the queues that the processes are given, or takes it from there."""
    for span in calls_through(queues, _USES, frame):
        if not frame.module.code[span.start : span.end].endswith(_ENDING):
            yield span


def _is_read(part: str, held: InstanceValue, code: WorkerCode, linker: Linker) -> bool:
    """Whether code of the workers reads an attribute of the object, and takes no newer one from elsewhere."""
    own = re.compile(rf"\.{re.escape(part)}\b(?!\s*=[^=])")
    other = re.compile(rf"(?<!\bself)\.{re.escape(part)}\b(?!\s*=[^=])")
    stored = re.compile(rf"\.{re.escape(part)}\b(?:\[[^\]\n]*\])?\s*(?:[-+*/@]|//)?=(?!=)")
    line = [each for each in linker.classes.mro(held) if isinstance(each, ClassValue)]
    methods = {id(method) for each in line for method in each.facts.methods.values()}
    functions = [each for each in code.functions if each.module.first_party and each.facts.name != "__init__"]
    is_read = any((own if id(each.facts) in methods else other).search(each.text) for each in functions)
    return is_read and not any(stored.search(each.text) or _LOADS.search(each.text) for each in functions)
