"""Tasks whose result nobody asks for: `pool.apply_async(f, (x,))` as a statement of its own, and results that are kept
and only waited for.

Measured with CPython 3.11: what cannot be pickled, or fails in the worker, is an error that only asking for the result
raises (`apply_async`, `map_async`, `starmap_async`, `imap`, `submit`, and the `map` of an executor). `wait()`,
`ready()` and `done()` do not raise it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.syntax import source_tree
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.program.module import Module

_OF_POOLS = frozenset({"apply_async", "map_async", "starmap_async", "imap", "imap_unordered"})
_OF_EXECUTORS = frozenset({"submit", "map"})
_TELLING = "error_callback"
"""What a call can be given that is told of errors."""
_TELLS_NO_ERROR = frozenset({"wait", "ready", "done", "running"})
"""What is asked of a result, and raises no error of the task."""
_KEEPS = frozenset({"append", "add", "appendleft", "clear"})


def is_result_dropped(boundary: BoundaryCall) -> bool:
    """Whether an error of a task is never seen, because nothing holds the result by which it is raised."""
    method = boundary.spec.path.rpartition(".")[2]
    kinds = {"pool": _OF_POOLS, "executor": _OF_EXECUTORS}
    if method not in kinds.get(boundary.spec.kind, ()) or boundary.call.keyword(_TELLING) is not None:
        return False
    module, call = boundary.frame.module, boundary.call.span
    return _is_statement(call, module) or _is_never_asked(call, boundary.frame.function, module)


def _is_statement(call: Span, module: Module) -> bool:
    row = module.code.rfind("\n", 0, call.start) + 1
    if module.code[row : call.start].strip():
        return False
    source = source_tree(module.code)
    nodes = source.nodes_within(call) if source is not None else ()
    return source is not None and any(isinstance(each, ast.Expr) and source.span(each) == call for each in nodes)


def _is_never_asked(call: Span, function: FunctionFacts, module: Module) -> bool:
    """Whether a function keeps a result in a variable, or a list of its own, and does nothing with it but wait."""
    source = source_tree(module.code) if not function.is_module_body else None
    if source is None:
        return False
    scope = next((each for each in source.nodes_within(function.span) if isinstance(each, FUNCTIONS)), None)
    if scope is None or scope.name != function.name:
        return False
    around = {id(child): node for node in within(scope) for child in children(node)}
    made = next((each for each in source.nodes_within(call) if isinstance(each, ast.Call)), None)
    name = _kept_as(made, around) if made is not None and source.span(made) == call else None
    return name is not None and _is_only_waited_for(name, scope, around)


def _kept_as(made: ast.AST, around: Mapping[int, ast.AST]) -> str | None:
    """The variable that holds a result, or the list in which it is kept."""
    match around.get(id(made)):
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is made:
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _KEEPS:
            return name
        case ast.ListComp(elt=element) as listed if element is made:
            return _kept_as(listed, around)
        case _:
            return None


def _is_only_waited_for(name: str, scope: ast.AST, around: Mapping[int, ast.AST]) -> bool:
    names = [name]
    for each in names:
        for node in within(scope):
            match node:
                case ast.Global(names=declared) | ast.Nonlocal(names=declared) if each in declared:
                    return False
                case ast.Name(id=found, ctx=ast.Load()) if found == each:
                    one = _taken_in_turn(node, around)
                    if one is not None and one not in names:
                        names.append(one)
                    if one is None and not _tells_no_error(node, around):
                        return False
                case _:
                    pass
    return True


def _taken_in_turn(node: ast.Name, around: Mapping[int, ast.AST]) -> str | None:
    """The variable of a loop that goes through what a name holds."""
    match around.get(id(node)):
        case ast.For(target=ast.Name(id=one), iter=gone_through) if gone_through is node:
            return one
        case ast.comprehension(target=ast.Name(id=one), iter=gone_through) if gone_through is node:
            return one
        case _:
            return None


def _tells_no_error(node: ast.Name, around: Mapping[int, ast.AST]) -> bool:
    match around.get(id(node)):
        case ast.Attribute(attr=method) as called if method in _TELLS_NO_ERROR | _KEEPS:
            call = around.get(id(called))
            return isinstance(call, ast.Call) and call.func is called
        case ast.Call(func=ast.Name(id="len")):
            return True
        case _:
            return False
