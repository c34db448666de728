"""Functions that their module starts as processes: with what they are called there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.call_graph.callers import Calling
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import (
    Bound,
    ContainerValue,
    FunctionValue,
    Hop,
    SlotKey,
    joined,
)
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.components import Components

_TARGET = "target"


def started(root: RootFrame, parts: Components) -> Iterator[Calling]:
    """For each process of its own module that runs a function, the frame of the function there, and the hops for the
    trail."""
    function, module = root.function, root.frame.module
    form = re.compile(rf"\b{_TARGET}\s*=\s*{re.escape(function.name)}\b")
    if root.owner is not None or function.is_local or not form.search(module.code):
        return
    for block in module.outline.blocks:
        facts = module.facts_of(block) if form.search(module.code, block.span.start, block.span.end) else None
        for caller in parts.activations.in_block(module, facts, form) if facts is not None else ():
            for event in caller.function.events:
                if isinstance(event, Called) and event.call.keyword(_TARGET) is not None:
                    for around in parts.callers.around(caller, event.call, module.path):
                        yield from _of_event(event, around, root, parts)


def _of_event(event: Called, around: Calling, root: RootFrame, parts: Components) -> Iterator[Calling]:
    for boundary in parts.boundaries.made(event, around.frame):
        targets = boundary.value(_TARGET, parts.evaluator) if boundary.spec.kind == "process" else ()
        for traced in targets:
            callee = traced.value
            if isinstance(callee, FunctionValue) and callee.facts is root.function:
                arguments = _arguments(boundary, parts)
                called_by = (boundary.frame, boundary.call)
                inner = parts.evaluator.activate(callee, arguments, around.frame.depth + 1, called_by=called_by)
                hop = Hop(f"starts {root.function.name}()", boundary.site)
                if inner is not None:
                    yield Calling(inner, (*around.hops, hop), joined(around.doubts, boundary.doubts))


def _arguments(boundary: BoundaryCall, parts: Components) -> Arguments:
    """What a process gives to its function, as far as it is known one by one."""
    found = [traced.value for traced in boundary.value("args", parts.evaluator)]
    slots = found[0].slots if len(found) == 1 and isinstance(found[0], ContainerValue) else ()
    numbered = [slot for index, slot in enumerate(slots) if slot.key == SlotKey(item=index)]
    return Arguments(tuple(Bound(slot.value, slot.frame) for slot in numbered), {}, len(numbered) < len(slots))
