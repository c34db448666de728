"""Ways through a loop that takes items out of a queue: which of them go on without having called `task_done()`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

GETS = frozenset({"get", "get_nowait"})
DONE = "task_done"
_OTHER_USES = GETS | {DONE, "put", "put_nowait", "empty", "qsize", "full", "close", "join_thread", "cancel_join_thread"}
_NOTHING, _TAKEN, _MARKED = "nothing", "taken", "marked"
_GOES_ON, _FALLS, _LEAVES, _RETURNS, _FAILS = "goes on", "falls", "leaves", "returns", "fails"
_EMPTY, _ALL = "Empty", frozenset({"Exception", "BaseException"})
_ENDINGS = frozenset({"KeyboardInterrupt", "SystemExit", "EOFError", "BrokenPipeError", "GeneratorExit"})
"""Errors with which the whole program ends."""
_LOOPS = ast.While | ast.For
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


class UnmarkedWay(Struct, frozen=True):
    """A way on which an item is taken and not marked: the call that takes it, and where the way turns off. `sentinel`
    is what the item is compared with, if only such items go this way; `leaves` says that the loop is left."""

    taken: ast.expr
    turn: ast.stmt | ast.ExceptHandler | None
    sentinel: str | None
    leaves: bool


class _Way(Struct, frozen=True):
    """A way through statements: how it ends, what has become of the item, and where it has turned off."""

    end: str
    item: str
    turn: ast.stmt | ast.ExceptHandler | None = None
    sentinel: str | None = None
    is_caught: bool = False


def unmarked_in(function: ast.FunctionDef, queue: str) -> list[UnmarkedWay]:
    """The ways through the loop of a function that takes items from `queue`, as it is written there, on which an item
    is not marked. None where the function uses the queue in any other way, or takes at several places."""
    uses = [each for each in ast.walk(function) if _is_written(each, queue)]
    methods = [
        each for each in ast.walk(function) if isinstance(each, ast.Attribute) and _is_written(each.value, queue)
    ]
    taking = [each for each in methods if each.attr in GETS]
    stored = sum(isinstance(getattr(each, "ctx", None), ast.Store) for each in uses)
    nested = [each for each in ast.walk(function) if isinstance(each, _DEFINITIONS) and each is not function]
    if len(taking) != 1 or stored or len(uses) != len(methods) or {each.attr for each in methods} - _OTHER_USES:
        return []
    if any(_is_written(each, queue) for inner in nested for each in ast.walk(inner)):
        return []
    loops = [each for each in ast.walk(function) if isinstance(each, _LOOPS) and _holds(each, taking[0])]
    called = {id(each.func) for each in ast.walk(function) if isinstance(each, ast.Call)}
    if not loops or any(id(each) not in called for each in methods if each is not taking[0]):
        return []
    loop = loops[-1]  # `ast.walk` gives outer ones first.
    outside = [each for each in methods if each.attr == DONE and not _holds(loop, each)]
    return [] if outside else [*_Reader(queue, taking[0], loop).unmarked(id(taking[0]) in called)]


class _Reader:
    """Reads the body of a loop, once for each thing that may have become of the item."""

    def __init__(self, queue: str, taken: ast.Attribute, loop: ast.While | ast.For) -> None:
        self._queue, self._taken, self._loop = queue, taken, loop
        self._names = {*_targets_of(taken, loop)}
        for each in ast.walk(loop):
            if isinstance(each, ast.Assign) and self._is_of_item(each.value) and not _calls(each.value):
                self._names.update(node.id for target in each.targets for node in _names_in(target))

    def unmarked(self, is_called: bool) -> Iterator[UnmarkedWay]:
        """The ways on which an item is not marked. Of what is not called, it is said by `iter(queue.get, None)`."""
        loop = self._loop
        sentinel: str | None = None
        start = _NOTHING
        match loop:
            case ast.For(iter=ast.Call(func=ast.Name(id="iter"), args=[first, last])) if first is self._taken:
                start, sentinel = _TAKEN, ast.unparse(last)
            case ast.While(test=test) if is_called and _holds(test, self._taken):
                start, sentinel = _TAKEN, self._sentinel(test)[1]
            case _ if is_called and any(_holds(each, self._taken) for each in loop.body):
                pass
            case _:
                return
        if sentinel is not None:
            yield UnmarkedWay(self._taken, None, sentinel, leaves=True)
        for way in self._through(loop.body, _Way(_FALLS, start)):
            if way.item == _TAKEN and way.end != _FAILS:
                leaves = way.end in (_LEAVES, _RETURNS)
                sentinel = None if self._is_skipped(way) else way.sentinel
                if not leaves or way.is_caught or sentinel is not None:
                    yield UnmarkedWay(self._taken, way.turn, sentinel, leaves)

    def _is_skipped(self, way: _Way) -> bool:
        """Whether an item is only skipped: a `continue` where it is a certain text or number."""
        if not isinstance(way.turn, ast.Continue) or way.sentinel is None:
            return False
        is_endless = isinstance(self._loop, ast.For) or isinstance(self._loop.test, ast.Constant)
        literal = ast.parse(way.sentinel, mode="eval").body
        return is_endless and isinstance(literal, ast.Constant) and bool(literal.value)

    def _through(self, body: list[ast.stmt], start: _Way) -> list[_Way]:
        """All ways through some statements; those that are no different are one."""
        ways, ended = [start], list[_Way]()
        for statement in body:
            found = [after for way in ways for after in self._step(statement, way)]
            ended += [each for each in found if each.end != _FALLS]
            ways = _distinct(each for each in found if each.end == _FALLS)
        return _distinct([*ended, *ways])

    def _step(self, node: ast.stmt, way: _Way) -> list[_Way]:
        match node:
            case ast.Continue():
                return [replace(way, end=_GOES_ON, turn=way.turn or node)]
            case ast.Break():
                return [replace(way, end=_LEAVES, turn=way.turn or node)]
            case ast.Return():
                return [replace(way, end=_RETURNS, turn=way.turn or node)]
            case ast.Raise():
                return [replace(way, end=_FAILS)]
            case ast.If():
                return self._if(node, way)
            case ast.Try():
                return self._try(node, way)
            case ast.With():
                return [*self._expressions(node.items, way), *self._through(node.body, way)]
            case ast.While() | ast.For():
                return [*self._inner_loop(node, way)]
            case ast.Match() | ast.AsyncFor() | ast.AsyncWith():
                return [replace(way, item=_MARKED)]  # Not understood: nothing is said of these.
            case _ if type(node).__name__ == "TryStar":
                return [replace(way, item=_MARKED)]
            case _:
                return [*self._expressions([node], way), self._after(node, way)]

    def _expressions(self, nodes: Iterable[ast.AST], way: _Way) -> list[_Way]:
        """The way that ends here with an error, if anything is called that is not of the queue."""
        calls = (each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Call))
        is_ours = (isinstance(each.func, ast.Attribute) and _is_written(each.func.value, self._queue) for each in calls)
        return [replace(way, end=_FAILS)] if not all(is_ours) else []

    def _after(self, node: ast.AST, way: _Way) -> _Way:
        if _holds(node, self._taken):
            return replace(way, item=_TAKEN)
        is_marked = any(
            isinstance(each, ast.Attribute) and each.attr == DONE and _is_written(each.value, self._queue)
            for each in ast.walk(node)
        )
        return replace(way, item=_MARKED) if is_marked and way.item == _TAKEN else way

    def _if(self, node: ast.If, way: _Way) -> list[_Way]:
        failed = self._expressions([node.test], way)
        way = self._after(node.test, way)
        is_if_true, sentinel = self._sentinel(node.test)
        special = replace(way, sentinel=sentinel) if way.item == _TAKEN and sentinel is not None else way
        first = self._through(node.body, special if is_if_true else way)
        second = self._through(node.orelse, way if is_if_true else special)
        found = [*first, *second]
        is_marked = any(each.end == _FALLS and each.item == _MARKED for each in found)
        if is_marked and not self._is_of_item(node.test):
            found = [each for each in found if each.end != _FALLS or each.item != _TAKEN]
        return [*failed, *found]

    def _try(self, node: ast.Try, way: _Way) -> list[_Way]:
        tried = self._through(node.body, way)
        failed = [each for each in tried if each.end == _FAILS]
        found = [each for each in tried if each.end not in (_FAILS, _FALLS)]
        found += [after for each in tried if each.end == _FALLS for after in self._through(node.orelse, each)]
        for handler in node.handlers:
            named = _names_of(handler)
            caught = [] if named & _ENDINGS else failed
            if named and all(each.rpartition(".")[2] == _EMPTY for each in named):
                caught = [replace(way, item=_NOTHING)]
            for each in caught:
                turned = replace(each, end=_FALLS, turn=handler, is_caught=True)
                found += self._through(handler.body, turned)
        if not any(not _names_of(each) or _names_of(each) & _ALL for each in node.handlers):
            found += failed
        return [
            after if after.end != _FALLS else replace(after, end=each.end)
            for each in found
            for after in self._through(node.finalbody, replace(each, end=_FALLS))
        ]

    def _inner_loop(self, node: ast.While | ast.For, way: _Way) -> Iterator[_Way]:
        yield from self._expressions([node.test if isinstance(node, ast.While) else node.iter], way)
        found = self._through(node.body, way)
        is_marked = any(each.item == _MARKED for each in found)
        yield replace(way, item=_MARKED) if is_marked else way
        yield from (each for each in found if each.end in (_FAILS, _RETURNS))

    def _sentinel(self, test: ast.expr) -> tuple[bool, str | None]:
        """With what an item is compared, and whether it is that where the test holds."""
        match test:
            case ast.Compare(
                left=left, ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as how], comparators=[right]
            ):
                is_same = isinstance(how, ast.Is | ast.Eq)
                for item, other in ((left, right), (right, left)):
                    if self._is_of_item(item) and not self._is_of_item(other):
                        return is_same, ast.unparse(other)
                return True, None
            case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)) if name in self._names:
                return True, "None"
            case ast.Name(id=name) if name in self._names:
                return False, "None"
            case ast.BoolOp(op=ast.Or(), values=values):
                found = [self._sentinel(each) for each in values]
                return next((each for each in found if each == (True, each[1]) and each[1] is not None), (True, None))
            case ast.Call(func=ast.Name(id="isinstance"), args=[item, class_]) if self._is_of_item(item):
                return True, ast.unparse(class_)
            case _:
                return True, None

    def _is_of_item(self, node: ast.AST) -> bool:
        return _holds(node, self._taken) or any(each.id in self._names for each in _names_in(node))


def _targets_of(taken: ast.Attribute, loop: ast.While | ast.For) -> Iterator[str]:
    """The names that what is taken gets."""
    for each in ast.walk(loop):
        match each:
            case ast.Assign(targets=targets, value=value) if _holds(value, taken):
                yield from (node.id for target in targets for node in _names_in(target))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                if _holds(value, taken):
                    yield from (node.id for node in _names_in(target))
            case ast.For(target=target, iter=iterated) if _holds(iterated, taken):
                yield from (node.id for node in _names_in(target))
            case _:
                pass


def _names_in(node: ast.AST) -> Iterator[ast.Name]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Name))


def _names_of(handler: ast.ExceptHandler) -> set[str]:
    """The names of the errors that a handler catches; none if it catches all."""
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(each) for each in named if each is not None}


def _calls(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def _is_written(node: ast.AST, queue: str) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == queue


def _holds(node: ast.AST, inner: ast.AST) -> bool:
    return any(each is inner for each in ast.walk(node))


def _distinct(ways: Iterable[_Way]) -> list[_Way]:
    return [*{(each.end, each.item, id(each.turn), each.sentinel, each.is_caught): each for each in ways}.values()]
