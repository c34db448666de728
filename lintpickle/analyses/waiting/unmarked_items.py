"""Queues whose `join()` waits for ever, since a worker takes items of which it does not say that they are done.

Measured with CPython 3.11, under fork, spawn and forkserver, for a `JoinableQueue` and for the queues of a manager:
`join()` waits for each item that was put before, so for one that a `continue` or a caught error leaves unmarked, and
for a sentinel that the worker takes and does not mark. It does not wait for a sentinel that is put after it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.main_state.main_setters import modules_of_program
from lintpickle.analyses.waiting.followed_queues import definition_around, name_of_queue, users_of_queue
from lintpickle.analyses.waiting.items_taken import DONE, GETS, unmarked_in
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call, ending_name
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult, Frame, ProductValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_QUEUE = "JoinableQueue"
_OF_MANAGERS, _PROXY = frozenset({"Queue", _QUEUE}), "multiprocessing.managers.BaseProxy"


class UnmarkedItem(Struct, frozen=True):
    """Where a function of a worker goes on, or `leaves` its loop, without having marked an item of a queue, as that is
    called there; where the queue is made, and where it is joined. `sentinel` is the item, if it is always the same."""

    function: WorkerFunction
    site: Site
    queue: str
    sentinel: str | None
    leaves: bool
    made: Site
    join: Site


def unmarked_items(code: WorkerCode, linker: Linker) -> Iterator[UnmarkedItem]:
    """The items that the workers of a process take from a queue and do not mark, where the program joins the queue. One
    for each queue, and none where something else may mark them."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process":
        return
    told = set[int]()
    for crossing in linker.shipped_by(boundary):
        made = _made(crossing.value)
        if made is None or id(made[0]) in told:
            continue
        joins = _joins(*made)
        for function, queue in users_of_queue(crossing.path, made[0], GETS, code, linker) if joins else ():
            found = _unmarked(function, queue, joins, Site(made[1].module, made[0].span))
            if found is not None and not _is_marked_elsewhere(function, code, linker):
                told.add(id(made[0]))
                yield found
                break


def _made(value: AbstractValue) -> tuple[Call, Frame] | None:
    """The call that makes a queue which can be joined, and where that stands."""
    match value:
        case ProductValue(call=Call() as call, frame=Frame() as home):
            is_queue = ending_name(call.function) == _QUEUE or value.path.endswith(_QUEUE)
        case ExternalResult(path=path, call=Call() as call, frame=Frame() as home) if path == _PROXY:
            is_queue = ending_name(call.function) in _OF_MANAGERS
        case _:
            return None
    return (call, home) if is_queue and home.module.first_party else None


class _Join(Struct, frozen=True):
    """Where a queue is joined, and what the function has put into it before, as it is written."""

    site: Site
    put_before: frozenset[str]


def _joins(queue: Call, home: Frame) -> list[_Join]:
    """Where the code that makes a queue joins it: by its name in the function or module, by its attribute anywhere in
    the module."""
    source = source_tree(home.module.code)
    name = name_of_queue(queue, source) if source is not None else None
    if source is None or name is None:
        return []
    is_attribute = "." in name
    span = Span(0, len(source.text)) if is_attribute or home.function.is_module_body else home.function.span
    found = list[_Join]()
    calls = [each for each in source.nodes_within(span) if isinstance(each, ast.Call) and _called(each) is not None]
    for each in calls:
        written, method = _called(each) or ("", "")
        if method == "join" and not each.args and _is_same(written, name):
            function = definition_around(each, source)
            before = [
                other
                for other in calls
                if _called(other) == (written, "put") and source.span(other).end <= source.span(each).start
            ]
            put = {
                text for other in before if definition_around(other, source) is function for text in _arguments(other)
            }
            found.append(_Join(Site(home.module, source.span(each)), frozenset(put)))
    return found


def _is_same(written: str, name: str) -> bool:
    """Whether a queue is written so that has a name: an attribute may be one of another name for the object."""
    return written == name or ("." in name and "." in written and written.rpartition(".")[2] == name.rpartition(".")[2])


def _called(call: ast.Call) -> tuple[str, str] | None:
    """What a method is called of, as it is written, and the method."""
    match call.func:
        case ast.Attribute(value=ast.Name() | ast.Attribute() as base, attr=name):
            return ast.unparse(base), name
        case _:
            return None


def _arguments(call: ast.Call) -> Iterator[str]:
    for each in call.args[:1]:
        yield ast.unparse(each)
        if isinstance(each, ast.Call):
            yield ast.unparse(each.func)


def _unmarked(function: WorkerFunction, queue: str, joins: list[_Join], made: Site) -> UnmarkedItem | None:
    """The first way on which a function does not mark an item that the program waits for."""
    found = node_of(function.module, function.facts)
    if found is None:
        return None
    source, node = found
    for each in unmarked_in(node, queue):
        for join in joins:
            if each.sentinel is None or each.sentinel in join.put_before:
                place = source.span(each.turn if each.turn is not None else each.taken)
                if isinstance(each.turn, ast.ExceptHandler):
                    place = Span(place.start, source.span(each.turn.type or each.turn.body[0]).end)
                site = Site(function.module, place)
                return UnmarkedItem(function, site, queue, each.sentinel, each.leaves, made, join.site)
    return None


def _is_marked_elsewhere(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether another function of the program may mark the items: one that marks what it has not taken itself."""
    there = modules_of_program(code, linker)
    for module in linker.modules:
        source = source_tree(module.code) if module.path in there and DONE in module.code else None
        for node in source.nodes if source is not None else ():
            match node:
                case ast.Attribute(attr=name) if name == DONE:
                    pass
                case ast.Constant(value=value) if value == DONE:
                    return True
                case _:
                    continue
            assert source is not None and isinstance(node, ast.Attribute)
            owner = definition_around(node, source)
            if owner is None or not _takes_itself(owner, ast.unparse(node.value)):
                return True
    return False


def _takes_itself(function: ast.AST, queue: str) -> bool:
    return any(
        isinstance(each, ast.Attribute) and each.attr in GETS and ast.unparse(each.value) == queue
        for each in ast.walk(function)
    )
