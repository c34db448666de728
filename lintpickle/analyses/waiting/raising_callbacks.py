"""Callbacks of a pool's results that surely raise.

Measured with CPython 3.11 under fork and spawn: the error ends the thread of the pool that takes results; `get()` of
that result and of all later ones waits for ever, and so does `join()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.main_state.sure_failures import used_at_once
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ConstantValue, FunctionValue, InstanceValue, Site
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted, last_name
from lintpickle.payload.linker import Linker

_TELLING = frozenset(f"mp-pool.{name}" for name in ("apply_async", "map_async", "starmap_async"))
_CALLBACKS = ("callback", "error_callback")
_EXITS = frozenset({"sys.exit", "exit", "quit"})
"""What raises SystemExit, which ends only the thread."""
_ENDING = frozenset({"terminate", "kill", "killpg", "_exit", "abort", "interrupt_main"})
"""What ends the pool or the program before the error does any harm."""
_ABSTRACT = "NotImplementedError"


class RaisingCallback(Struct, frozen=True):
    """The argument that is given a callback, the function that this is, and where it raises."""

    argument: str
    function: str
    site: Site


def raising_callback(call: BoundaryCall, linker: Linker) -> RaisingCallback | None:
    """The first callback of a call that raises whenever it is called."""
    for argument in _CALLBACKS if call.spec.path in _TELLING and call.is_stock else ():
        match [each.value for each in call.value(argument, linker.evaluator)]:
            case [FunctionValue(opaque=False, undecorated=False) as function]:
                place = _sure_error(function, linker)
                if place is not None:
                    return RaisingCallback(argument, function.facts.name, Site(function.module, place))
            case _:
                pass
    return None


def _sure_error(function: FunctionValue, linker: Linker) -> Span | None:
    """Where a function raises on every way through it."""
    facts, source = function.facts, source_tree(function.module.code)
    if source is None or facts.decorators or facts.is_async or facts.is_generator:
        return None
    node = source.find_function(facts.span, facts.name)
    if node is None or any(isinstance(each, ast.Call) and last_name(each.func) in _ENDING for each in within(node)):
        return None
    raised = next((each for each in _always_run(node.body) if _raises(each)), None)
    if raised is not None:
        return source.span(raised)
    return next((source.span(each) for each in _uses_of_none(function, node, linker)), None)


def _always_run(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that are run whenever a function is, in order."""
    for statement in body:
        match statement:
            case ast.Raise() | ast.Expr() | ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Global():
                yield statement
            case _ if any(isinstance(each, ast.Return | ast.While) for each in within(statement)):
                return
            case _:
                pass


def _raises(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise(exc=ast.Call(func=error) | (ast.Name() | ast.Attribute() as error)):
            return last_name(error) != _ABSTRACT
        case ast.Expr(value=ast.Call(func=called)):
            return dotted(called) in _EXITS
        case _:
            return False


def _uses_of_none(function: FunctionValue, node: ast.FunctionDef, linker: Linker) -> Iterator[ast.BinOp]:
    """The places where a method surely reckons with an attribute of its object that is None, and nothing else."""
    if not isinstance(function.bound, InstanceValue) or not node.args.args or function.bound.done:
        return
    me, tree = node.args.args[0].arg, ast.Module(body=[node], type_ignores=[])
    named = {each.attr for each in within(node) if isinstance(each, ast.Attribute) and dotted(each.value) == me}
    for name in sorted(named):
        if _is_none(function.bound, name, linker):
            yield from (each for each in used_at_once(f"{me}.{name}", tree) if isinstance(each, ast.BinOp))


def _is_none(instance: InstanceValue, name: str, linker: Linker) -> bool:
    """Whether an attribute is None from the constructor on, and the module of the class stores it nowhere else."""
    source = source_tree(instance.class_.module.code)
    held = [each for each in linker.classes.states.state(instance) if each.attribute == name]
    values = [traced.value for each in held for traced in linker.evaluate(each.value, each.frame)]
    if source is None or len(held) != 1 or len(values) != 1:
        return False
    named = (each for each in source.nodes if isinstance(each, ast.Attribute) and each.attr == name)
    stores = [each for each in named if isinstance(each.ctx, ast.Store)]
    return len(stores) == 1 and isinstance(values[0], ConstantValue) and values[0].value is None
