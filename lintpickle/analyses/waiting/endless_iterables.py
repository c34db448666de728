"""Iterables that never come to an end: `itertools.count()`, and generators of the program that loop for ever.

Measured with CPython 3.11: `Pool.map`, `Pool.starmap`, `map_async`, `starmap_async` and `Executor.map` take all items
before they give a result, or return at all; `imap` and `imap_unordered` give results meanwhile."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from msgspec import Struct

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import Product
from lintpickle.control_flow.steps import EXITS
from lintpickle.facts.records import Iterated
from lintpickle.facts.values import Call, Collection, Constant, Expr, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    Frame,
    GeneratorValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.limits import RECURSION
from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import INNER_SCOPES, dotted, last_name
from lintpickle.payload.linker import Linker

_DRAINING = frozenset(
    {f"mp-pool.{name}" for name in ("map", "starmap", "map_async", "starmap_async")} | {"process-executor.map"}
)
_OF_EXECUTOR, _OF_POOL = "iterables[", "iterable"
_BUFFERED = "buffersize"
"""With that argument, `Executor.map` of Python 3.14 takes only so many items ahead."""
_ENDLESS = "endless-iterator"
_LONGEST = {
    **dict.fromkeys(("enumerate", "accumulate", "pairwise", "batched"), slice(0, 1)),
    **dict.fromkeys(("filter", "filterfalse", "starmap", "dropwhile"), slice(1, 2)),
    "map": slice(1, None),
    "zip": slice(0, None),
}
"""What gives as many items as what it gets: which of its arguments it iterates."""
_MAY_FAIL = frozenset(
    {"next", "input", "pop", "popleft", "popitem", "recv", "recv_bytes", "send", "throw", "close", "exit", "fail"}
)
"""What raises an error where there is nothing more: it ends a loop that says nothing of an end."""
_INNER = (*INNER_SCOPES, ast.GeneratorExp)
_LEAVING = (ast.Return, ast.Raise, ast.Assert)


class EndlessIterable(Struct, frozen=True):
    """An iterable that never ends, in words, and what it loops over or by."""

    said: str
    site: Site


def drained_endless(call: BoundaryCall, linker: Linker) -> EndlessIterable | None:
    """The iterable of a call that takes all items of its iterables at once, if none of these ever ends."""
    if call.spec.path not in _DRAINING or not call.is_stock or call.open or _BUFFERED in call.arguments:
        return None
    names = [name for name in call.arguments if name == _OF_POOL or name.startswith(_OF_EXECUTOR)]
    found = [_endless_of(call.value(name, linker.evaluator), linker, 0) for name in names]
    return _all(found)


def _all(found: Sequence[EndlessIterable | None]) -> EndlessIterable | None:
    """The first of several, if each never ends: together, iterables end with the shortest."""
    return found[0] if found and None not in found else None


def _endless_of(values: Iterable[TracedValue], linker: Linker, depth: int) -> EndlessIterable | None:
    return _all([_endless(each.value, each.site, linker, depth) for each in values])


def _endless(value: AbstractValue, site: Site, linker: Linker, depth: int) -> EndlessIterable | None:
    if depth > RECURSION.most:
        return None
    match value:
        case GeneratorValue(expression=False, frame=Frame() as frame, kind="generator"):
            return _of_function(frame, linker, depth)
        case GeneratorValue(expression=True, frame=Frame() as frame):
            return _of_expression(site, frame, linker, depth)
        case ProductValue(product=Product(kind=kind), path=path, call=Call() as call) if kind == _ENDLESS:
            return EndlessIterable(f"`{path}()`", site) if _is_without_end(path.rpartition(".")[2], call) else None
        case ContainerValue(made_by=name, call=Call() as call) if _is_without_end(name, call):
            return EndlessIterable(f"`{name}()`", site)
        case ContainerValue(made_by=name, slots=slots) if name in _LONGEST:
            iterated = slots[_LONGEST[name]]
            return _all([_endless_of(linker.evaluate(each.value, each.frame), linker, depth + 1) for each in iterated])
        case _:
            return None


def _of_expression(site: Site, frame: Frame, linker: Linker, depth: int) -> EndlessIterable | None:
    """What a generator expression gives, if the only thing that it iterates never ends."""
    events = (each for each in frame.function.events if isinstance(each, Iterated))
    iterated = [each.iterable for each in events if site.contains(Site(frame.module, each.span))]
    return _endless_of(linker.evaluate(iterated[0], frame), linker, depth + 1) if len(iterated) == 1 else None


def _is_without_end(name: str, call: Call) -> bool:
    given = call.positional()
    if given is None or call.has_unknown_arguments():
        return False
    match name:
        case "count":
            return True
        case "repeat":
            return len(given) == 1 and call.keyword("times") is None
        case "cycle":
            return len(given) == 1 and not _is_empty(without_narrowing(given[0]))
        case _:
            return False


def _is_empty(value: Expr) -> bool:
    match value:
        case Collection(elements=elements):
            return not elements
        case Constant(value=text):
            return not text
        case _:
            return False


def _of_function(frame: Frame, linker: Linker, depth: int) -> EndlessIterable | None:
    """The loop of a generator function that nothing ends."""
    facts, source = frame.function, source_tree(frame.module.code)
    node = source.find_function(facts.span, facts.name) if source is not None and not facts.decorators else None
    if node is None or source is None or any(_may_leave(each) for each in _own_nodes(node.body)):
        return None
    for loop in _surely_reached(node.body):
        inside = list(_own_nodes(loop.body))
        if _has_break(loop.body) or not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inside):
            continue
        if isinstance(loop, ast.While):
            is_endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
        else:
            is_endless = _of_iteration(loop.iter, source, frame, linker, depth) is not None
        if is_endless:
            return EndlessIterable(f"`{facts.name}()`, which loops for ever", Site(frame.module, source.span(loop)))
    return None


def _of_iteration(
    iterated: ast.expr, source: SourceTree, frame: Frame, linker: Linker, depth: int
) -> EndlessIterable | None:
    place = source.span(iterated)
    events = (each for each in frame.function.events if isinstance(each, Iterated))
    iterable = next((each.iterable for each in events if each.iterable.span == place), None)
    return _endless_of(linker.evaluate(iterable, frame), linker, depth + 1) if iterable is not None else None


def _surely_reached(body: list[ast.stmt]) -> Iterable[ast.While | ast.For]:
    """The loops that a function gets to on every way, and whose errors it does not catch."""
    for statement in body:
        match statement:
            case ast.While() | ast.For():
                yield statement
            case ast.With(body=inner) | ast.Try(body=inner, handlers=[]):
                yield from _surely_reached(inner)
            case _:
                pass


def _may_leave(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=called, keywords=keywords):
            name = last_name(called)
            is_timed = any(each.arg in ("timeout", "block") for each in keywords)
            return is_timed or name in _MAY_FAIL or name.endswith("_nowait") or dotted(called) in EXITS
        case _:
            return isinstance(node, _LEAVING)


def _own_nodes(body: list[ast.stmt]) -> Iterable[ast.AST]:
    """The nodes of statements, without those of functions and classes in them."""
    waiting: list[ast.AST] = [*body]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, _INNER):
            yield node
            waiting += children(node)


def _has_break(body: list[ast.stmt]) -> bool:
    """Whether a `break` of statements leaves the loop around them."""
    waiting: list[ast.AST] = [*body]
    while waiting:
        match waiting.pop():
            case ast.Break():
                return True
            case ast.For(orelse=behind) | ast.While(orelse=behind):
                waiting += behind
            case node if not isinstance(node, (*_INNER, ast.expr)):
                waiting += ast.iter_child_nodes(node)
            case _:
                pass
    return False
