"""Arguments of a loader that ask for nothing but whether there are workers: `persistent_workers=args.workers > 0`,
`prefetch_factor=4 if n else None`. Where workers are, the answer is yes, whatever their number."""

from __future__ import annotations

import ast
import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Expr, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Bound, Frame
from lintpickle.interpreter.frames import passed_first
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_WORKERS = re.compile(r"(?i)(?<!persistent_)(?<!persistent)(?:work|proc)")
"""How code names a number of workers."""
_TESTS = (ast.BoolOp, ast.Call, ast.Compare, ast.UnaryOp)


def names_workers(text: str) -> bool:
    """Whether a name is one that code gives to a number of workers."""
    return _WORKERS.search(text) is not None


def answer_of_workers(call: BoundaryCall, name: str, are_workers: bool, linker: Linker) -> ast.expr | bool | None:
    """What an argument is where there are workers, or are none: a truth, or the arm of `a if n > 0 else b`. None if it
    asks for anything else."""
    found = _where_written(call.arguments.get(name))
    if found is None:
        return None
    written, frame = found
    node = _node_at(written.span, frame.module)
    if isinstance(node, ast.IfExp):
        truth = _truth(node.test, frame, call, are_workers, linker)
        return None if truth is None else node.body if truth else node.orelse
    return _truth(node, frame, call, are_workers, linker) if isinstance(node, _TESTS) else None


def _where_written(bound: Bound | None) -> tuple[Expr, Frame] | None:
    """The expression that is passed, in the frame of whoever passes it first."""
    first = passed_first(bound)
    if first is None or first.expr is None or first.frame is None:
        return None
    return without_narrowing(first.expr), first.frame


def _node_at(span: Span, module: Module) -> ast.AST | None:
    source = source_tree(module.code)
    inside = source.nodes_within(span) if source is not None else ()
    return next((each for each in inside if source is not None and source.span(each) == span), None)


def _truth(test: ast.expr, frame: Frame, call: BoundaryCall, are_workers: bool, linker: Linker) -> bool | None:
    decided = linker.evaluator.conditions.answer(test, frame)
    if decided is not None:
        return decided
    asked = _asked_for(test)
    if asked is None:
        return None
    count, is_for_workers = asked
    is_count = names_workers(ast.unparse(count)) or _is_passed_as_count(count, frame, call)
    return are_workers is is_for_workers if is_count else None


def _asked_for(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """The number of which a test asks whether it is above 0, and whether the test holds if so."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            asked = _asked_for(inner)
            return (asked[0], not asked[1]) if asked is not None else None
        case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            return _asked_for(inner)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return left, True
        case ast.Compare(left=left, ops=[ast.GtE()], comparators=[ast.Constant(value=1)]):
            return left, True
        case ast.Compare(left=ast.Constant(value=0), ops=[ast.Lt() | ast.NotEq()], comparators=[right]):
            return right, True
        case ast.Compare(left=left, ops=[ast.Eq() | ast.LtE()], comparators=[ast.Constant(value=0)]):
            return left, False
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return test, True
        case _:
            return None


def _is_passed_as_count(count: ast.expr, frame: Frame, call: BoundaryCall) -> bool:
    """Whether the loader gets its number of workers by the same words, of the same function."""
    found = _where_written(call.arguments.get(call.spec.workers or ""))
    if found is None or found[1].function is not frame.function:
        return False
    span, text = found[0].span, frame.module.code
    return text[span.start : span.end] == ast.unparse(count)
