"""Branches of conditions, seen on the `ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from lintpickle.source.reads import children
from lintpickle.source.syntax import FUNCTIONS, rows

_Rows: TypeAlias = range
Place: TypeAlias = tuple[int, int]
"""A row (1-based), and a column in it, in bytes."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ENDS = (ast.Return, ast.Raise)


def exclude_each_other(tree: ast.AST, first: int, second: int) -> bool:
    """Whether no single run of the code gets to both of two rows (1-based): one stands in a branch of a condition, the
    other in its other branch, or behind it where the branch returns or raises. In a loop, both may be got to, if the
    loop can change what the condition tells."""
    stack: list[tuple[ast.AST, ast.AST | None]] = [(tree, None)]
    while stack:
        node, loop = stack.pop()
        loop = node if loop is None and isinstance(node, _LOOPS) else loop
        for test, one, other in (pair for suite in _suites(node) for pair in _pairs(suite)):
            if (first in one and second in other) or (second in one and first in other):
                return loop is None or not _may_change(test, loop)
        stack.extend((child, loop) for child in children(node) if _is_around(child, first, second))
    return False


def _is_around(node: ast.AST, *places: int) -> bool:
    """Whether rows are among those of a node, but for its decorators; true of a node without rows of its own."""
    start = getattr(node, "lineno", None)
    return start is None or all(start <= row <= getattr(node, "end_lineno", start) for row in places)


def _may_change(test: ast.expr, loop: ast.AST) -> bool:
    """Whether a loop may change what a condition in it tells: what it calls, and all attributes it stores, count."""
    read = {name for name, _ in _names_in(test)}
    stored = {name for name, context in _names_in(loop) if not isinstance(context, ast.Load)}
    return not read.isdisjoint(stored) or any(isinstance(each, ast.Call | ast.Subscript) for each in ast.walk(test))


def _names_in(tree: ast.AST) -> Iterator[tuple[str, ast.expr_context]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id, node.ctx
        elif isinstance(node, ast.Attribute):
            yield node.attr, node.ctx


def share_a_loop(tree: ast.AST, first: int, second: int) -> bool:
    """Whether both rows (1-based) stand in one loop: each may be got to before the other."""
    loops = (_rows([loop]) for loop in ast.walk(tree) if isinstance(loop, _LOOPS))
    return any(first in loop and second in loop for loop in loops)


def conditions_around(tree: ast.AST, row: int) -> tuple[tuple[ast.expr, bool], ...]:
    """The conditions that hold (True) or do not, when the innermost function around a row (1-based) gets there: those
    of the branches around it, and of branches before it that return or raise."""
    found: list[tuple[ast.expr, bool]] = []
    node: ast.AST | None = tree
    while node is not None:
        if isinstance(node, FUNCTIONS):
            found.clear()
        suite = next((suite for suite in _suites(node) if row in _rows(suite)), ())
        if isinstance(node, ast.If):
            found.append((node.test, suite is node.body))
        index, node = next(((i, each) for i, each in enumerate(suite) if row in _rows([each])), (0, None))
        for statement in suite[:index]:
            if isinstance(statement, ast.If):
                found += [(statement.test, False)] * _ends(statement.body)
                found += [(statement.test, True)] * _ends(statement.orelse)
    return tuple(found)


def answer_differently(tree: ast.AST, first: Place, second: Place) -> bool:
    """Whether two places stand in different branches of conditions that ask the same (`a if fast else b`, and later
    `if fast:`), of which nothing changes the answer: no run gets to both."""
    tests, others = dict(_answers_at(tree, first)), dict(_answers_at(tree, second))
    different = [tests[asked][0] for asked in tests.keys() & others.keys() if tests[asked][1] != others[asked][1]]
    return any(_is_stable(test, tree, first[0], second[0]) for test in different)


def _answers_at(tree: ast.AST, place: Place) -> Iterator[tuple[str, tuple[ast.expr, bool]]]:
    """The conditions around a place, of statements and expressions, without `not`: as texts that are equal if they are,
    each with the condition and its answer there."""
    choices = (node for node in ast.walk(tree) if isinstance(node, ast.IfExp))
    arms = ((node.test, arm, arm is node.body) for node in choices for arm in (node.body, node.orelse))
    inside = [(test, answer) for test, arm, answer in arms if _holds(arm, place)]
    for test, answer in (*conditions_around(tree, place[0]), *inside):
        asked, is_so = test, answer
        while isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
            asked, is_so = asked.operand, not is_so
        yield ast.dump(asked), (asked, is_so)


def _holds(node: ast.expr, place: Place) -> bool:
    end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return (node.lineno, node.col_offset) <= place < end


def _is_stable(test: ast.expr, tree: ast.AST, *places: int) -> bool:
    """Whether a condition answers the same in all of the rows: it calls nothing, gets no items, and the names that it
    reads are stored before."""
    if any(isinstance(each, (ast.Call, ast.Await, ast.NamedExpr, ast.Subscript)) for each in ast.walk(test)):
        return False
    read = {name for name, _ in _names_in(test)}
    nodes = (node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute)))
    stored = (node for node in nodes if not isinstance(node.ctx, ast.Load))
    changed = [node.lineno for node in stored if (node.id if isinstance(node, ast.Name) else node.attr) in read]
    return all(row < min(places) and not any(share_a_loop(tree, row, place) for place in places) for row in changed)


def _suites(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        suite = getattr(node, name, None)
        if isinstance(suite, list):
            yield suite


def _pairs(suite: Sequence[ast.stmt]) -> Iterator[tuple[ast.expr, _Rows, _Rows]]:
    """Of the conditions that stand in a suite itself, the rows that exclude each other."""
    for index, statement in enumerate(suite):
        if isinstance(statement, ast.If):
            body, other, rest = map(_rows, (statement.body, statement.orelse, suite[index + 1 :]))
            yield statement.test, body, other
            if _ends(statement.body):
                yield statement.test, body, rest
            if _ends(statement.orelse):
                yield statement.test, other, rest
        elif isinstance(statement, ast.Match):
            cases = [_rows(case.body) for case in statement.cases]
            yield from ((statement.subject, *pair) for pair in combinations(cases, 2))


def _rows(suite: Sequence[ast.stmt]) -> _Rows:
    return range(rows(suite[0])[0], rows(suite[-1])[1] + 1) if suite else range(0)


def _ends(suite: Sequence[ast.stmt]) -> bool:
    return bool(suite) and isinstance(suite[-1], _ENDS)
