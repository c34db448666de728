"""Ways through a loop that takes items out of a queue: which of them go on without having called `task_done()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from msgspec import Struct

from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.item_ways import (
    FAILS,
    FALLS,
    LEAVES,
    NOTHING,
    RETURNS,
    TAKEN,
    ItemWays,
    Way,
    holds,
    names_within,
    within_inner_scopes,
)

GETS = frozenset({"get", "get_nowait"})
DONE = "task_done"
_OTHER_USES = GETS | {DONE, "put", "put_nowait", "empty", "qsize", "full", "close", "join_thread", "cancel_join_thread"}
_WRITES = QUEUE_PUTS | {"full", "qsize", "close", "join_thread", "cancel_join_thread"}
_LOOPS = ast.While | ast.For


class UnmarkedWay(Struct, frozen=True):
    """A way on which an item is taken and not marked: what takes it, and where the way turns off. `sentinel` is what
    the item is compared with, if only such items go this way; `leaves` says that the loop is left."""

    taken: ast.expr | ast.FunctionDef
    turn: ast.stmt | ast.ExceptHandler | None
    sentinel: str | None
    leaves: bool


def unmarked_in(function: ast.FunctionDef, queue: str) -> list[UnmarkedWay]:
    """The ways through the loop of a function that takes items from `queue`, as it is written there, on which an item
    is not marked. None where the function uses the queue in any other way, or takes at several places."""
    found = _loop_of(function, queue)
    if found is None:
        return []
    taken, loop = found
    if any(_is_written(each, f"{queue}.{DONE}") and not holds(loop, each) for each in ast.walk(function)):
        return []
    return [*_Loop(taken, loop, frozenset({f"{queue}.{DONE}"}), frozenset({queue})).ways(function)]


def unsent_in(function: ast.FunctionDef, jobs: str, results: str) -> list[UnmarkedWay]:
    """The ways through the loop of a function that takes items from `jobs` on which it puts nothing into `results`, and
    does not end with a certain item."""
    found, marks = _loop_of(function, jobs), _puts_of(function, results)
    if found is None or not marks:
        return []
    taken, loop = found
    if any(ast.unparse(each) in marks and not holds(loop, each) for each in _attributes(function)):
        return []
    ways = _Loop(taken, loop, marks, frozenset({jobs, results})).ways(function)
    return [each for each in ways if each.sentinel is None]


def unsent_by(function: ast.FunctionDef, results: str) -> list[UnmarkedWay]:
    """The ways through a function on which it puts nothing into `results`: behind an error that it catches, or by a
    `return` that stands under a condition."""
    marks = _puts_of(function, results)
    names = {each.arg for each in function.args.args} - {results.partition(".")[0]}
    ways = ItemWays(None, names, marks, frozenset({results}))
    ways.learn(function)
    found = ways.through(function.body, Way(FALLS, TAKEN)) if marks else []
    if ways.marks_twice:
        return []
    lost = [each for each in found if each.item == TAKEN and each.end != FAILS and each.sentinel is None]
    return [
        UnmarkedWay(function, each.turn, None, leaves=True)
        for each in lost
        if each.turn is not None and (each.is_caught or each.end == RETURNS)
    ]


def _puts_of(function: ast.FunctionDef, queue: str) -> frozenset[str]:
    """How a function puts things into a queue; nothing if it does anything else with that."""
    used = [each for each in _attributes(function) if _is_written(each.value, queue)]
    if {each.attr for each in used} - _WRITES or not _is_used_by_methods(function, queue):
        return frozenset()
    return frozenset(ast.unparse(each) for each in used if each.attr in QUEUE_PUTS)


def _loop_of(function: ast.FunctionDef, queue: str) -> tuple[ast.Attribute, ast.While | ast.For] | None:
    """The one place where a function takes an item, and the loop around it."""
    methods = [each for each in _attributes(function) if _is_written(each.value, queue)]
    taking = [each for each in methods if each.attr in GETS]
    if len(taking) != 1 or {each.attr for each in methods} - _OTHER_USES:
        return None
    loops = [each for each in ast.walk(function) if isinstance(each, _LOOPS) and holds(each, taking[0])]
    called = _called(function)
    if not loops or any(id(each) not in called for each in methods if each is not taking[0]):
        return None
    return (
        (taking[0], loops[-1]) if _is_used_by_methods(function, queue) else None
    )  # `ast.walk` gives outer ones first.


def _is_used_by_methods(function: ast.FunctionDef, queue: str) -> bool:
    """Whether a function only calls methods of a queue, and does so itself."""
    uses = [each for each in ast.walk(function) if _is_written(each, queue)]
    bases = {id(each.value) for each in _attributes(function)}
    inner = within_inner_scopes(function)
    return all(id(each) in bases and id(each) not in inner and not isinstance(each.ctx, ast.Store) for each in uses)


def _attributes(function: ast.FunctionDef) -> list[ast.Attribute]:
    return [each for each in ast.walk(function) if isinstance(each, ast.Attribute)]


def _called(function: ast.FunctionDef) -> set[int]:
    return {id(each.func) for each in ast.walk(function) if isinstance(each, ast.Call)}


class _Loop:
    """A loop that takes an item each time."""

    def __init__(
        self, taken: ast.Attribute, loop: ast.While | ast.For, marks: frozenset[str], ours: frozenset[str]
    ) -> None:
        self._taken, self._loop = taken, loop
        self._ways = ItemWays(taken, {*_targets_of(taken, loop)}, marks, ours)
        self._ways.learn(loop)

    def ways(self, function: ast.FunctionDef) -> Iterator[UnmarkedWay]:
        """The ways on which an item is not marked. Of what is not called, it is said by `iter(queue.get, None)`."""
        loop, is_called = self._loop, id(self._taken) in _called(function)
        sentinel: str | None = None
        start = NOTHING
        match loop:
            case ast.For(iter=ast.Call(func=ast.Name(id="iter"), args=[first, last])) if first is self._taken:
                start, sentinel = TAKEN, ast.unparse(last)
            case ast.While(test=test) if is_called and holds(test, self._taken):
                start, sentinel = TAKEN, self._ways.sentinel_of(test)[1]
            case _ if is_called and any(holds(each, self._taken) for each in loop.body):
                pass
            case _:
                return
        if sentinel is not None:
            yield UnmarkedWay(self._taken, None, sentinel, leaves=True)
        for way in self._ways.through(loop.body, Way(FALLS, start)):
            if way.item == TAKEN and way.end != FAILS:
                leaves = way.end in (LEAVES, RETURNS)
                sentinel = None if self._is_skipped(way) else way.sentinel
                if not leaves or way.is_caught or sentinel is not None:
                    yield UnmarkedWay(self._taken, way.turn, sentinel, leaves)

    def _is_skipped(self, way: Way) -> bool:
        """Whether an item is only skipped: a `continue` where it is a certain text or number."""
        if not isinstance(way.turn, ast.Continue) or way.sentinel is None:
            return False
        is_endless = isinstance(self._loop, ast.For) or isinstance(self._loop.test, ast.Constant)
        literal = ast.parse(way.sentinel, mode="eval").body
        return is_endless and isinstance(literal, ast.Constant) and bool(literal.value)


def _targets_of(taken: ast.Attribute, loop: ast.While | ast.For) -> Iterator[str]:
    """The names that what is taken gets."""
    for each in ast.walk(loop):
        match each:
            case ast.Assign(targets=targets, value=value) if holds(value, taken):
                yield from (node.id for target in targets for node in names_within(target))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                if holds(value, taken):
                    yield from (node.id for node in names_within(target))
            case ast.For(target=target, iter=iterated) if holds(iterated, taken):
                yield from (node.id for node in names_within(target))
            case _:
                pass


def _is_written(node: ast.AST, queue: str) -> TypeGuard[ast.Name | ast.Attribute]:
    return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == queue
