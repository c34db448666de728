"""Places at which a function may hold a lock, or a function that calls it: where nothing is known of a context manager,
or what it calls has to do with locks, it may."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.decorators_applied import is_wrapped
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Implied
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    PlainValue,
    ProductValue,
    Site,
)
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_TAKES = re.compile(r"(?i:acquire|flock|lockf|__enter__|enter_context)|\.\s*(?:un)?lock\s*\(")
"""What stands in code that takes a lock without a block of its own."""
_OF_LOCKS = re.compile(r"(?i)lock|acquir|mutex|sem|cond|guard|atomic|transact|exclusive|synchron|barrier|critical")
"""What is in the name of what may be a lock, or may take one."""
_ENTER = "__enter__"


def may_hold_lock(
    function: WorkerFunction, place: Span, code: WorkerCode, linker: Linker, besides: Site | None = None
) -> bool:
    """Whether a lock may be held at a place of a function that runs in a worker, by itself or on the way there, besides
    one that is entered at a place."""
    if _may_hold(place, function, linker, besides):
        return True
    for hop in function.hops:
        around = _function_around(hop.site, code)
        if around is not None and _may_hold(hop.site.span, around, linker):
            return True
    return False


def _function_around(site: Site, code: WorkerCode) -> WorkerFunction | None:
    """The innermost function of the worker in which a place stands, behind its head."""
    around = [
        each
        for each in code.functions
        if each.module is site.module and each.facts.header.end <= site.span.start < each.facts.span.end
    ]
    return max(around, key=lambda each: each.facts.span.start, default=None)


def may_take_inside(span: Span, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a part of a function may take a lock."""
    module = function.module
    source = source_tree(module.code)
    if source is None or _TAKES.search(module.code, span.start, span.end) is not None:
        return True
    return any(_may_be_lock(each, function.frame, source, linker) for each, _ in _entered(span, source))


def _entered(span: Span, source: SourceTree) -> Iterator[tuple[ast.expr, Span]]:
    """What is entered in a part of a module, each with where its `with` statement stands."""
    for node in source.nodes_within(span):
        if isinstance(node, ast.With | ast.AsyncWith):
            yield from ((item.context_expr, source.span(node)) for item in node.items)


def _may_hold(place: Span, function: WorkerFunction, linker: Linker, besides: Site | None = None) -> bool:
    module, facts = function.module, function.facts
    if is_wrapped(facts) or _TAKES.search(module.code, facts.header.end, place.start) is not None:
        return True
    source = source_tree(module.code)
    if source is None:
        return True
    return any(
        _may_be_lock(each, function.frame, source, linker)
        for each, around in _entered(facts.span, source)
        if _is_around(around, place) and (besides is None or source.span(each) != besides.span)
    )


def _is_around(span: Span, place: Span) -> bool:
    return span.start <= place.start < span.end


def _may_be_lock(entered: ast.expr, frame: Frame, source: SourceTree, linker: Linker) -> bool:
    """Whether what a `with` statement enters may be a lock, as far as is seen."""
    place = source.span(entered)
    events = (each for each in frame.function.events if isinstance(each, Implied) and each.method == _ENTER)
    target = next((each.target for each in events if each.span.start == place.start), None)
    found = [each.value for each in linker.evaluate(target, frame)] if target is not None else []
    return not found or any(_may_lock(each) for each in found)


def _may_lock(value: AbstractValue) -> bool:
    match value:
        case ProductValue(product=product):
            return product.kind == "lock" or _OF_LOCKS.search(product.type) is not None
        case ExternalResult(path=path) | ExternalValue(path=path):
            return _OF_LOCKS.search(path) is not None
        case ContainerValue() | PlainValue():
            return False
        case _:
            return True
