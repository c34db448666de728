"""Where a function pairs, by position, results in the order of their completion with what was sent for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.results.completion_order import CompletionOrder, counter_of
from lintpickle.analyses.results.looked_up_by_place import looked_up_by_place
from lintpickle.analyses.results.taken_by_turns import taken_by_turns
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.iterated_loaders import PROGRESS_BARS

_PAIRING = frozenset({"zip", "zip_longest"})
_NUMBERING = frozenset({"range", "count", "repeat", "cycle"})


class PairedByPlace(Struct, frozen=True):
    """An expression that pairs by position, what was sent as it is written, and the results."""

    node: ast.expr
    sent: str
    results: str


def paired_by_place(order: CompletionOrder, sent: frozenset[str]) -> Iterator[PairedByPlace]:
    """The places of a function that pair results with one of those that `sent` names, or what has as many elements."""
    for node in order.nodes:
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _PAIRING:
            yield from _zipped(node, order, sent)
    for iterated, loop in order.iterations():
        yield from _indexed(iterated, loop, order, sent)
        yield from (PairedByPlace(*each) for each in taken_by_turns(iterated, loop, order, sent))
    yield from (PairedByPlace(*each) for each in looked_up_by_place(order, sent))


def _zipped(call: ast.Call, order: CompletionOrder, sent: frozenset[str]) -> Iterator[PairedByPlace]:
    values = call.args
    if any(isinstance(each, ast.Starred) for each in values):
        return
    results = next((place for place, each in enumerate(values) if order.holds(each)), None)
    if results is None:
        return
    for place, value in enumerate(values):
        if order.holds(value) or _is_numbering(value) or order.roots(value).isdisjoint(sent):
            continue
        if _are_used(call, (place, results), order):
            yield PairedByPlace(call, ast.unparse(value), ast.unparse(values[results]))
            return


def _is_numbering(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in _NUMBERING


def _are_used(call: ast.Call, places: tuple[int, ...], order: CompletionOrder) -> bool:
    """Whether a loop through the pairs uses both; where there is no such loop, they are taken to be used."""
    loop = order.loop_of(call)
    if loop is None:
        return True
    if not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != len(call.args):
        return True
    return all(_is_used(loop.target.elts[place], loop, order) for place in places)


def _is_used(target: ast.expr, loop: ast.For | ast.AsyncFor | ast.comprehension, order: CompletionOrder) -> bool:
    names = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return any(isinstance(each, ast.Name) and each.id in names for each in _within(loop, order))


def _within(loop: ast.For | ast.AsyncFor | ast.comprehension, order: CompletionOrder) -> Iterator[ast.expr]:
    """The expressions that a loop evaluates in each round, but for those that say how far a progress bar gets."""
    if not isinstance(loop, ast.comprehension):
        bars = _progress_bars(order)
        shown = {id(each) for one in loop.body for node in _steps_of(one, bars) for each in ast.walk(node)}
        yield from (each for one in loop.body for each in _reads(one) if id(each) not in shown)
        return
    yield from (each for one in (*order.made_by(loop), *loop.ifs) for each in _reads(one))


def _progress_bars(order: CompletionOrder) -> set[str]:
    """The names of the progress bars that the function makes."""
    found = set[str]()
    for node in order.nodes:
        match node:
            case ast.With(items=items) | ast.AsyncWith(items=items):
                found |= {name for each in items for name in _bar_in(each.optional_vars, each.context_expr)}
            case ast.Assign(targets=[target], value=value):
                found |= set(_bar_in(target, value))
            case _:
                pass
    return found


def _bar_in(target: ast.expr | None, value: ast.expr) -> Iterator[str]:
    is_bar = isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in PROGRESS_BARS
    if isinstance(target, ast.Name) and is_bar:
        yield target.id


def _steps_of(node: ast.stmt, bars: set[str]) -> Iterator[ast.expr]:
    """The calls in a statement by which progress bars go on: `bar.update(len(chunk))`."""
    for each in ast.walk(node) if bars else ():
        match each:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update")) as call):
                if name in bars:
                    yield call
            case _:
                pass


def _reads(node: ast.AST) -> Iterator[ast.expr]:
    for each in ast.walk(node):
        if isinstance(each, ast.expr) and isinstance(getattr(each, "ctx", ast.Load()), ast.Load):
            yield each


def _indexed(
    iterated: ast.expr, loop: ast.For | ast.AsyncFor | ast.comprehension, order: CompletionOrder, sent: frozenset[str]
) -> Iterator[PairedByPlace]:
    """Where a loop takes what was sent and a result by the same number."""
    counter, counted = counter_of(loop), _counted(iterated, order)
    if isinstance(loop.target, ast.Name) and isinstance(iterated, ast.Call) and dotted(iterated.func) == "range":
        counter = loop.target.id
    if counter is None:
        return
    items = [
        each
        for each in _within(loop, order)
        if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Name) and each.slice.id == counter
    ]
    results = [each for each in items if order.holds(each.value)]
    others = [each for each in items if each not in results and not order.roots(each.value).isdisjoint(sent)]
    target = loop.target.elts[1] if isinstance(loop.target, ast.Tuple) and len(loop.target.elts) == 2 else None
    if counted is not None and target is not None and _is_used(target, loop, order):
        if order.holds(counted) and others:
            yield PairedByPlace(others[0], ast.unparse(others[0].value), ast.unparse(counted))
            return
        if results and not order.holds(counted) and not order.roots(counted).isdisjoint(sent):
            yield PairedByPlace(results[0], ast.unparse(counted), ast.unparse(results[0].value))
            return
    if results and others:
        yield PairedByPlace(results[0], ast.unparse(others[0].value), ast.unparse(results[0].value))


def _counted(iterated: ast.expr, order: CompletionOrder) -> ast.expr | None:
    """What a loop counts by `enumerate`, also in a progress bar."""
    while isinstance(iterated, ast.Call) and iterated.args:
        if dotted(iterated.func) == "enumerate":
            starts = [*iterated.args[1:], *(each.value for each in iterated.keywords)]
            return iterated.args[0] if not starts else None
        if not order.passes(iterated):
            return None
        iterated = iterated.args[0]
    return None
