"""Objects of one process at which a forked process and the one that starts it wait for each other: `threading.Event`,
`threading.Condition`, `queue.Queue`. Each has its own, which it has inherited.

Measured with CPython 3.11 under fork: `while not self.stopping.is_set():` in `run()` never ends by
`process.stopping.set()` in the process that started it, and `join()` waits for ever; nor does `ready.wait()` there end
by `ready.set()` in the forked process. Under spawn and forkserver they cannot be pickled.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from itertools import chain

from msgspec import Struct

from lintpickle.analyses.calls_and_values.happenings import Happening
from lintpickle.analyses.calls_and_values.values import can_be_made_by
from lintpickle.analyses.loaders.own_changes import MAKING_METHODS
from lintpickle.analyses.waiting.changed_in_order import changed_then_joined
from lintpickle.analyses.waiting.conditions_behind import call_asked, conditions_behind
from lintpickle.analyses.waiting.own_objects import OwnObject, own_object_of
from lintpickle.analyses.waiting.process_joins import joins_behind
from lintpickle.analyses.waiting.signal_handlers import is_signal_handler
from lintpickle.analyses.waiting.unshared_flags import begun_at, callers_of, is_by_hand, loops_of
from lintpickle.analyses.waiting.waits import holds_while, never_ends
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import INNER_SCOPES
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ENDS_OTHERWISE = re.compile(r"\bterminate\b|\.\s*kill\s*\((?!\s*os\s*\.\s*getpid\b)|\bkillpg\b|\bsetattr\s*\(")
"""What stands in code that may end a process otherwise; a signal that a process sends to itself ends no other one."""
_LEAVES = re.compile(
    r"\bexit\s*\(|\b_exit\s*\(|SystemExit|getppid|parent_process|\b(?:Thread|Timer)\s*\(|\.\s*recv\w*\(|\bsignal\s*\("
)
"""What stands in code of a process that may end it, or have somebody else end the wait."""
_JOINS = re.compile(r"\.\s*join\(\s*\)")
_BRANCHES = (ast.BoolOp, ast.Match, ast.Try, ast.For)


class UnsharedObject(Struct, frozen=True):
    """What a forked process waits for, as it is written there, where the main process does that to its own object, and
    where it waits for the process."""

    function: WorkerFunction
    test: Span
    written: str
    made: str
    changed: Site
    joined: Site


class _Asked(Struct, frozen=True):
    """A place at which code of a process waits for something to be done to an object."""

    function: WorkerFunction
    test: Span
    object: OwnObject


class _Truth(Struct, frozen=True):
    """The truth value that something has as long as nothing has been done to an object."""

    value: bool
    object: OwnObject


def unshared_objects(code: WorkerCode, linker: Linker) -> Iterator[UnsharedObject]:
    """The first place at which a forked process waits for ever, and the main process then waits for that."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party or code.is_cut:
        return
    if not is_forked(code.root, linker) or boundary.frame.module.has(_ENDS_OTHERWISE):
        return
    own = [each for each in code.functions if each.module.first_party]
    if any(_LEAVES.search(each.text) for each in own):
        return
    for each in (asked for function in own for asked in _asked(function, code, linker)):
        if not _is_made_before(each.object, code) or _is_done_by_workers(each.object, code, linker):
            continue
        found = next(_changes(each.object, code, boundary, linker), None)
        found = found or changed_then_joined(partial(_is_done_then, each.object, linker), code, linker)
        if found is not None:
            yield UnsharedObject(each.function, each.test, each.object.written, each.object.path, *found)
            return


