"""Calls by which the main process waits for its children by the system (`os.wait()`, `os.waitpid(-1, 0)`), where these
are workers: under forkserver, workers are children of the server.

Measured with CPython 3.11: under forkserver, `os.waitpid(process.pid, 0)` raises, and a call that waits for any child
waits for the server, which ends with the main process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.main_state.main_setters import is_called
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, chain, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_ANY = frozenset({"os.wait", "os.wait3"})
_OF_ONE = frozenset({"os.waitpid", "os.wait4"})
_BY_KIND = "os.waitid"
_KINDS = {"P_ALL": True, "P_PID": False}
"""For whom `os.waitid` waits: for any child, or for one by its number."""
_WAITING = re.compile(r"\bwait(?:pid|id|3|4)?\s*\(")
_WORDS = frozenset({"wait", "waitpid", "waitid", "wait3", "wait4"})
_ANY_CHILD = "-1"
_OWN_CHILDREN = re.compile(r"\bfork(?:pty)?\(|\bPopen\(|\bposix_spawnp?\(|\bspawn[lv]p?e?\(")
"""What makes children that are no workers."""
_DOES_NOT_WAIT = "WNOHANG"
_NO_CHILD = "ChildProcessError"
_MOST_CALLS = 3
"""Through how many calls a number is followed that functions hand on."""


class ChildAwaited(Struct, frozen=True):
    """A call that waits for a worker; `is_any`: for whatever child ends first. `is_expected`: the code goes on if there
    is no such child."""

    site: Site
    is_any: bool
    is_expected: bool


def children_awaited(code: WorkerCode, linker: Linker) -> Iterator[ChildAwaited]:
    """The calls of code that no worker runs, in a program that starts processes and makes no other children."""
    if code.root.kind != "process" or not code.root.site.module.first_party:
        return
    asker, running = code.root.site.module.path, {id(each.facts) for each in code.functions}
    roots = [each for each in linker.activations_with(_WORDS, _WAITING, asker) if id(each.function) not in running]
    there = imported_with([site.module for site in code.way], linker) if roots else ()
    if any(module.first_party and module.has(_OWN_CHILDREN) for module in there):
        return
    for root in roots:
        module = root.frame.module
        if module not in there or not is_called(root.function, root.frame.module, linker, asker):
            continue
        for event in root.function.events:
            is_any = _is_for_any(event.call, root.frame, asker, linker) if isinstance(event, Called) else None
            if is_any is not None and _DOES_NOT_WAIT not in module.code[event.span.start : event.span.end]:
                site = Site(module, event.span)
                yield ChildAwaited(site, is_any, not is_any and _is_ready(site))


def _is_ready(site: Site) -> bool:
    """Whether code goes on if there is no child to wait for."""
    source = source_tree(site.module.code)
    return source is not None and is_ready_for(_NO_CHILD, source.tree, source.row(site.span.start) + 1)


def _is_for_any(call: Call, frame: Frame, asker: str, linker: Linker) -> bool | None:
    """Whether a call waits for any child, or else for a process by its number; None if it does neither."""
    module, parts, given = frame.module, chain(call.function), call.positional() or ()
    path = imported_path(parts, module) if parts is not None else None
    if path in _ANY:
        return True
    if path == _BY_KIND and len(given) > 1:
        kind = (chain(given[0]) or ("",))[-1]
        return True if _KINDS.get(kind) else _is_one(given[1], frame, asker, linker) if kind in _KINDS else None
    if path not in _OF_ONE or not given:
        return None
    pid = without_narrowing(given[0])
    if module.code[pid.span.start : pid.span.end] == _ANY_CHILD:
        return True
    return _is_one(pid, frame, asker, linker)


def _is_one(pid: Expr, frame: Frame, asker: str, linker: Linker) -> bool | None:
    return False if _is_number_of_process(pid, frame, asker, linker, _MOST_CALLS) else None


def _is_number_of_process(value: Expr, frame: Frame, asker: str, linker: Linker, most: int) -> bool:
    """Whether a value is the number of a process, also where calls of a function give it that."""
    match without_narrowing(value):
        case Attribute(name="pid"):
            return True
        case Parameter(name=name) as given:
            bound = frame.bindings.get(name)
            if bound is not None and bound.expr is not None and bound.frame is not None:
                return _is_number_of_process(bound.expr, bound.frame, asker, linker, most)
            entered = frames_of_calls(frame.function, asker, linker) if most else ()
            return any(_is_number_of_process(given, each, asker, linker, most - 1) for each in entered)
        case _:
            return False
