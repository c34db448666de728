"""Runs of `__getstate__`, statement by statement, for one attribute of the instance: what becomes of it.

The asked name is known, so most of what hooks ask and do (`if key not in self._unpicklable`) comes out one way. What
does not is taken both ways, in runs of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from enum import Enum

from lintpickle.interpreter import hook_values as values
from lintpickle.interpreter.hook_calls import HookArguments, hook_bindings
from lintpickle.interpreter.hook_expressions import Expressions, TooLong
from lintpickle.interpreter.hook_names import HookNames, Method
from lintpickle.interpreter.hook_values import ME, NONE, NOT_KNOWN, HookValue, Known, State, carries, iterated
from lintpickle.limits import HOOK_CALLS, HOOK_RUNS, HOOK_STEPS, NESTING


class Fate(Enum):
    """What becomes of an attribute in a hook."""

    KEPT = "its value is in what the hook gives"
    LEFT_OUT = "nothing is under its name"
    REPLACED = "something else is under its name, or what the hook does is not understood"


class _Returned(Exception):
    """A run came to its end."""

    def __init__(self, value: HookValue) -> None:
        self.value = value


class _Left(Exception):
    """A loop's body is left."""

    def __init__(self, goes_on: bool) -> None:
        self.goes_on = goes_on


class _NoResult(Exception):
    """A run raises an exception."""


def fate(method: Method, names: HookNames, name: str) -> Fate:
    """What becomes of the attribute that the instance's `__dict__` has under a name."""
    results: list[HookValue] = []
    decisions: list[bool] = []
    for _ in range(HOOK_RUNS.most):
        run = _Run(names, name, decisions)
        try:
            results.append(run.call(method, HookArguments((ME,))))
        except _NoResult:
            pass
        except (TooLong, RecursionError) as error:
            names.note(HOOK_STEPS if isinstance(error, TooLong) else NESTING)
            return Fate.REPLACED
        decisions = run.taken
        while decisions and not decisions[-1]:
            decisions.pop()
        if not decisions:
            return _of_all(results)
        decisions[-1] = False
    names.note(HOOK_RUNS)
    return Fate.REPLACED


def _of_all(results: list[HookValue]) -> Fate:
    """Of several runs, one that drops the attribute tells that the hook is there for that; one that gives a constant
    tells nothing."""
    told = [result for result in results if not isinstance(result, Known)]
    if told and all(map(carries, told)):
        return Fate.KEPT
    is_left_out = all(isinstance(each, State) and each.entry is None and not carries(each) for each in told)
    return Fate.LEFT_OUT if told and is_left_out else Fate.REPLACED


class _Run(Expressions):
    """One run."""

    _depth = 0

    def call(self, method: Method, given: HookArguments) -> HookValue:
        if self._depth == HOOK_CALLS.most:
            self._names.note(HOOK_CALLS)
            return NOT_KNOWN
        before = self._method, self._env
        self._method, self._env = method, hook_bindings(method.tree.args, given)
        self._depth += 1
        try:
            self._block(method.tree.body)
        except _Returned as returned:
            return returned.value
        finally:
            self._depth -= 1
            self._method, self._env = before
        return NONE

    def _block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._step()
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Return(value=value):
                raise _Returned(self._value(value) if value is not None else NONE)
            case ast.Raise():
                raise _NoResult
            case ast.Assign(targets=targets, value=value):
                given = self._value(value)
                for target in targets:
                    self._assign(target, given)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self._value(value))
            case ast.AugAssign(target=target, op=operator, value=value):
                self._augment(target, operator, self._value(value))
            case ast.Delete(targets=targets):
                for target in targets:
                    self._delete(target)
            case ast.Expr(value=value):
                self._value(value)
            case ast.If(test=test, body=body, orelse=orelse):
                self._block(body if self._holds(test) else orelse)
            case ast.For(target=target, iter=iterable, body=body, orelse=orelse):
                self._loop(target, iterable, body)
                self._block(orelse)
            case ast.While(test=test, body=body):
                if self._holds(test):
                    self._once(body)
            case ast.With(items=items, body=body):
                for item in items:
                    self._value(item.context_expr)
                self._block(body)
            case ast.Try(body=body, orelse=orelse, finalbody=final):
                try:
                    self._block([*body, *orelse])
                finally:
                    self._block(final)
            case ast.Continue() | ast.Break():
                raise _Left(isinstance(statement, ast.Continue))
            case ast.Match(cases=cases):
                chosen = next((case for case in cases if self._decided(None)), None)
                self._block(chosen.body if chosen is not None else ())
            case _:
                pass

    def _loop(self, target: ast.expr, iterable: ast.expr, body: list[ast.stmt]) -> None:
        parts = iterated(self._value(iterable), self._name)
        for element in (*parts.elements, *((NOT_KNOWN,) if parts.rest else ())):
            self._assign(target, element)
            if not self._once(body):
                break

    def _once(self, body: list[ast.stmt]) -> bool:
        try:
            self._block(body)
        except _Left as left:
            return left.goes_on
        return True

    def _augment(self, target: ast.expr, operator: ast.operator, value: HookValue) -> None:
        before = self._value(target)
        if isinstance(before, State) and isinstance(operator, ast.BitOr):
            values.update_state(before, value, self._name)
        else:
            self._assign(target, values.combined(operator, before, value, self._name))

    def _delete(self, target: ast.expr) -> None:
        match target:
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for each in targets:
                    self._delete(each)
            case ast.Subscript(value=holder, slice=key):
                self._put(self._value(holder), self._value(key), None)
            case ast.Attribute(value=owner, attr=attribute) if self._value(owner) is ME:
                self._put(self._mine, self._mangled(attribute), None)
            case _:
                pass
