"""How the variables of a function come to depend on the seed for the hashes of texts: statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct, field

from lintpickle.analyses.process_state.seed_kinds import (
    FREE,
    KEYED,
    ORDERED,
    SET,
    VARYING,
    SeedKind,
    SeedScope,
    bind_loop,
    holds_numbers,
    is_number,
    keys_tell_apart,
    kind_of,
    sorts_by_hash,
)
from lintpickle.parsing.main_guard import is_main_guard
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import arguments_of, target_names

_ADDING = frozenset({"append", "extend", "insert", "appendleft", "extendleft", "put", "put_nowait"})
_SPREADING = frozenset({"extend", "extendleft", "writelines"})
_FILLING = frozenset({"update", "setdefault"})
_SENDING = frozenset(
    {"put", "put_nowait", "send", "send_bytes", "sendall", "write", "writelines", "write_text", "writerow"}
)
_SENDING_FUNCTIONS = frozenset({"json.dump", "pickle.dump", "builtins.print", "yaml.dump", "numpy.save", "torch.save"})
_LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise)
_BOUNDS = (ast.Lt, ast.Gt, ast.LtE, ast.GtE)


class Told(Protocol):
    """Who is told what the walk through a function finds."""

    def returns(self, kind: SeedKind, node: ast.AST) -> None:
        """The function returns, or yields, something of a kind."""

    def sends(self, node: ast.AST) -> None:
        """The function sends, writes or prints what depends on the seed."""

    def keeps(self, target: ast.expr, kind: SeedKind) -> None:
        """What is not a variable of the function gets something of a kind."""


class _Round(Struct):
    """What the statements of a loop, or of a branch, hang on: the loop goes through something in the order of a set, or
    the branch is taken by the seed. `counters` are the variables that the loop adds to, `last` those that it sets."""

    in_order: bool = False
    by_value: bool = False
    end: int = 0
    counters: dict[str, SeedKind] = field(default_factory=dict)
    last: set[str] = field(default_factory=set)
    bounds: frozenset[str] = frozenset()

    def inside(self, *, by_value: bool = False, bounds: frozenset[str] = frozenset()) -> _Round:
        """One for a branch in it."""
        by_value, bounds = self.by_value or by_value, self.bounds | bounds
        return _Round(self.in_order, by_value, self.end, self.counters, self.last, bounds)


class SeedWalk:
    """Walks through the statements of a function, or of a module."""

    def __init__(self, tree: ast.AST, own: frozenset[str] | None, told: Told) -> None:
        """`own` are its variables; None if all names that it binds are its own."""
        self._own, self._told = own, told
        self._last_read: dict[str, int] = {}
        for node in within(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._last_read[node.id] = max(node.lineno, self._last_read.get(node.id, 0))

    def run(self, body: list[ast.stmt], scope: SeedScope) -> None:
        """Goes through a suite; the scope is afterwards what it is behind that."""
        self._suite(body, scope, _Round())

    def _suite(self, body: list[ast.stmt], scope: SeedScope, around: _Round) -> None:
        for statement in body:
            self._statement(statement, scope, around)
            match statement:
                case ast.If(test=test, body=[*_, last]) if isinstance(last, _LEAVING):
                    around = around.inside(by_value=kind_of(test, scope) == VARYING)
                case _:
                    pass

    def _statement(self, statement: ast.stmt, scope: SeedScope, around: _Round) -> None:
        for call in _calls_of(statement):
            self._call(call, scope, around)
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._store(target, value, scope, around)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._store(target, value, scope, around)
            case ast.AugAssign(target=target, op=op, value=value):
                self._add(target, op, value, scope, around)
            case ast.Return(value=ast.expr() as value):
                self._give(value, scope, around)
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                is_varying = around.by_value or kind_of(value, scope) >= ORDERED
                self._told.returns(VARYING if is_varying else ORDERED if around.in_order else FREE, value)
            case ast.Expr(value=ast.YieldFrom(value=value)):
                kind = kind_of(value, scope)
                self._told.returns(VARYING if kind == VARYING else ORDERED if kind or around.in_order else FREE, value)
            case ast.If(test=test, body=body, orelse=other):
                if not is_main_guard(test):
                    is_varying = kind_of(test, scope) == VARYING
                    inner = around.inside(by_value=is_varying, bounds=frozenset(_bounds(test)))
                    self._branches([body, other], scope, inner)
            case ast.For(target=target, iter=iterated, body=body, orelse=other):
                self._loop(target, iterated, body, scope, around)
                self._suite(other, scope, around)
            case ast.While(test=test, body=body, orelse=other):
                inner = around.inside(by_value=kind_of(test, scope) == VARYING)
                self._branches([body, body], scope, inner)
                self._suite(other, scope, around)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    if item.optional_vars is not None:
                        self._store(item.optional_vars, item.context_expr, scope, around)
                self._suite(body, scope, around)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=final):
                self._suite([*body, *other], scope, around)
                self._branches([[], *(each.body for each in handlers)], scope, around)
                self._suite(final, scope, around)
            case ast.Match(subject=subject, cases=cases):
                inner = around.inside(by_value=kind_of(subject, scope) == VARYING)
                self._branches([[], *(each.body for each in cases)], scope, inner)
            case _:
                pass

    def _branches(self, bodies: list[list[ast.stmt]], scope: SeedScope, around: _Round) -> None:
        """Suites of which one is run."""
        found = []
        for body in bodies:
            inner = scope.inner()
            self._suite(body, inner, around)
            if not (body and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue))):
                found.append(inner)
        if found:
            names = {name for each in found for name in each.kinds}
            scope.kinds = {name: max(each.kinds.get(name, FREE) for each in found) for name in names}
            scope.numbers = set.intersection(*(each.numbers for each in found))

    def _loop(
        self, target: ast.expr, iterated: ast.expr, body: list[ast.stmt], scope: SeedScope, around: _Round
    ) -> None:
        kind = bind_loop(target, iterated, scope)
        inner = around.inside()
        if kind != FREE and not (kind == SET and holds_numbers(iterated, scope)):
            end = max((getattr(each, "end_lineno", 0) or 0 for each in body), default=0)
            inner = _Round(True, around.by_value, end, bounds=around.bounds)
            names = {each.target.id for each in _augmented(body) if isinstance(each.target, ast.Name)}
            inner.counters = {name: scope.kinds.get(name, FREE) for name in names}
        for _ in range(2):
            scope.kinds.update(dict.fromkeys(inner.counters, VARYING) if inner.in_order else {})
            self._branches([[], body], scope, inner)
        if inner.in_order and inner.counters is not around.counters:
            scope.kinds.update(inner.counters)
            left = {name for name in inner.last if self._last_read.get(name, 0) > inner.end}
            scope.kinds.update(dict.fromkeys(left, VARYING))
            if around.in_order:
                around.last.update(inner.last)

    def _store(self, target: ast.expr, value: ast.expr, scope: SeedScope, around: _Round) -> None:
        kind = VARYING if around.by_value else kind_of(value, scope)
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            is_paired = len(values) == len(target.elts)
            for place, each in enumerate(target.elts):
                if is_paired:
                    self._store(each, values[place], scope, around)
                elif isinstance(each, ast.Name):
                    scope.kinds[each.id] = VARYING if kind else FREE
            return
        is_last = around.in_order and not isinstance(value, ast.Constant)
        match target:
            case ast.Name(id=name) if self._own is None or name in self._own:
                scope.kinds[name] = kind
                scope.numbers.discard(name)
                if is_number(value, scope) or holds_numbers(value, scope):
                    scope.numbers.add(name)
                if is_last and name not in around.bounds and name not in around.counters:
                    around.last.add(name)
            case ast.Subscript(value=base, slice=key):
                is_varying = kind >= ORDERED or kind_of(key, scope) >= ORDERED or (is_last and _counts(base, value))
                self._fill(base, VARYING if is_varying else KEYED if around.in_order else FREE, scope)
            case _:
                self._told.keeps(target, VARYING if is_last else kind)

    def _add(self, target: ast.expr, op: ast.operator, value: ast.expr, scope: SeedScope, around: _Round) -> None:
        """`target += value`: what is added to a number may come in any order."""
        kind = VARYING if around.by_value else kind_of(value, scope)
        is_of_numbers = is_number(target, scope) or is_number(value, scope) or not isinstance(op, ast.Add)
        if kind in (SET, KEYED, ORDERED) and isinstance(op, ast.Add):
            kind = ORDERED
        elif around.in_order and kind != VARYING:
            is_list = isinstance(value, (ast.List, ast.Tuple, ast.ListComp, ast.Call))
            kind = FREE if is_of_numbers else ORDERED if is_list else VARYING
        if isinstance(target, ast.Name) and (self._own is None or target.id in self._own):
            if target.id in around.counters:
                around.counters[target.id] = max(kind, around.counters[target.id])
            else:
                scope.kinds[target.id] = max(kind, scope.kinds.get(target.id, FREE))
        elif isinstance(target, ast.Subscript):
            is_varying = kind >= ORDERED or kind_of(target.slice, scope) >= ORDERED
            self._fill(target.value, VARYING if is_varying else KEYED if around.in_order else FREE, scope)
        elif kind == VARYING or not isinstance(target, ast.Attribute) or _is_bare(value):
            self._told.keeps(target, kind)

    def _give(self, value: ast.expr, scope: SeedScope, around: _Round) -> None:
        is_one = around.in_order and not isinstance(value, ast.Constant)
        self._told.returns(VARYING if around.by_value or is_one else kind_of(value, scope), value)

    def _call(self, call: ast.Call, scope: SeedScope, around: _Round) -> None:
        most = max((kind_of(each, scope) for each in arguments_of(call)), default=FREE)
        is_varied = around.by_value or (around.in_order and not _is_constant(call))
        if scope.path(call.func) in _SENDING_FUNCTIONS and (most or is_varied):
            self._told.sends(call)
        match call.func:
            case ast.Attribute(value=base, attr=name):
                if name in _SENDING and (most >= ORDERED or is_varied or (name in _SPREADING and most)):
                    self._told.sends(call)
                self._fill(base, self._filling(name, base, call, most, scope, around), scope)
            case _:
                pass

    def _filling(
        self, name: str, base: ast.expr, call: ast.Call, most: SeedKind, scope: SeedScope, around: _Round
    ) -> SeedKind:
        """The kind of what a method puts into what has it, or of the order that it gives that."""
        if name == "sort":
            if isinstance(base, ast.Name) and scope.kinds.get(base.id) == ORDERED:
                scope.kinds[base.id] = FREE if keys_tell_apart(call) else VARYING
            return VARYING if sorts_by_hash(call, scope) else FREE
        if name in _ADDING:
            is_spread = name in _SPREADING and most <= ORDERED
            inside = (ORDERED if most else FREE) if is_spread else VARYING if most >= ORDERED else FREE
            return (
                VARYING
                if around.by_value
                else max(inside, ORDERED if around.in_order and not _is_constant(call) else FREE)
            )
        if name in _FILLING and kind_of(base, scope) != SET:
            is_counted = around.in_order and any(_counts(base, each) for each in call.args)
            if most >= ORDERED or around.by_value or is_counted:
                return VARYING
            return KEYED if around.in_order or most == KEYED else FREE
        return FREE

    def _fill(self, base: ast.expr, kind: SeedKind, scope: SeedScope) -> None:
        """Notes that something of a kind gets into what an expression names, or into a part of that."""
        if kind == FREE:
            return
        match base:
            case ast.Name(id=name) if self._own is None or name in self._own:
                scope.kinds[name] = max(kind, scope.kinds.get(name, FREE))
            case ast.Subscript(value=outer) | ast.Call(func=ast.Attribute(value=outer)):
                self._fill(outer, VARYING if kind >= ORDERED else kind, scope)
            case _:
                self._told.keeps(base, kind)


def _calls_of(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls in the expressions of a statement itself."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    for child in ast.iter_child_nodes(statement):
        parts = (
            [child.context_expr] if isinstance(child, ast.withitem) else [child] if isinstance(child, ast.expr) else []
        )
        yield from (each for part in parts for each in within(part) if isinstance(each, ast.Call))


def _is_constant(call: ast.Call) -> bool:
    return all(isinstance(each, ast.Constant) for each in call.args)


def _augmented(body: list[ast.stmt]) -> Iterator[ast.AugAssign]:
    return (each for statement in body for each in within(statement) if isinstance(each, ast.AugAssign))


def _bounds(test: ast.expr) -> Iterator[str]:
    """The variables with which a test compares what is greater or less."""
    for each in within(test):
        if isinstance(each, ast.Compare) and any(isinstance(op, _BOUNDS) for op in each.ops):
            yield from (name for side in (each.left, *each.comparators) for name in target_names(side))


def _counts(base: ast.expr, value: ast.expr) -> bool:
    """Whether a value is made of the length of what it is put into: a number in the order of filling."""
    asked = (each for each in within(value) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name))
    lengths = (each.args[0] for each in asked if each.func.id == "len" and each.args)  # type: ignore[attr-defined]
    return any(ast.dump(each) == ast.dump(base).replace("Store()", "Load()") for each in lengths)


def _is_bare(value: ast.expr) -> bool:
    return isinstance(value, (ast.Name, ast.JoinedStr, ast.List, ast.Tuple))
