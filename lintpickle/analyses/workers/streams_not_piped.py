"""Conditions that never hold, as they ask for what a process printed: `out, err = Popen(…, stdout=PIPE).communicate()`
gives None for a stream that is not `PIPE`, and never a list (the documentation of `subprocess`)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name

_PROCESS = "Popen"
_NOT_READ = frozenset({"DEVNULL", "STDOUT"})


def asks_for_unread_stream(tests: Sequence[ast.expr], function: ast.AST) -> bool:
    """Whether one of some conditions of a function only holds if it has the text of a stream that is not read, or if
    that is a list."""
    nodes = [*within(function)] if tests else []
    read = [each for node in nodes for each in _read(node)]
    if not read:
        return False
    given = Counter(name for name, _ in read)
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    streams = {name for name, _ in read if stored[name] == given[name]}
    unread = streams - {name for name, is_piped in read if is_piped}
    return any(_never_holds(each, streams, unread) for each in tests)


def _never_holds(test: ast.expr, streams: set[str], unread: set[str]) -> bool:
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(_never_holds(each, streams, unread) for each in values)
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_never_holds(each, streams, unread) for each in values)
        case ast.Name(id=name):
            return name in unread
        case ast.Compare(left=ast.Name(id=name), ops=[ast.NotEq() | ast.IsNot()], comparators=[ast.Constant(None)]):
            return name in unread
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.List()]):
            return name in streams
        case _:
            return False


def _read(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """The variables that a statement gives what a process printed, with whether that may be read."""
    match node:
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name(id=out), ast.Name(id=err)])],
            value=ast.Call(func=ast.Attribute(value=ast.Call(func=made) as process, attr="communicate")),
        ) if last_name(made) == _PROCESS:
            piped = {each.arg for each in process.keywords if _may_be_piped(each.value)}
            is_open = len(process.args) > 1 or None in piped
            yield from ((out, is_open or "stdout" in piped), (err, is_open or "stderr" in piped))
        case _:
            pass


def _may_be_piped(value: ast.expr) -> bool:
    return not isinstance(value, ast.Call) and last_name(value) not in _NOT_READ
