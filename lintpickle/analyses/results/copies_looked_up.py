"""Objects that come back from the workers of a pool, and that the main process looks for among those that it has sent.

What comes back is a copy. An object whose class has no `__eq__` equals itself alone, so `set.remove` and `dict.pop`
raise KeyError, `list.remove` raises ValueError, and `discard` leaves it. Measured with CPython 3.11 and 3.13: in the
callback of a task, the pool drops a KeyError and does not count the task as done, and a ValueError ends the thread that
handles the results; `join()` waits for ever after both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.lookups import Lookup, keys_from, lookups, puts_into
from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.results.own_identities import stands_for_itself
from lintpickle.analyses.results.results_received import Reader, ResultReaders
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    Frame,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.callees import callees
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"pool", "executor"})


class CopyLookedUp(Struct, frozen=True):
    """An expression that looks for an object which came back, as it is written, the class of the object, the error
    (empty if there is none), whether it is to take the object out, and whether a callback of the pool does that."""

    site: Site
    written: str
    class_name: str
    error: str
    is_removal: bool
    is_callback: bool
    function: WorkerFunction
    sent: Site


def copies_looked_up(code: WorkerCode, linker: Linker) -> Iterator[CopyLookedUp]:
    """The calls of the main process that look for a copy of an object in a container, one for each boundary."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS:
        return
    sent = [
        each
        for each in linker.shipped_by(boundary)
        if isinstance(each.value, InstanceValue)
        and each.value.call is not None
        and stands_for_itself(each.value, linker)
    ]
    for function, crossing in results_sent(code, linker) if sent else ():
        value = crossing.value
        if not isinstance(value, InstanceValue):
            continue
        given = next(
            (each for each in sent if isinstance(each.value, InstanceValue) and each.value.call is value.call), None
        )
        if given is None:
            continue
        for reader in ResultReaders(boundary, crossing.path.removeprefix("result"), linker).readers():
            found = _looked_up(reader, value, boundary, linker)
            if found is not None:
                lookup, error = found
                module, class_name = reader.frame.module, value.class_.facts.name
                yield CopyLookedUp(
                    Site(module, lookup.span),
                    module.code[lookup.span.start : lookup.span.end],
                    class_name,
                    error,
                    lookup.is_removal,
                    reader.is_callback,
                    function,
                    given.site,
                )
                return


def _looked_up(
    reader: Reader, value: InstanceValue, boundary: BoundaryCall, linker: Linker
) -> tuple[Lookup, str] | None:
    """Where a function looks for an object that came back in a container which has no such copies, and the error."""
    frame, forms = reader.frame, reader.forms

    def is_it(node: ast.expr) -> bool:
        return forms.of(node) == ()

    for lookup in lookups(forms.source, forms.nodes, is_it):
        if forms.of(lookup.container) is not None or puts_into(forms.nodes, lookup.container, is_it):
            continue
        for traced in linker.evaluate(value_named(lookup.container, frame), frame):
            held = traced.value
            error = lookup.error(held.kind) if isinstance(held, ContainerValue) else None
            if error is None or not isinstance(held, ContainerValue):
                continue
            is_there = lookup.is_sure_of_itself and not reader.is_passed_on
            if is_there or _holds(held, lookup, value, reader, boundary, linker):
                return lookup, error
    return None


def _holds(
    held: ContainerValue, lookup: Lookup, value: InstanceValue, reader: Reader, boundary: BoundaryCall, linker: Linker
) -> bool:
    """Whether a container has the objects that are sent."""
    if held.kind != "dict":
        return _has(held, value, linker)
    written = ast.unparse(lookup.container)
    sent = {
        ast.unparse(each)
        for node in (reader.forms.nodes if reader.frame is boundary.frame else ())
        if isinstance(node, ast.Call) and reader.forms.source.span(node) == boundary.call.span
        for each in node.args[1:]
    }
    for frame, owner in (reader.frame, written), *_constructors(written, reader.frame, linker):
        source = source_tree(frame.module.code)
        for of in keys_from(source.nodes_within(frame.function.span), owner) if source is not None else ():
            if frame is boundary.frame and ast.unparse(of) in sent:
                return True
            keys = linker.evaluate(value_named(of, frame), frame)
            if any(_has(each.value, value, linker) for each in keys if isinstance(each.value, ContainerValue)):
                return True
    return False


def _has(held: ContainerValue, value: InstanceValue, linker: Linker) -> bool:
    """Whether a container has objects that were made where `value` was."""
    within = (each.value for slot in held.slots for each in linker.evaluate(slot.value, slot.frame))
    return any(isinstance(each, InstanceValue) and each.call is value.call for each in within)


def _constructors(written: str, frame: Frame, linker: Linker) -> Iterator[tuple[Frame, str]]:
    """The constructors that have made the object of which a method writes an attribute, each with what they write."""
    me, _, attribute = written.partition(".")
    bound = frame.bindings.get(me)
    if bound is None or not isinstance(bound.value, InstanceValue) or not attribute:
        return
    made = bound.value
    if made.call is None or made.frame is None:
        return
    for callee in callees(made.call, made.frame, linker.evaluator):
        inner = linker.evaluator.enter(callee, made.call, made.frame)
        if inner is not None and callee.facts.parameters:
            yield inner, f"{callee.facts.parameters[0].name}.{attribute}"
