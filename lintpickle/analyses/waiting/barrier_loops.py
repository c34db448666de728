"""Loops whose rounds all wait at a barrier, and that a worker leaves, or goes on with, for a reason of its own: the
others wait in the round in which it is missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeAlias

from lintpickle.analyses.waiting.item_ways import names_within
from lintpickle.parsing.syntax import INNER_SCOPES, dotted, root_name

_Loop: TypeAlias = ast.For | ast.While
_Turn: TypeAlias = ast.Break | ast.Continue | ast.Return
_AGREES = re.compile(r"reduce|gather|broadcast|bcast|sync|barrier|vote|agree|recv|scatter", re.IGNORECASE)
"""Names of functions after which all processes have the same, or may have."""


def turns_out_of_loops(
    function: ast.FunctionDef, marks: frozenset[str], own: set[str], shared: set[str]
) -> Iterator[_Turn]:
    """The statements of a function that leave a loop which calls one of `marks` in its rounds, or go on with its next
    round, under a condition that depends on the parameters `own` and on nothing that another process may set, such as
    the parameters `shared`."""
    loops = [each for each in _inside(function.body) if isinstance(each, ast.For | ast.While)]
    waiting = [each for each in loops if any(_waits(inner, marks) for inner in each.body)]
    if not waiting:
        return
    names = _OwnNames(own, shared, function)
    for loop in waiting:
        behind = [each for each in waiting if each is not loop and each.lineno > (loop.end_lineno or 0)]
        if not behind:  # Those that leave it early may wait there for the others.
            yield from _turns(loop.body, loop, names, marks, False)


def _turns(
    body: list[ast.stmt], loop: _Loop | None, names: _OwnNames, marks: frozenset[str], is_own: bool
) -> Iterator[_Turn]:
    """The turns in some statements; in a loop within the loop, those that leave the function."""
    for statement in body:
        match statement:
            case ast.Break() if is_own and loop is not None:
                yield statement
            case ast.Return() if is_own:
                yield statement
            case ast.Continue() if is_own and loop is not None and _is_waited_behind(statement, loop, marks):
                yield statement
            case ast.If(test=test):
                depends = is_own or names.decide(test)
                if not any(_waits(each, marks) for each in (*statement.body, *statement.orelse)):
                    yield from _turns(statement.body, loop, names, marks, depends)
                    yield from _turns(statement.orelse, loop, names, marks, depends)
            case ast.For() | ast.While():
                yield from _turns(statement.body, None, names, marks, is_own)
            case ast.With() | ast.Try():
                yield from _turns(statement.body, loop, names, marks, is_own)
            case _:
                pass


def _is_waited_behind(turn: ast.Continue, loop: _Loop, marks: frozenset[str]) -> bool:
    places = [each.lineno for each in ast.walk(loop) if isinstance(each, ast.Attribute) and ast.unparse(each) in marks]
    return any(each > turn.lineno for each in places) and not any(each < turn.lineno for each in places)


class _OwnNames:
    """The variables of a function that are made of its parameters `own`, and of nothing through which processes tell
    each other what they have."""

    def __init__(self, own: set[str], shared: set[str], function: ast.FunctionDef) -> None:
        values = [*_assigned(function)]
        agreed = {name for name, value in values if _agrees(value)}
        self._shared = _closed(shared | agreed | _exchanged(function), values)
        self._own = _closed(own, values)

    def decide(self, test: ast.expr) -> bool:
        """Whether a condition depends on them alone."""
        names = {each.id for each in names_within(test)}
        return bool(names & self._own) and not names & self._shared and not _agrees(test)


def _closed(names: set[str], values: list[tuple[str, ast.expr]]) -> set[str]:
    """Names, and those of variables that are made of them."""
    found, count = set(names), -1
    while len(found) > count:
        count = len(found)
        found |= {name for name, value in values if any(each.id in found for each in names_within(value))}
    return found


def _assigned(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """The variables of a function, each with what it is given."""
    for node in _inside(function.body):
        match node:
            case ast.Assign(targets=targets, value=value):
                stored = targets
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                stored = [target]
            case ast.For(target=target, iter=value):
                stored = [target]
            case _:
                continue
        for target in stored:
            yield from ((each.id, value) for each in names_within(target) if isinstance(each.ctx, ast.Store))


def _exchanged(function: ast.FunctionDef) -> set[str]:
    """The names of what a function puts something into, and of what it gives a function that makes it the same in all
    processes."""
    given = {each.arg for each in function.args.args}
    found = set[str]()
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=base, ctx=ast.Store()) | ast.Attribute(value=base, ctx=ast.Store()):
                found |= {root_name(base) or ""} & given
            case ast.Call(func=ast.Attribute(value=base)) if root_name(base) in given:
                found.add(root_name(base) or "")
            case _:
                pass
        if isinstance(node, ast.Call) and _AGREES.search(dotted(node.func)):
            found |= {each.id for value in node.args for each in names_within(value)}
    return found


def _agrees(value: ast.expr) -> bool:
    """Whether an expression asks the other processes."""
    return any(isinstance(each, ast.Call) and _AGREES.search(dotted(each.func)) for each in ast.walk(value))


def _waits(node: ast.AST, marks: frozenset[str]) -> bool:
    return any(isinstance(each, ast.Attribute) and ast.unparse(each) in marks for each in ast.walk(node))


def _inside(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Some statements, and those within them, but for those of functions and classes that they define."""
    for statement in body:
        yield statement
        if not isinstance(statement, INNER_SCOPES):
            blocks = (getattr(statement, name, None) or [] for name in ("body", "orelse", "finalbody"))
            yield from (inner for block in blocks for inner in _inside(block))
