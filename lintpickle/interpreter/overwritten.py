"""Options of a value that a call surely overwrites: `data = np.asarray(data) if as_array else data` keeps nothing of
what `data` held before if the call leaves `as_array` at True."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeAlias

from lintpickle.control_flow.steps import TreePosition, end_of, start_of
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Expr, Parameter, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, Site, TracedValue
from lintpickle.interpreter.protocols import Interpreter

_Origin: TypeAlias = "tuple[TreePosition, TreePosition] | str"
"""Where an expression stands in the tree of a function, or the name of a parameter."""
_MOST_EXPRESSIONS = 60
"""How many expressions and variables are looked through; of what is longer, nothing is said."""


def not_overwritten(options: Sequence[Expr], place: Span, frame: Frame, evaluator: Interpreter) -> Sequence[Expr]:
    """The options of what a statement returns or stores, but for those that a run of the frame's function cannot hold
    any more when it gets there, by the conditions that the call decides. All of them if that is not known."""
    paths = frame.paths
    if len(options) < 2 or not paths.has_condition_before(place):
        return options
    statement = paths.statement(place.start)
    value = statement.value if isinstance(statement, (ast.Return, ast.Assign, ast.AnnAssign)) else None
    if value is None:
        return options
    every, kept = _Origins(frame, None), _Origins(frame, evaluator)
    if not (every.look(value) and kept.look(value)):
        return options
    gone = every.found - kept.found
    left = [option for option in options if _origin(option, frame) not in gone] if gone else options
    return left or options


def values_left(
    values: Sequence[TracedValue], stored: Expr, place: Site, frame: Frame, evaluator: Interpreter
) -> Sequence[TracedValue]:
    """Of the values that an expression can be, those that it can be in the statement at a place that stores it."""
    options = options_of(stored)
    if len(values) < 2 or len(options) < 2 or place.module is not frame.module:
        return values
    left = not_overwritten(options, place.span, frame, evaluator)
    gone = [Site(frame.module, each.span) for each in options if each not in left]
    return [each for each in values if each.site not in gone]


def _origin(option: Expr, frame: Frame) -> _Origin | None:
    match without_narrowing(option):
        case Parameter(name=name, owner=owner):
            return name if owner == frame.function.qualname else None
        case value:
            start, end = value.span.start, value.span.end
            inside = frame.function.span.start <= start < end <= frame.function.span.end
            return (frame.paths.position(start), frame.paths.position(end)) if inside else None


class _Origins:
    """The expressions, and parameters, that a value can be, by way of variables and conditional expressions; given the
    evaluator, those that are left when the conditions are decided."""

    def __init__(self, frame: Frame, evaluator: Interpreter | None) -> None:
        self.found: set[_Origin] = set()
        self._frame = frame
        self._evaluator = evaluator
        self._seen: set[int] = set()

    def look(self, value: ast.expr) -> bool:
        """Collect them; False if the value can be something of which this is not known."""
        waiting: list[ast.expr] = [value]
        while waiting:
            node = waiting.pop()
            if id(node) in self._seen:
                continue
            self._seen.add(id(node))
            if len(self._seen) > _MOST_EXPRESSIONS:
                return False
            match node:
                case ast.IfExp(test=test, body=body, orelse=other):
                    truth = self._answer(test)
                    waiting += [arm for arm, is_so in ((body, True), (other, False)) if truth in (is_so, None)]
                case ast.BoolOp(values=values):
                    waiting += values
                case ast.NamedExpr(value=inner):
                    waiting.append(inner)
                case ast.Name(id=name):
                    bound = self._bound(name, start_of(node))
                    if bound is None:
                        return False
                    waiting += bound
                case _:
                    self.found.add((start_of(node), end_of(node)))
        return True

    def _bound(self, name: str, place: TreePosition) -> list[ast.expr] | None:
        """What was assigned to a variable that it may hold at a place; None if it may hold anything else."""
        is_sure = self._is_sure if self._evaluator is not None else None
        bound, may_be_older = self._frame.paths.reaching(name, place, is_sure)
        if may_be_older:
            if self._frame.function.parameter(name) is None:
                return None
            self.found.add(name)
        values = [each for each in bound if each is not None]
        return values if len(values) == len(bound) else None

    def _is_sure(self, place: TreePosition, behind: TreePosition) -> bool:
        """Whether a run that gets to a place has surely been at one before it, by what the call decides."""
        paths = self._frame.paths
        return all(
            step.fails or (step.conditions and all(self._answer(test) is holds for test, holds in step.conditions))
            for step in paths.steps_beyond(paths.offset(place), paths.offset(behind))
        )

    def _answer(self, test: ast.expr) -> bool | None:
        return self._evaluator.conditions.answer(test, self._frame) if self._evaluator is not None else None
