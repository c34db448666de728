"""Options that a function sets where they are not as it needs them: behind `if not options.threads: options.threads =
True`, `options.threads` is true, whatever it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lintpickle.control_flow.steps import TreePosition, end_of, start_of
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import FUNCTIONS, dotted

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def settled_as(test: ast.expr, tree: ast.AST) -> bool | None:
    """The truth of an attribute that a test in a function's tree asks for (`options.threads`), if a condition before it
    leaves nothing else, and nothing stores it in between; None if that is not so."""
    written = dotted(test) if isinstance(test, ast.Attribute) else ""
    if not written:
        return None
    answer: bool | None = None
    for statement in _before(start_of(test), tree):
        settled = _settles(statement, written)
        if settled is not None:
            answer = settled
        elif answer is not None and _may_store(statement, written):
            answer = None
    return answer


def _before(place: TreePosition, node: ast.AST) -> list[ast.stmt]:
    """The statements of a tree that have run whenever a place is come to, in this order, with the loops around it,
    which may have run up to their ends. What stands outside of a function may run later than the function."""
    suite = next((each for each in _suites(node) if start_of(each[0]) <= place < end_of(each[-1])), ())
    found = [each for each in suite if end_of(each) <= place]
    for around in (each for each in suite if start_of(each) <= place < end_of(each)):
        inner = _before(place, around)
        return inner if isinstance(around, FUNCTIONS) else [*found, *([around] * isinstance(around, _LOOPS)), *inner]
    return found


def _suites(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    suites = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    suites += [each.body for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
    yield from (each for each in suites if isinstance(each, list) and each)


def _settles(statement: ast.stmt, written: str) -> bool | None:
    """What an `if` leaves for an attribute: it stores a constant, of the other truth than that which it asks for."""
    match statement:
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=asked), body=body, orelse=[]) if dotted(asked) == written:
            return True if _stored_last(body, written) is True else None
        case ast.If(test=asked, body=body, orelse=[]) if dotted(asked) == written:
            return False if _stored_last(body, written) is False else None
        case _:
            return None


def _stored_last(suite: Sequence[ast.stmt], written: str) -> bool | None:
    for statement in reversed(suite):
        match statement:
            case ast.Assign(targets=[target], value=ast.Constant(value=value)) if dotted(target) == written:
                return bool(value)
            case _ if _may_store(statement, written):
                return None
            case _:
                pass
    return None


def _may_store(statement: ast.stmt, written: str) -> bool:
    """Whether a statement stores an attribute, or what it is one of."""
    return any(
        isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Store | ast.Del)
        and f"{written}.".startswith(f"{dotted(node)}.")
        for node in within(statement)
    )
