"""Calls that are made alike in each branch of a condition: one of them is made, however the condition answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lintpickle.control_flow.steps import BEHIND, SCOPES, BranchStep, TreePosition, leaves_suite
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import arguments_of


def is_done_otherwise(step: BranchStep, place: TreePosition) -> bool:
    """Whether the call at a place, to which a step leads into one branch of an `if`, is made alike in its other branch:
    the same function, with arguments of the same names and kinds (`for x in DataLoader(train, collate_fn=lambda b: b)`
    and `for x in DataLoader(valid, collate_fn=lambda b: b[0])`)."""
    condition = step.node
    if not isinstance(condition, ast.If) or step.arm == BEHIND:
        return False
    mine, others = (condition.body, condition.orelse) if step.arm == 0 else (condition.orelse, condition.body)
    found = next((call for suite in mine for call in _calls(suite) if _starts_at(call[0], place)), None)
    if found is None or _names_given(found[0]) & {*_names_bound(mine), *_names_bound(others)}:
        return False
    return _is_surely_done(others, found)


def _names_given(call: ast.Call) -> set[str]:
    """The variables that arguments read, but for those that are a part of a text."""
    given = arguments_of(call)
    names: set[str] = set()
    while given:
        match given.pop():
            case ast.Call(args=args, keywords=keywords):
                given += [*args, *(each.value for each in keywords)]
            case ast.Lambda():
                pass
            case value if not _is_text(value):
                names.update(node.id for node in within(value) if isinstance(node, ast.Name))
    return names


def _names_bound(suite: Sequence[ast.stmt]) -> Iterator[str]:
    for statement in suite:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _starts_at(call: ast.Call, place: TreePosition) -> bool:
    return (call.lineno, call.col_offset) == place


def _is_surely_done(suite: Sequence[ast.stmt], wanted: tuple[ast.Call, bool]) -> bool:
    """Whether whoever gets into a suite makes a call alike. Loops have elements."""
    for statement in suite:
        match statement:
            case ast.If(body=body, orelse=other):
                if _is_surely_done(body, wanted) and _is_surely_done(other, wanted):
                    return True
                if leaves_suite(body) or leaves_suite(other):
                    return False
            case ast.For(body=body) | ast.With(body=body):
                if _is_one(_calls_of_head(statement), wanted) or _is_surely_done(body, wanted):
                    return True
            case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Return():
                if _is_one(_calls(statement), wanted):
                    return True
            case ast.Raise() | ast.Continue() | ast.Break():
                return False
            case _:
                pass
    return False


def _is_one(calls: Iterator[tuple[ast.Call, bool]], wanted: tuple[ast.Call, bool]) -> bool:
    call, is_iterated = wanted
    return any(iterated == is_iterated and _are_alike(each, call) for each, iterated in calls)


def _calls_of_head(statement: ast.For | ast.With) -> Iterator[tuple[ast.Call, bool]]:
    heads = [statement.iter] if isinstance(statement, ast.For) else [each.context_expr for each in statement.items]
    for head in heads:
        for node in within(head):
            if isinstance(node, ast.Call):
                yield node, isinstance(statement, ast.For) and node is head


def _calls(statement: ast.stmt) -> Iterator[tuple[ast.Call, bool]]:
    """The calls in a statement and in those within it, but for those in functions; and whether each is what a loop goes
    through."""
    iterated = {id(node.iter) for node in ast.walk(statement) if isinstance(node, ast.For)}
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            yield node, id(node) in iterated
        if not isinstance(node, SCOPES):
            stack += ast.iter_child_nodes(node)


def _are_alike(first: ast.expr, second: ast.expr) -> bool:
    """Whether two expressions give the same kind of thing, as far as they are written: the same names, constants of the
    same truth, lambdas, texts, and calls of the same function with such arguments."""
    match first, second:
        case ast.Lambda(), ast.Lambda():
            return True
        case ast.Constant(value=one), ast.Constant(value=other):
            return type(one) is type(other) and bool(one) is bool(other)
        case ast.Call(func=one), ast.Call(func=other):
            return ast.dump(one) == ast.dump(other) and _have_like_arguments(first, second)
        case ast.JoinedStr(), ast.JoinedStr():
            return True
        case ast.BinOp(), ast.BinOp():
            return _is_text(first) and _is_text(second)
        case _:
            return ast.dump(first) == ast.dump(second)


def _have_like_arguments(first: ast.Call, second: ast.Call) -> bool:
    mine, theirs = ({each.arg: each.value for each in call.keywords} for call in (first, second))
    if mine.keys() != theirs.keys() or len(first.args) != len(second.args):
        return False
    pairs = (*zip(first.args, second.args, strict=True), *((mine[name], theirs[name]) for name in mine))
    return all(_are_alike(*pair) for pair in pairs)


def _is_text(value: ast.expr) -> bool:
    """Whether an expression surely gives a text: something is added to one (`"train/" + name`)."""
    match value:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) or _is_text(right)
        case _:
            return False
