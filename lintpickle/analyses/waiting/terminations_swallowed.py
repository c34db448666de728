"""Processes that are terminated, and that have inherited a handler of SIGTERM which does not end them.

Measured with CPython 3.11 under fork: a handler that `signal.signal` has set before the fork is that of the child, too.
So `terminate()` only has it run there, and `join()` waits for ever where the child goes on. Under spawn and forkserver
the child has the default action, which ends it (exit code -15). SIGKILL (`kill()`) has no handler.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.calls_and_values.values import can_be_made_by
from lintpickle.analyses.process_state.signals_sent import handlers_set
from lintpickle.analyses.waiting.process_joins import joins_behind, last_name_written, names_of_process
from lintpickle.analyses.waiting.unshared_flags import callers_of
from lintpickle.analyses.waiting.waits import is_left_nowhere, never_ends
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_SIGNAL = "SIGTERM"
_TERMINATES = re.compile(r"\.\s*terminate\s*\(\s*\)")
_KILLS = re.compile(r"\.\s*kill\s*\(|\bkillpg\b|\bSIGKILL\b|\bSIG_DFL\b|\bSIG_IGN\b")
"""What stands in the module of a process that ends it otherwise, or that sets the signal back before the fork."""
_LEAVES = re.compile(
    r"\bsignal\b|\bexit\s*\(|\b_exit\s*\(|\babort\s*\(|SystemExit|KeyboardInterrupt|getppid|parent_process|\bexec\w*\s*\("
)
"""What stands in code of a process that may end it, or have it get other handlers."""
_SENDS = re.compile(r"\.\s*put(?:_nowait)?\s*\(")
_SENDS_END = re.compile(r"\.\s*put(?:_nowait)?\s*\(\s*(?:None|[A-Z_]+)\b")
_STARTS = re.compile(r"\.\s*start\s*\(\s*\)")
_HARMLESS = frozenset(
    {"append", "critical", "debug", "error", "exception", "flush", "info", "print", "set", "time", "warn", "warning"}
    | {"write", "add", "format", "getpid", "Signals"}
)
"""What a handler may call that surely goes on."""
_CALLERS = 3


class SwallowedTermination(Struct, frozen=True):
    """Where a process is terminated, the handler that it has inherited, by its name and by where it is set, the
    function of the process that goes on, and where it is joined."""

    ended: Site
    handler: str
    handled: Site
    function: WorkerFunction
    goes_on: Span
    joined: Site


def terminations_swallowed(code: WorkerCode, linker: Linker) -> Iterator[SwallowedTermination]:
    """The first place at which a process of a boundary is terminated in vain, and then joined."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party or code.is_cut:
        return
    if not may_be_forked(code, linker) or boundary.frame.module.has(_KILLS):
        return
    own = [each for each in code.functions if each.module.first_party]
    if any(_LEAVES.search(each.module.code, each.facts.header.end, each.facts.span.end) for each in own):
        return
    endless = next(_endless(own, boundary), None)
    ending = next(_ended(boundary, linker), None) if endless is not None else None
    if endless is None or ending is None:
        return
    handlers = [*_handlers(boundary, linker)]
    if handlers and all(handler.only_notes for handler in handlers):
        for handler in handlers:
            if _is_set_before_start(handler.root, handler.span, boundary, linker):
                handled = Site(handler.root.frame.module, handler.span)
                yield SwallowedTermination(ending[0], handler.name, handled, *endless, ending[1])
                return


def _endless(own: list[WorkerFunction], boundary: BoundaryCall) -> Iterator[tuple[WorkerFunction, Span]]:
    """The first function of the process that surely goes on for ever, unless it is ended, and where."""
    for function in own:
        source = source_tree(function.module.code) if function.entry else None
        node = source.find_function(function.facts.span, function.facts.name) if source is not None else None
        for each in _surely_run(node.body) if node is not None else ():
            if source is not None and _waits_for_ever(each, function, boundary):
                yield function, source.span(each)


