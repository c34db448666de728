"""Tasks of an executor of processes for which the main process waits with a timeout, goes on when that is over, and
waits for them all the same as it leaves the `with` of the executor.

Measured with CPython 3.11: a task that runs cannot be cancelled. `shutdown(wait=True)`, which `__exit__` calls, joins
the processes, and so does the end of the program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.waiting.endless_loops import has_no_end
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, ProductValue, Site
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_IN_EXECUTOR, _KIND = "run_in_executor", "process-executor"
_SENDS = frozenset({"submit", _IN_EXECUTOR})
_ENDS_WORKERS = re.compile(r"\b_processes\b|\.kill\(|\bos\.kill\b|\.terminate\(|\bos\._exit\b|_workers\(")
"""What may end the processes of an executor."""
_TIMEOUT = "TimeoutError"
_PATTERNS = frozenset({"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "split"})
_ANSWERS = frozenset({"urlopen", "recv", "recvfrom", "accept"})
_RUNS = frozenset({"run", "call", "check_call", "check_output"})
_ASKS = frozenset({"get", "post", "request", "head", "put"})


class GivenUp(Struct, frozen=True):
    """Where the main process gives up waiting for a task, the call that makes the executor, the function of the task,
    and the place in it that may take for ever, if one is seen."""

    site: Site
    executor: Site
    function: str
    endless: Site | None


def given_up(code: WorkerCode, linker: Linker) -> Iterator[GivenUp]:
    """The first place at which the main process gives up waiting for the tasks of a boundary, within the `with` of
    their executor, and goes on."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "executor" or boundary.spec.name not in _SENDS:
        return
    module = boundary.frame.module
    if not module.first_party or _TIMEOUT not in module.code or _ENDS_WORKERS.search(module.code):
        return
    source = source_tree(module.code)
    entries = [each for each in code.functions if each.entry and each.module.first_party]
    if source is None or not entries:
        return
    for call, home in _makers(boundary, linker):
        entered = _entered(call, home)
        if entered is None or _ENDS_WORKERS.search(home.module.code):
            continue
        is_here = home.function is boundary.frame.function
        for place in _timeouts(boundary, source):
            if not is_here or entered.start <= place.start < entered.end:
                endless = next((found for each in code.functions for found in _endless(each)), None)
                yield GivenUp(Site(module, place), Site(home.module, call.span), entries[0].facts.name, endless)
                return


def _makers(boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[Call, Frame]]:
    """The calls that make the executor of a boundary, each with the function around it."""
    for maker in linker.makers_of(boundary):
        yield maker.call, maker.frame
    given = boundary.call.positional() if boundary.spec.path.endswith(_IN_EXECUTOR) else None
    for traced in linker.evaluate(given[0], boundary.frame) if given else ():
        match traced.value:
            case ProductValue(call=Call() as call, frame=Frame() as frame) if traced.value.product.kind == _KIND:
                yield call, frame
            case _:
                pass


def _entered(made: Call, home: Frame) -> Span | None:
    """The body of the `with` that enters what a call makes."""
    source = source_tree(home.module.code)
    for node in source.nodes_within(home.function.span) if source is not None else ():
        if not isinstance(node, ast.With) or source is None:
            continue
        if any(source.span(each.context_expr) == made.span for each in node.items):
            return Span(source.span(node.body[0]).start, source.span(node.body[-1]).end)
    return None


def _timeouts(boundary: BoundaryCall, source: SourceTree) -> Iterator[Span]:
    """The calls that wait for the result of a boundary with a timeout, in a `try` that catches its end and goes on."""
    nodes = [*source.nodes_within(boundary.frame.function.span)]
    made = next(
        (each for each in nodes if isinstance(each, ast.Call) and source.span(each) == boundary.call.span), None
    )
    if made is None:
        return
    names = _names_of(made, nodes)
    for node in nodes:
        if not isinstance(node, ast.Try) or not any(_goes_on(each) for each in node.handlers):
            continue
        for call in (each for statement in node.body for each in ast.walk(statement) if isinstance(each, ast.Call)):
            waited = _waited_for(call)
            if waited is not None and _is_of(waited, made, names):
                yield source.span(call)


def _names_of(made: ast.Call, nodes: Sequence[ast.AST]) -> set[str]:
    """The variables that hold what a call returns, or lists of that, and those of loops that go through these."""
    names = set[str]()
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _holds(value, made):
                names.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value]) if _holds(
                value, made
            ):
                names.add(name)
            case ast.For(target=target, iter=gone_through) | ast.comprehension(target=target, iter=gone_through):
                if any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(gone_through)):
                    names |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
            case _:
                pass
    return names


def _holds(value: ast.AST, made: ast.Call) -> bool:
    return any(each is made for each in ast.walk(value))


def _is_of(waited: ast.expr, made: ast.Call, names: set[str]) -> bool:
    return any(each is made or (isinstance(each, ast.Name) and each.id in names) for each in ast.walk(waited))


def _waited_for(call: ast.Call) -> ast.expr | None:
    """What a call waits for with a limit: `future.result(timeout=3)`, `wait_for(task, 3)`, `as_completed(tasks, 3)`."""
    limits = [each.value for each in call.keywords if each.arg == "timeout"]
    match call:
        case ast.Call(func=ast.Attribute(value=future, attr="result" | "exception"), args=given):
            limits, waited = [*limits, *given], future
        case ast.Call(func=function, args=[awaited, *given]) if last_name(function) in ("wait_for", "as_completed"):
            limits, waited = [*limits, *given], awaited
        case _:
            return None
    is_limited = limits and not (isinstance(limits[0], ast.Constant) and limits[0].value is None)
    return waited if is_limited else None


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches the end of a timeout, and raises nothing itself."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    if not any(each is not None and last_name(each) == _TIMEOUT for each in caught):
        return False
    return not any(isinstance(each, ast.Raise) for statement in handler.body for each in ast.walk(statement))


def _endless(function: WorkerFunction) -> Iterator[Site]:
    """The places in a function of the worker that may take for ever: a loop without a sure end, a pattern that the
    function is given, an answer that may never come."""
    facts, module = function.facts, function.module
    source = source_tree(module.code) if module.first_party else None
    node = source.find_function(facts.span, facts.name) if source is not None else None
    given = {each.name for each in facts.parameters}
    for each in ast.walk(node) if node is not None else ():
        assert source is not None
        if isinstance(each, ast.While | ast.For) and has_no_end(each):
            yield Site(module, source.span(each.test if isinstance(each, ast.While) else each.iter))
        elif isinstance(each, ast.Call) and _may_take_for_ever(each, given):
            yield Site(module, source.span(each))


def _may_take_for_ever(call: ast.Call, given: set[str]) -> bool:
    name, is_limited = last_name(call.func), any(each.arg == "timeout" for each in call.keywords)
    base = call.func.value if isinstance(call.func, ast.Attribute) else None
    match base, call.args:
        case ast.Name(id="re"), [ast.Name(id=pattern), *_] if name in _PATTERNS:
            return pattern in given
        case ast.Name(id="requests"), _ if name in _ASKS:
            return not is_limited
        case ast.Name(id="subprocess"), _ if name in _RUNS:
            return not is_limited
        case _:
            return name in _ANSWERS and not is_limited
