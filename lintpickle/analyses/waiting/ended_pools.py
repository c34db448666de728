"""Tasks of a pool that nobody waits for before the pool is terminated: by `terminate()`, by leaving its `with`, or by
leaving that of a generator function which terminates it.

Measured with CPython 3.11 under fork, spawn and forkserver: of 12 tasks of 0.1 s that `apply_async` or `map_async`
gives to 2 workers, none calls its callback, and a result that is asked for later never comes. `close()` alone changes
nothing; after `close()` and `join()` all 12 are done.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import dropwhile, pairwise

from lintpickle.analyses.waiting.lazy_results import LAZY, LazyResults
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Implied
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.parsing.names_read import children
from lintpickle.payload.linker import Linker

_TASKS = frozenset({"apply_async", "map_async", "starmap_async"})
_WAITS = re.compile(r"acquire|communicate|get|input|join|next|poll|result|run|select|sleep|successful|wait\w*|recv\w*")
"""What may wait for a task, or for something that it does."""
_GOES_ON = _TASKS | {"append", "close", "debug", "error", "info", "len", "print", "terminate", "warning", "write"}
"""What is called behind the last task and takes no time that tasks need."""
_WITH_LAZY = frozenset({"mp-pool", "multiprocess-pool"})
"""The pools whose methods begin with the tasks at once, and give results as they are read."""
_YIELD = re.compile(r"\byield\b[^\n]*")
_CALLED = re.compile(r"\.\s*(\w+)\s*\(")


def ended_with(boundary: BoundaryCall, linker: Linker) -> Site | None:
    """Where the pool of a task is ended before anything waits for the task; None if something may wait, or nothing that
    is seen ends it."""
    frame = boundary.frame
    owner, _, method = boundary.spec.path.rpartition(".")
    is_task = boundary.spec.kind == "pool" and (method in _TASKS or (method in LAZY and owner in _WITH_LAZY))
    makers = linker.makers_of(boundary) if is_task and frame.module.first_party else ()
    source = source_tree(frame.module.code) if len(makers) == 1 else None
    line = _line(boundary.call.span, source) if source is not None else []
    call = line[0] if line else None
    if source is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    pool = ast.unparse(call.func.value)
    results = None
    if method in LAZY:
        line = list(dropwhile(lambda each: not isinstance(each, ast.stmt), line))
        results = LazyResults(call, line[0])
        if not results.are_unread:
            return None
    for child, around in pairwise(line):
        behind = _behind(child, around)
        if behind is None:
            return None
        last = next((at for at, each in enumerate(behind) if _is_end(each, pool)), None)
        if _may_wait(_given(child)) or not all(map(_goes_on, behind[:last])):
            return None
        if results is not None and any(map(results.may_be_read_by, behind[:last])):
            return None
        if last is not None:
            return Site(frame.module, source.span(behind[last]))
        if isinstance(around, ast.With):
            return _left(around, pool, source, boundary, makers[0], linker)
    return None


def _line(span: Span, source: SourceTree) -> list[ast.AST]:
    """The call at a place, and what is around it, inner ones first."""
    nodes: list[ast.AST] = [source.tree]
    while True:
        inner = next((each for each in children(nodes[-1]) if _holds(each, span, source)), None)
        if inner is None:
            break
        nodes.append(inner)
    found = [at for at, each in enumerate(nodes) if isinstance(each, ast.Call) and source.span(each) == span]
    return nodes[found[0] :: -1] if found else []


def _holds(node: ast.AST, span: Span, source: SourceTree) -> bool:
    if isinstance(node, ast.comprehension | ast.keyword | ast.withitem):
        return any(_holds(each, span, source) for each in children(node))
    if not isinstance(node, ast.expr | ast.stmt | ast.excepthandler):
        return False
    own = source.span(node)
    return own.start <= span.start and span.end <= own.end


def _behind(child: ast.AST, around: ast.AST) -> list[ast.stmt] | None:
    """The statements that run behind one in what is around it; None if that may wait itself, goes on until something
    happens, or runs later."""
    match around:
        case ast.Module(body=body) | ast.If(body=body) | ast.For(body=body) | ast.With(body=body) if child in body:
            return _after(child, body)
        case ast.If(orelse=body) | ast.For(orelse=body) if child in body:
            return _after(child, body)
        case ast.Try(body=body, orelse=otherwise, finalbody=final) if child in body:
            return [*_after(child, body), *otherwise, *final]
        case ast.FunctionDef(body=body) if child in body:
            return _after(child, body)
        case (
            ast.Expr()
            | ast.Assign()
            | ast.AnnAssign()
            | ast.Return()
            | ast.ListComp()
            | ast.Call()
            | ast.comprehension()
        ):
            return []
        case _:
            return None


def _after(child: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
    return body[next(at for at, each in enumerate(body) if each is child) + 1 :]


def _is_end(statement: ast.stmt, pool: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="terminate"))):
            return ast.unparse(owner) == pool
        case _:
            return False


def _may_wait(node: ast.AST) -> bool:
    """Whether code may wait for something by a call, or hands control to other code."""
    for each in ast.walk(node):
        match each:
            case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.Return() | ast.While() | ast.AsyncFor():
                return True
            case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join")) | ast.Call(args=[_, _, *_]):
                pass  # Texts, and `os.path.join("a", "b")`.
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if _WAITS.fullmatch(name):
                return True
            case _:
                pass
    return False


def _given(node: ast.AST) -> ast.AST:
    """What a statement returns, that by which no `with` and no `finally` is left out; else the statement itself."""
    return node.value if isinstance(node, ast.Return) and node.value is not None else node


def _goes_on(statement: ast.stmt) -> bool:
    """Whether a statement calls nothing that may give tasks time, as far as names tell."""
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    return not _may_wait(_given(statement)) and all(_called(each) in _GOES_ON for each in calls)


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _left(
    around: ast.With, pool: str, source: SourceTree, boundary: BoundaryCall, maker: BoundaryCall, linker: Linker
) -> Site | None:
    """Where a pool is ended when the `with` is left of which it is the last thing, which is left first."""
    item = around.items[-1]
    if item.optional_vars is None or ast.unparse(item.optional_vars) != pool:
        return None
    place = source.span(item.context_expr)
    if maker.call.span == place and maker.frame.module is boundary.frame.module:
        return maker.site
    manager = maker.frame.function
    if not manager.is_generator or not manager.decorated_by("contextmanager"):
        return None
    for made in _entered(place, boundary):
        called = (each.value for each in linker.evaluate(made.function, boundary.frame))
        if any(isinstance(each, FunctionValue) and each.facts is manager for each in called):
            return _terminated_by(maker)
    return None


def _entered(place: Span, boundary: BoundaryCall) -> Iterator[Call]:
    """The call that gives what a `with` enters."""
    for event in boundary.frame.function.events:
        is_it = isinstance(event, Implied) and event.method == "__enter__" and event.span.start == place.start
        if is_it and isinstance(event, Implied) and isinstance(event.target, Call):
            yield event.target


def _terminated_by(maker: BoundaryCall) -> Site | None:
    """Where a generator function ends the pool that it has made and yielded, if that is the first that it does then."""
    module, span = maker.frame.module, maker.frame.function.span
    given = _YIELD.search(module.code, maker.call.span.end, span.end)
    called = _CALLED.search(module.code, given.end(), span.end) if given is not None else None
    if called is not None:
        return Site(module, Span(called.start(1), called.end(1))) if called[1] == "terminate" else None
    line = module.code[module.code.rfind("\n", 0, maker.call.span.start) + 1 : maker.call.span.start]
    return maker.site if given is not None and line.strip() == "with" else None
