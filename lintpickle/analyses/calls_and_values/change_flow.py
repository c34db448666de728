"""The flow of a function from a call that hands objects on to what changes them afterwards: on the way, a name may be
bound anew, or the function may wait for those who get the object."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import INNER_SCOPES, dotted

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Effect(Enum):
    """What a call does to an object of a name."""

    CHANGES = "changes it in place"
    SETS = "sets an attribute of it"
    BINDS = "may bind the name anew"
    SLEEPS = "waits for a while"
    WAITS = "waits for something that others do"


class HandedOn(Struct, frozen=True):
    """An object that a call hands on: by which name, where that is written, and to whom. `is_container` says that it is
    seen to be a list, an array or the like, which `+=` changes in place."""

    name: str
    place: ast.expr
    to: str
    is_container: bool = False


class Change(Struct, frozen=True):
    """A change of an object behind the call that hands it on. `is_slight` says that an attribute is set, and that the
    object is not handed on again after that; `is_late` that the function sleeps before; `is_next_run` that the change
    comes with the next run of the function."""

    handed: HandedOn
    node: ast.AST
    is_slight: bool = False
    is_late: bool = False
    is_next_run: bool = False


class _Way(Struct, frozen=True):
    """How far the function has come with an object that was handed on."""

    handed: HandedOn
    is_late: bool = False
    is_next_run: bool = False
    change: Change | None = None


_State = frozenset[_Way]
Effects = Callable[[ast.Call, HandedOn, bool], Effect | None]
"""What a call does to an object; the truth value says whether its result is dropped."""


class ChangeFlow:
    """Follows a function, statement by statement. `handing` are the objects that calls hand on."""

    def __init__(self, handing: Mapping[ast.Call, Sequence[HandedOn]], effects: Effects) -> None:
        self._handing = handing
        self._effects = effects
        self._found: dict[ast.expr, Change] = {}
        self._breaks: list[set[_Way]] = []
        self._continues: list[set[_Way]] = []
        self._returned: set[_Way] = set()

    def changes(self, body: Sequence[ast.stmt], again: str = "") -> Iterator[Change]:
        """The changes in the body of a function, one for each object that is handed on. What names that begin with
        `again` stand for outlives the function, which may be run again."""
        end = self._suite(body, frozenset())
        left = {replace(each, is_next_run=True) for each in (*(end or ()), *self._returned)}
        left = {each for each in left if again and each.handed.name.startswith(again)}
        if left:
            self._suite(body, frozenset(left))
        yield from self._found.values()

    def _suite(self, body: Sequence[ast.stmt], state: _State) -> _State | None:
        """What is left at the end of a suite; None if control does not get there."""
        for statement in body:
            following = self._statement(statement, state)
            if following is None:
                return None
            state = following
        return state

    def _statement(self, statement: ast.stmt, state: _State) -> _State | None:
        match statement:
            case ast.If(test=test, body=body, orelse=other):
                state = self._expression(test, state)
                return _joined(self._suite(body, state), self._suite(other, state))
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(statement, state)
            case ast.Try() | ast.With() | ast.AsyncWith() | ast.Match():
                return self._block(statement, state)
            case ast.Return() | ast.Raise():
                self._returned |= self._parts(statement, state)
                return None
            case ast.Break() | ast.Continue():
                ways = self._breaks if isinstance(statement, ast.Break) else self._continues
                if ways:
                    ways[-1].update(state)
                return None
            case ast.Expr(value=ast.Call() as call):
                return self._call(call, state, is_dropped=True)
            case ast.Assign(targets=targets, value=value):
                return self._bind(targets, self._expression(value, state))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._bind([target], self._expression(value, state))
            case ast.AugAssign(target=target, value=value):
                return self._augment(target, self._expression(value, state))
            case ast.Delete(targets=targets):
                return self._bind(targets, state)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                return _without(name, state)
            case _:
                return self._parts(statement, state)

    def _block(self, statement: ast.stmt, state: _State) -> _State | None:
        match statement:
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                tried = self._suite(body, state)
                caught = state | (tried or frozenset())
                ends = [self._suite(each.body, caught) for each in handlers]
                ends.append(self._suite(other, tried) if tried is not None else None)
                end: _State | None = None
                for each in ends:
                    end = _joined(end, each)
                if end is None:
                    self._suite(last, caught)
                    return None
                return self._suite(last, end)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                names: list[str] = []
                for item in items:
                    state = self._expression(item.context_expr, state)
                    if item.optional_vars is not None:
                        state = self._bind([item.optional_vars], state)
                        names.append(dotted(item.optional_vars))
                left = self._suite(body, state)
                # A pool, or an executor, that is left has done its work, or nobody does it any more.
                return frozenset(each for each in left if each.handed.to not in names) if left is not None else None
            case ast.Match(subject=subject, cases=cases):
                state = self._expression(subject, state)
                reached: _State | None = state
                for case in cases:
                    reached = _joined(reached, self._suite(case.body, state))
                return reached
            case _:
                return state

    def _loop(self, loop: ast.stmt, state: _State) -> _State | None:
        assert isinstance(loop, _LOOPS)
        head = loop.test if isinstance(loop, ast.While) else loop.iter
        ends: set[_Way] = set()
        entered = self._expression(head, state)
        for _ in range(2):
            self._breaks.append(set())
            self._continues.append(set())
            begin = entered if isinstance(loop, ast.While) else self._bind([loop.target], entered)
            end = self._suite(loop.body, begin)
            ends |= self._breaks.pop()
            entered |= (end or frozenset()) | self._continues.pop()
            if isinstance(loop, ast.While):
                entered = self._expression(head, entered)
        if isinstance(loop, ast.While) and isinstance(head, ast.Constant) and head.value:
            return frozenset(ends) if _has_break(loop) else None
        return _joined(self._suite(loop.orelse, entered), frozenset(ends))

    def _parts(self, node: ast.AST, state: _State) -> _State:
        for child in children(node):
            state = self._expression(child, state)
        return state

    def _expression(self, node: ast.AST, state: _State) -> _State:
        match node:
            case ast.Call():
                return self._call(node, state, is_dropped=False)
            case ast.NamedExpr(target=target, value=value):
                return self._bind([target], self._expression(value, state))
            case ast.Await() | ast.Yield() | ast.YieldFrom():
                self._parts(node, state)
                return frozenset()
            case ast.ListComp(generators=loops) | ast.SetComp(generators=loops) | ast.GeneratorExp(generators=loops):
                state = self._parts(node, state)
                return self._bind([each.target for each in loops], state)
            case _ if isinstance(node, INNER_SCOPES):
                return state
            case _:
                return self._parts(node, state)

    def _call(self, call: ast.Call, state: _State, is_dropped: bool) -> _State:
        state = self._parts(call, state)
        if call in self._handing:
            return self._handed_on(self._handing[call], state)
        found: set[_Way] = set()
        for way in state:
            match self._effects(call, way.handed, is_dropped):
                case Effect.WAITS | Effect.BINDS:
                    pass
                case Effect.SLEEPS:
                    found.add(replace(way, is_late=True))
                case Effect.CHANGES:
                    found.add(self._changed(way, call))
                case Effect.SETS:
                    found.add(self._changed(way, call, is_slight=True))
                case None:
                    found.add(way)
        return frozenset(found)

    def _handed_on(self, handed: Sequence[HandedOn], state: _State) -> _State:
        """What is handed on again is one object, so that what has been set of it counts."""
        names = {each.name for each in handed}
        for way in state:
            if way.change is not None and way.change.is_slight and way.handed.name in names:
                self._note(replace(way.change, is_slight=False))
        kept = {each for each in state if each.handed.name not in names or each.change is None}
        return frozenset(kept | {_Way(each) for each in handed})

    def _bind(self, targets: Sequence[ast.expr], state: _State) -> _State:
        for target in targets:
            match target:
                case ast.Tuple(elts=elements) | ast.List(elts=elements):
                    state = self._bind(elements, state)
                case ast.Starred(value=inner):
                    state = self._bind([inner], state)
                case ast.Subscript():
                    state = self._store(target, self._parts(target, state))
                case _:
                    state = self._store(target, _without(dotted(target), state))
        return state

    def _augment(self, target: ast.expr, state: _State) -> _State:
        name = dotted(target)
        if not isinstance(target, ast.Subscript) and any(each.handed.name == name for each in state):
            kept = {each for each in state if each.handed.name != name}
            changed = {each for each in state - kept if each.handed.is_container}
            return frozenset(kept | {self._changed(each, target) for each in changed})
        return self._bind([target], state)

    def _store(self, target: ast.expr, state: _State) -> _State:
        """A store in a part of an object: `row["x"] = …`, `packet.pixels = …`."""
        is_item, owner = False, target
        owners: set[str] = set()
        while isinstance(owner, ast.Subscript | ast.Attribute):
            is_item = is_item or isinstance(owner, ast.Subscript)
            owner = owner.value
            if not isinstance(owner, ast.Subscript):
                owners.add(dotted(owner))
        changed = {each for each in state if each.handed.name in owners}
        return frozenset((state - changed) | {self._changed(each, target, not is_item) for each in changed})

    def _changed(self, way: _Way, node: ast.AST, is_slight: bool = False) -> _Way:
        change = Change(way.handed, node, is_slight, way.is_late, way.is_next_run)
        self._note(change)
        return replace(way, change=change) if way.change is None or way.change.is_slight else way

    def _note(self, change: Change) -> None:
        """Keep the plainest change of each object."""
        known = self._found.get(change.handed.place)
        if known is None or _doubts(change) < _doubts(known):
            self._found[change.handed.place] = change


def _doubts(change: Change) -> int:
    return change.is_slight + change.is_late + change.is_next_run


def _joined(first: _State | None, second: _State | None) -> _State | None:
    if first is None or second is None:
        return second if first is None else first
    return first | second


def _without(name: str, state: _State) -> _State:
    """What is left when a name is bound anew."""
    if not name:
        return state
    return frozenset(each for each in state if each.handed.name != name and not each.handed.name.startswith(f"{name}."))


def _has_break(loop: ast.While) -> bool:
    waiting: list[ast.AST] = [*loop.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.stmt) and not isinstance(node, (*_LOOPS, *INNER_SCOPES)):
            waiting += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr)]
    return False
