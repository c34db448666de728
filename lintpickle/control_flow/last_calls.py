"""Which of some calls is the last one, on each way through a function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from lintpickle.control_flow.attempts import TRIES
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import INNER_SCOPES

_Last = frozenset[ast.Call | None]
"""The calls that may have been the last ones up to a place; None for a way without any."""


def last_calls(function: ast.FunctionDef, is_sought: Callable[[ast.Call], bool]) -> tuple[ast.Call | None, ...]:
    """The calls of which each is the last one that is sought on some way through a function which does not fail, in
    order; None first, if there is a way without any."""
    ways = _Ways(is_sought)
    found = ways.through(function.body, frozenset((None,))) | ways.returned
    calls = sorted((each for each in found if each is not None), key=lambda each: (each.lineno, each.col_offset))
    return (*((None,) if None in found else ()), *calls)


class _Ways:
    """Reads suites; `returned` and `left` gather what was last where functions and loops are left in the middle."""

    def __init__(self, is_sought: Callable[[ast.Call], bool]) -> None:
        self._is_sought = is_sought
        self.returned: _Last = frozenset()
        self._left: _Last = frozenset()

    def through(self, suite: Sequence[ast.stmt], last: _Last) -> _Last:
        """What may be last behind a suite; nothing, if its end is not reached."""
        for statement in suite:
            if not last:
                break
            last = self._statement(statement, last)
        return last

    def _statement(self, statement: ast.stmt, last: _Last) -> _Last:
        if isinstance(statement, TRIES):
            return self._try(statement, last)
        match statement:
            case ast.If():
                return self._if(statement, last)
            case ast.For(body=body, orelse=other) | ast.AsyncFor(body=body, orelse=other):
                return self._loop(body, other, self._part(statement.iter, last))
            case ast.While(test=test, body=body, orelse=other):
                return self._loop(body, other, self._part(test, last))
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                return self.through(body, self._parts(items, last))
            case ast.Match(subject=subject, cases=cases):
                last = self._part(subject, last)
                return last.union(*(self.through(case.body, last) for case in cases))
            case ast.Return():
                self.returned |= self._parts(children(statement), last)
            case ast.Break() | ast.Continue():
                self._left |= last
            case ast.Raise():
                pass
            case _ if any(self._sought(statement)):
                return self._part(statement, last)
            case _:
                return last
        return frozenset()

    def _if(self, statement: ast.If, last: _Last) -> _Last:
        behind: _Last = frozenset()
        while True:
            last = self._part(statement.test, last)
            behind |= self.through(statement.body, last)
            match statement.orelse:
                case [ast.If() as statement]:
                    pass
                case other:
                    return behind | self.through(other, last)

    def _loop(self, body: Sequence[ast.stmt], other: Sequence[ast.stmt], last: _Last) -> _Last:
        outer, self._left = self._left, frozenset()
        last |= self.through(body, last)
        left, self._left = self._left, outer
        return self.through(other, last) | left

    def _try(self, statement: ast.Try | ast.TryStar, last: _Last) -> _Last:
        failed = last.union(each for inner in statement.body for each in self._sought(inner))
        behind = self.through(statement.orelse, self.through(statement.body, last))
        behind = behind.union(*(self.through(handler.body, failed) for handler in statement.handlers))
        return self.through(statement.finalbody, behind)

    def _sought(self, node: ast.AST) -> Iterator[ast.Call]:
        return (each for each in within(node) if isinstance(each, ast.Call) and self._is_sought(each))

    def _parts(self, nodes: Iterable[ast.AST], last: _Last) -> _Last:
        for node in nodes:
            last = self._part(node, last)
        return last

    def _part(self, node: ast.AST, last: _Last) -> _Last:
        """What is last behind an expression, or a statement without suites."""
        match node:
            case ast.IfExp(test=test, body=body, orelse=other):
                last = self._part(test, last)
                return self._part(body, last) | self._part(other, last)
            case ast.BoolOp(values=[first, *others]):
                last = self._part(first, last)
                return last | self._parts(others, last)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return last.union(self._sought(node))
            case ast.Call() if self._is_sought(node):
                return frozenset((node,))
            case _ if isinstance(node, INNER_SCOPES):
                return last
            case _:
                return self._parts(children(node), last)