def _surely_run(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements to which a function comes whatever holds."""
    for each in body:
        yield each
        if isinstance(each, ast.With | ast.Try):
            yield from _surely_run(each.body)
        if isinstance(each, ast.Return | ast.Raise):
            return


def _waits_for_ever(statement: ast.stmt, function: WorkerFunction, boundary: BoundaryCall) -> bool:
    modules = (function.module, boundary.frame.module)
    if isinstance(statement, ast.While):
        if is_left_nowhere(statement):
            return True
        takes = any(_is_get(each) for each in ast.walk(statement))
        return takes and never_ends(statement, _is_item) and not any(each.has(_SENDS_END) for each in modules)
    if isinstance(statement, ast.Expr | ast.Assign | ast.Return) and statement.value is not None:
        return _is_get(statement.value) and not any(each.has(_SENDS) for each in modules)
    return False


def _is_get(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="get"), args=[], keywords=[]):
            return True
        case _:
            return False


def _is_item(test: ast.expr) -> bool:
    """Whether a condition holds as long as something is no end mark: that is not `None`."""
    match test:
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Compare(left=ast.Name(), ops=[ast.Is() | ast.Eq()], comparators=[_])
        ):
            return True
        case _:
            return False


def _ended(boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[Site, Site]]:
    """Where code terminates the process, and waits for its end behind that."""
    for root in linker.activations_with({"terminate"}, _TERMINATES, boundary.frame.module.path):
        module = root.frame.module
        names = names_of_process(boundary, module, linker)
        for event in root.function.events:
            function = event.call.function if isinstance(event, Called) else None
            if not isinstance(function, Attribute) or function.name != "terminate":
                continue
            is_it = can_be_made_by(boundary.call, function.base, root.frame, linker)
            if is_it or last_name_written(function.base, module) in names:
                for joined in joins_behind(event.span.start, root, boundary, linker):
                    yield Site(module, event.span), joined


class _Handler(Struct, frozen=True, eq=False):
    """A handler that code sets: where, and whether it does nothing that may end the process."""

    root: RootFrame
    span: Span
    name: str
    only_notes: bool


def _handlers(boundary: BoundaryCall, linker: Linker) -> Iterator[_Handler]:
    for root, span in handlers_set(_SIGNAL, linker, boundary.frame.module.path):
        calls = (event.call for event in root.function.events if isinstance(event, Called) and event.span == span)
        given = next((call.positional() for call in calls), None) or ()
        values = [each.value for each in linker.evaluate(given[1], root.frame)] if len(given) == 2 else []
        handlers = [each for each in values if isinstance(each, FunctionValue)]
        is_known = bool(handlers) and len(handlers) == len(values)
        name = handlers[0].facts.name if handlers else "it"
        yield _Handler(root, span, name, is_known and all(map(_only_notes, handlers)))


def _only_notes(handler: FunctionValue) -> bool:
    """Whether a handler is seen to come to its end: it raises nothing, and calls nothing that may."""
    source = source_tree(handler.module.code)
    nodes = [*source.nodes_within(handler.facts.span)] if source is not None and not handler.opaque else []
    return bool(nodes) and not any(
        isinstance(node, ast.Raise | ast.Assert | ast.Yield)
        or (isinstance(node, ast.Call) and last_name(node.func) not in _HARMLESS)
        for node in nodes
    )


def _is_set_before_start(setting: RootFrame, place: Span, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a handler is seen to be set before the process is started."""
    module = boundary.frame.module
    if setting.function.is_module_body and guard_of(place.start, setting.frame.module) is None:
        return setting.frame.module is not module or place.start < boundary.call.span.start
    names = names_of_process(boundary, module, linker)
    for root in linker.activations_with({"start"}, _STARTS, module.path):
        started = next(_starts(root, names, boundary), None) if root.frame.module is module else None
        ways = [(started, root)] if started is not None else []
        for _ in range(_CALLERS):
            if any(_comes_to(setting, place, at, way, linker) for at, way in ways):
                return True
            ways = [each for _, way in ways for each in callers_of(way, boundary, linker)]
    return False


def _starts(root: RootFrame, names: frozenset[str], boundary: BoundaryCall) -> Iterator[int]:
    for event in root.function.events:
        function = event.call.function if isinstance(event, Called) else None
        if isinstance(function, Attribute) and function.name == "start":
            named = last_name_written(function.base, root.frame.module)
            if named in names or function.base.span == boundary.call.span:
                yield event.span.start


def _comes_to(setting: RootFrame, place: Span, before: int, root: RootFrame, linker: Linker, depth: int = 2) -> bool:
    """Whether a function sets the handler before a place, itself or by what it calls."""
    if root.function is setting.function:
        return place.start < before
    for event in root.function.events:
        if depth and isinstance(event, Called) and event.span.start < before:
            for traced in linker.evaluate(event.call.function, root.frame):
                callee = traced.value
                if isinstance(callee, FunctionValue) and callee.module.first_party:
                    inner = RootFrame(Frame(callee.module, callee.facts, parent=callee.frame, open=True), None)
                    if _comes_to(setting, place, callee.facts.span.end, inner, linker, depth - 1):
                        return True
    return False