def _asked(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[_Asked]:
    """Where a function waits: for a loop to end, or at a call without a limit of time."""
    if not any(word in function.text for word in ("while", "wait", "get")):
        return
    source = source_tree(function.module.code)
    surely = {*_calls_surely_made(function, source)} if source is not None else set[Span]()
    for event in function.facts.events:
        if isinstance(event, Called) and not event.call.arguments and event.span in surely:
            held = own_object_of(event.call, function.frame, code, linker, lambda spec: spec.waits)
            if held is not None:
                yield _Asked(function, event.span, held)
    loops = list(loops_of(function, source)) if source is not None else []
    for loop in loops:
        tests = [loop.test, *(each.test for each in ast.walk(loop) if isinstance(each, ast.If))]
        for test in tests:
            for asked in (each for each in ast.walk(test) if isinstance(each, ast.Call | ast.Attribute)):
                assert source is not None
                endless = [value for value in (True, False) if never_ends(loop, holds_while(asked, value))]
                truth = _truth(asked, function, code, linker) if endless else None
                if truth is not None and truth.value in endless:
                    yield _Asked(function, source.span(test), truth.object)


def _calls_surely_made(function: WorkerFunction, source: SourceTree) -> Iterator[Span]:
    """The calls that a function comes to whatever holds, but for what ends it before, and for loops."""
    node = source.find_function(function.facts.span, function.facts.name)
    stack: list[ast.AST] = [*node.body] if node is not None else []
    while stack:
        inner = stack.pop()
        if isinstance(inner, ast.If | ast.IfExp):
            stack.append(inner.test)
            continue
        if isinstance(inner, (*_BRANCHES, *INNER_SCOPES)):
            continue
        if isinstance(inner, ast.Call):
            yield source.span(inner)
        stack += ast.iter_child_nodes(inner)


def _truth(
    asked: ast.Attribute | ast.Call, function: WorkerFunction, code: WorkerCode, linker: Linker
) -> _Truth | None:
    """The truth value of what asks such an object, at once or by what properties and functions return."""
    for condition in conditions_behind(asked, function.frame, linker):
        event = call_asked(condition.asked, condition.frame) if isinstance(condition.asked, ast.Call) else None
        if event is not None:
            held = own_object_of(event.call, condition.frame, code, linker, lambda spec: spec.asks)
            if held is not None:
                return _Truth(not condition.alike, held)
    return None


def _is_made_before(held: OwnObject, code: WorkerCode) -> bool:
    """Whether no function of the process makes the object, or another one in its place, but for the constructor of what
    is sent there."""
    name = held.written.rpartition(".")[2]
    if any(
        isinstance(event, Store) and event.attribute == name for each in code.functions for event in each.facts.events
    ):
        return False
    running = {id(each.facts) for each in code.functions}
    made_in = held.frame.function
    return id(made_in) not in running or made_in.name in MAKING_METHODS


def _is_done_by_workers(held: OwnObject, code: WorkerCode, linker: Linker) -> bool:
    """Whether the process itself does to the object what ends the wait."""
    return any(True for each in code.functions for _ in _done(held, each.facts, each.frame, linker))


def _done(held: OwnObject, facts: FunctionFacts, frame: Frame, linker: Linker) -> Iterator[Called]:
    """Where a function does to the object what ends the wait."""
    for event in facts.events:
        if isinstance(event, Called) and _is_done_by(event, held, frame, linker):
            yield event


def _is_done_by(event: Called, held: OwnObject, frame: Frame, linker: Linker) -> bool:
    function = event.call.function
    if not isinstance(function, Attribute) or function.name not in held.spec.until:
        return False
    return can_be_made_by(held.call, function.base, frame, linker)


def _is_done_then(held: OwnObject, linker: Linker, happening: Happening) -> bool:
    event = happening.event
    return isinstance(event, Called) and _is_done_by(event, held, happening.frame, linker)


def _changes(held: OwnObject, code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[Site, Site]]:
    """Where other code does to its own object what ends the wait, after the process was started, and where it waits for
    the process: behind that, or anywhere if a signal has it done."""
    running, asker = {id(each.facts) for each in code.functions}, boundary.frame.module.path
    form = re.compile(rf"\.\s*(?:{'|'.join(held.spec.until)})\s*\(")
    changing: list[tuple[RootFrame, Called]] = []
    for root in linker.activations_with(frozenset(held.spec.until), form, asker):
        if id(root.function) not in running:
            changing += [(root, event) for event in _done(held, root.function, root.frame, linker)]
    for root, event in changing:
        if root.function is boundary.frame.function and event.span.start < begun_at(boundary):
            return  # The process has it as it was then.
    for root, event in changing:
        changed = Site(root.frame.module, event.span)
        ways = chain([(event.span.start, root)], callers_of(root, boundary, linker))
        for place, caller in _joining(asker, linker) if is_signal_handler(root.function, asker, linker) else ways:
            if id(caller.function) in running or caller.frame.module.has(_ENDS_OTHERWISE):
                continue
            for joined in joins_behind(place, caller, boundary, linker):
                if not is_by_hand(caller, boundary, linker):
                    yield changed, joined


def _joining(asker: str, linker: Linker) -> Iterator[tuple[int, RootFrame]]:
    """The functions that wait for the end of something, each from its begin."""
    for root in linker.activations_with({"join"}, _JOINS, asker):
        yield root.function.span.start, root
