"""Objects that come back from the workers of a pool, and that the main process looks for among those that it has sent.

What comes back is a copy. An object whose class has no `__eq__` equals itself alone, so `set.remove` and `dict.pop`
raise KeyError, `list.remove` raises ValueError, and `discard` leaves it. Measured with CPython 3.11 and 3.13: in the
callback of a task, the pool drops a KeyError and does not count the task as done, and a ValueError ends the thread that
handles the results; `join()` waits for ever after both.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.caller_frames import frame_of_method
from lintpickle.analyses.reads_after_start import after_start
from lintpickle.analyses.sentinels import stands_for_itself
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"pool", "executor"})
_ERRORS = {
    ("set", "remove"): "KeyError",
    ("set", "discard"): "",
    ("dict", "pop"): "KeyError",
    ("list", "remove"): "ValueError: list.remove(x): x not in list",
    ("list", "index"): "ValueError",
    ("collections.deque", "remove"): "ValueError: deque.remove(x): x not in deque",
}
"""What methods of containers raise that do not find an object."""
_ADDS = frozenset({"add", "append", "appendleft", "insert", "setdefault"})
_PART = re.compile(r"\.\w+|\[(\d+)\]")
_CALLBACK = "callback"


class CopyLookedUp(Struct, frozen=True):
    """A call that looks for an object which came back, as it is written, the class of the object, the error (empty if
    there is none), and whether a callback of the pool makes the call."""

    site: Site
    written: str
    class_name: str
    error: str
    is_callback: bool
    function: WorkerFunction
    sent: Site


class _Returned(Struct, frozen=True):
    """A name of an object that came back, and the frame in which it has it, from a place on."""

    name: str
    frame: Frame
    start: int
    is_callback: bool = False


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
        for returned in _named(crossing.path.removeprefix("result"), boundary, linker):
            found = _looked_up(returned, linker)
            if found is not None:
                site, written, error = found
                name = value.class_.facts.name
                yield CopyLookedUp(site, written, name, error, returned.is_callback, function, given.site)
                return


def _named(path: str, boundary: BoundaryCall, linker: Linker) -> Iterator[_Returned]:
    """The names that a part of the results gets, in loops over them and in the callback."""
    given = boundary.call.keyword(_CALLBACK)
    for traced in linker.evaluate(given, boundary.frame) if given is not None else ():
        callback = traced.value
        if isinstance(callback, FunctionValue) and callback.module.first_party:
            frame = Frame(callback.module, callback.facts)
            if isinstance(callback.bound, InstanceValue):
                method = linker.classes.find_method(callback.bound, callback.facts.name)
                frame = (frame_of_method(method, callback.bound, linker) if method is not None else None) or frame
            names = [each.name for each in callback.facts.parameters][callback.bound is not None :]
            if names:
                yield _Returned(names[0] + path, frame, callback.facts.header.end, True)
    for frame, _ in after_start(boundary):
        source = source_tree(frame.module.code)
        for node in source.nodes_within(frame.function.span) if source is not None else ():
            if source is not None and isinstance(node, ast.For) and source.span(node.iter) == boundary.call.span:
                name = _part_of(node.target, path)
                if name is not None:
                    yield _Returned(name, frame, source.span(node.iter).end)


def _part_of(target: ast.expr, path: str) -> str | None:
    """How a part of what a target is given is written: a name of the target, and the rest of the path."""
    while isinstance(target, ast.Tuple | ast.List):
        part = _PART.match(path)
        if part is None or part[1] is None or int(part[1]) >= len(target.elts):
            return None
        target, path = target.elts[int(part[1])], path[part.end() :]
    return target.id + path if isinstance(target, ast.Name) else None


def _looked_up(returned: _Returned, linker: Linker) -> tuple[Site, str, str] | None:
    """The call by which a function looks for an object in a container that it does not put it into."""
    frame, code = returned.frame, returned.frame.module.code
    for event in frame.function.events:
        if not isinstance(event, Called) or event.span.start < returned.start or len(event.call.arguments) != 1:
            continue
        function, written = event.call.function, code[event.span.start : event.span.end]
        if not isinstance(function, Attribute) or not written.endswith(f".{function.name}({returned.name})"):
            continue
        for traced in linker.evaluate(function.base, frame):
            kind = traced.value.kind if isinstance(traced.value, ContainerValue) else ""
            error = _ERRORS.get((kind, function.name))
            if error is not None and not _is_put_into(written, function.name, returned):
                return Site(frame.module, event.span), written, error
    return None


def _is_put_into(written: str, method: str, returned: _Returned) -> bool:
    """Whether the same function puts what came back into the container that it looks in."""
    code, span = returned.frame.module.code, returned.frame.function.span
    owner, name = re.escape(written.rpartition(f".{method}(")[0]), re.escape(returned.name)
    form = rf"{owner}\s*(?:\.\s*(?:{'|'.join(sorted(_ADDS))})\([^()\n]*{name}|\[\s*{name}\s*\]\s*=[^=])"
    return re.search(form, code[span.start : span.end]) is not None
