"""Ways through a function on which it does not come to a barrier, though others like it do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import UnionType
from typing import TypeVar

from msgspec import Struct

from lintpickle.analyses.waiting.barrier_loops import turns_out_of_loops
from lintpickle.analyses.waiting.item_ways import (
    FAILS,
    FALLS,
    RETURNS,
    TAKEN,
    ItemWays,
    Way,
    holds,
    names_within,
    within_inner_scopes,
)

_Node = TypeVar("_Node", bound=ast.AST)
_HARMLESS = frozenset({"wait", "parties", "n_waiting", "broken"})


class MissingWay(Struct, frozen=True):
    """Where a way turns off that does not come to a barrier, and whether it returns there."""

    turn: ast.stmt | ast.ExceptHandler
    returns: bool

    @property
    def what_happens(self) -> str:
        """What the function does there, in words."""
        match self.turn:
            case ast.Break():
                return "leaves the loop here"
            case ast.Continue():
                return "goes on with the next round here"
            case _:
                return "returns here" if self.returns else "may end behind this"


def ways_past(
    function: ast.FunctionDef, marks: frozenset[str], own: set[str], barrier: str, shared: set[str]
) -> Iterator[MissingWay]:
    """The ways through a function that end well and call none of `marks`, for a reason of its own: by a condition, or
    by an error, that depends on the parameters `own`; and those that leave a loop in which others go on to wait, where
    nothing that is `shared` says so. None where the function does anything else with the barrier but
    to wait there for as long as it takes."""
    if not own or not _only_waits(function, marks, barrier):
        return
    ways = ItemWays(
        None, _made_of(own, function), marks, frozenset({barrier, *(each.rpartition(".")[0] for each in marks)})
    )
    for way in ways.through(function.body, Way(FALLS, TAKEN)):
        if way.item != TAKEN or way.end == FAILS:
            continue
        match way.turn:
            case ast.ExceptHandler() as handler if way.is_caught:
                tried = next(each for each in _within(function, ast.Try) if handler in each.handlers)
                if any(map(ways.is_of_item, tried.body)):
                    yield MissingWay(handler, False)
            case ast.Return() as turn if way.end == RETURNS:
                if any(ways.is_of_item(each.test) and holds(each, turn) for each in _within(function, ast.If)):
                    yield MissingWay(turn, True)
            case None:
                for each in _within(function, ast.If):
                    if ways.is_of_item(each.test) and _marked(each, marks):
                        yield MissingWay(each, False)
                        break
            case _:
                pass
    for left in turns_out_of_loops(function, marks, own, shared):
        yield MissingWay(left, isinstance(left, ast.Return))


def _made_of(own: set[str], function: ast.FunctionDef) -> set[str]:
    """Names, and those of variables that are made of them."""
    names, count = set(own), 0
    while len(names) > count:
        count = len(names)
        for each in _within(function, ast.Assign | ast.For | ast.NamedExpr):
            value = each.iter if isinstance(each, ast.For) else each.value
            if any(name.id in names for name in names_within(value)):
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                names |= {name.id for target in targets for name in names_within(target)} - {"self"}
    return names


def _only_waits(function: ast.FunctionDef, marks: frozenset[str], barrier: str) -> bool:
    """Whether a function only waits at a barrier, itself, and without a time."""
    inner = within_inner_scopes(function)
    attributes = [each for each in ast.walk(function) if isinstance(each, ast.Attribute)]
    bases = {id(each.value): each.attr for each in attributes}
    for node in ast.walk(function):
        is_used = isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == barrier
        if is_used and (bases.get(id(node)) not in _HARMLESS or id(node) in inner):
            return False
    called = {id(each.func): each for each in ast.walk(function) if isinstance(each, ast.Call)}
    waits = [each for each in attributes if ast.unparse(each) == f"{barrier}.wait"]
    marked = [each for each in attributes if ast.unparse(each) in marks]
    return bool(marked) and all(id(each) in called and not _has_arguments(called[id(each)]) for each in waits)


def _has_arguments(call: ast.Call) -> bool:
    return bool(call.args or call.keywords)


def _marked(node: ast.AST, marks: frozenset[str]) -> bool:
    return any(isinstance(each, ast.Attribute) and ast.unparse(each) in marks for each in ast.walk(node))


def _within(function: ast.FunctionDef, kind: type[_Node] | UnionType) -> Iterator[_Node]:
    return (each for each in ast.walk(function) if isinstance(each, kind))
