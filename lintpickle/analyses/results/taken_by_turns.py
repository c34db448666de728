"""Where a loop through the one, results in the order of their completion or what was sent for them, takes the next of
the other in each round: `name = names.pop(0)`, `next(names)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.results.completion_order import CompletionOrder
from lintpickle.parsing.syntax import dotted

_SENDING = frozenset({"submit", "apply_async", "schedule", "run_in_executor", "put", "send"})
_Loop = ast.For | ast.AsyncFor | ast.comprehension


def taken_by_turns(
    iterated: ast.expr, loop: _Loop, order: CompletionOrder, sent: frozenset[str]
) -> Iterator[tuple[ast.expr, str, str]]:
    """The first expression that takes the next of the other, if a statement of the loop uses that together with what
    the loop has; with what was sent, and the results, as they are written."""
    gone_through = _counted(iterated)
    of_results = order.holds(gone_through)
    if not of_results and order.roots(gone_through).isdisjoint(sent):
        return
    own = _names(loop.target)
    taken: dict[str, ast.Call] = {}
    for statement in _statements(loop, order):
        here = next(_takings(statement, of_results, order, sent), None)
        used = _names(statement)
        found = here or next((taken[name] for name in sorted(used & taken.keys())), None)
        if found is not None and _sends(statement):
            return  # It is the next task, not what belongs to the result.
        if found is not None and used & own:
            other, written = ast.unparse(_next_of(found) or found), ast.unparse(gone_through)
            yield found, *((other, written) if of_results else (written, other))
            return
        for name in _assigned(statement):
            if found is not None:
                taken[name] = found
            elif used & own:
                own |= {name}


def _counted(iterated: ast.expr) -> ast.expr:
    match iterated:
        case ast.Call(func=ast.Name(id="enumerate"), args=[first, *_]):
            return first
        case _:
            return iterated


def _statements(loop: _Loop, order: CompletionOrder) -> Iterator[ast.AST]:
    """The statements of a loop that have no others in them, or what a comprehension makes."""
    if not isinstance(loop, ast.comprehension):
        for one in loop.body:
            yield from (each for each in ast.walk(one) if isinstance(each, ast.stmt) and not hasattr(each, "body"))
        return
    yield ast.Tuple(order.made_by(loop), ast.Load())


def _takings(statement: ast.AST, of_results: bool, order: CompletionOrder, sent: frozenset[str]) -> Iterator[ast.Call]:
    """The calls that take the next of what was sent, or else of the results."""
    for node in ast.walk(statement):
        base = _next_of(node)
        if not isinstance(node, ast.Call) or base is None or order.holds(base) is of_results:
            continue
        if not of_results or not order.roots(base).isdisjoint(sent):
            yield node


def _next_of(node: ast.AST) -> ast.expr | None:
    """That of which an expression takes the next."""
    match node:
        case ast.Call(func=ast.Name(id="next"), args=[base, *_]):
            return base
        case ast.Call(func=ast.Attribute(value=base, attr="popleft" | "next" | "__next__"), args=[]):
            return base
        case ast.Call(func=ast.Attribute(value=base, attr="pop"), args=[ast.Constant(value=0)]):
            return base
        case _:
            return None


def _sends(statement: ast.AST) -> bool:
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    return any(dotted(each.func).rpartition(".")[2] in _SENDING for each in calls)


def _assigned(statement: ast.AST) -> frozenset[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return frozenset().union(*map(_names, targets))


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))
