"""Proxies of a manager that outlive it: its process ends where the `with` that entered it ends, and every use of a
proxy fails from then on. (CPython 3.11: `BrokenPipeError` where the process had used one before, else
`FileNotFoundError`; a proxy that is only printed shows that it failed, and raises nothing.)"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.control_flow.attempts import goes_on_after_errors, is_expected_to_fail, is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, Implied
from lintpickle.facts.values import Attribute, Expr, Item, Sum, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    InstanceValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.proxies import is_proxy
from lintpickle.payload.linker import Linker

_MANAGER = "multiprocessing.managers.SyncManager"
_ERRORS = ("OSError", "FileNotFoundError", "ConnectionError", "BrokenPipeError", "EOFError")
"""What code catches that is ready for it."""
_DEPTH = 3
"""How deep a proxy is sought in what is returned: `return Board(Scores(manager.dict()))`."""
_ASKING = frozenset(
    {"all", "any", "dict", "enumerate", "iter", "len", "list", "max", "min", "set", "sorted", "sum", "tuple"}
)
"""Builtin functions that ask a proxy for what it stands for."""


class DeadProxy(Struct, frozen=True):
    """A proxy that is returned out of the `with` of its manager, or used behind it: `site` is where, `made`
    where the manager makes the proxy."""

    site: Site
    made: Site
    ends: Site
    is_used_before: bool
    is_returned: bool


class _Context(Struct, frozen=True):
    """A `with` that enters a manager, what makes that, and where the `with` stands."""

    manager: Expr
    item: Span
    span: Span


def dead_proxies(frame: Frame, linker: Linker) -> Iterator[DeadProxy]:
    """The proxies of managers that a function enters which outlive them, the first use of each variable."""
    entered = [event for event in frame.function.events if isinstance(event, Implied) and event.method == "__enter__"]
    managers = [event for event in entered if any(map(_is_manager, linker.evaluate(event.target, frame)))]
    source = source_tree(frame.module.code) if managers and not frame.function.is_generator else None
    if source is not None:
        for context in _contexts(managers, frame.function, source):
            names = _names_of(context, frame, linker)
            uses = list(_uses(names, frame.function, source))
            is_used = any(context.span.start <= span.start < context.span.end for _, span in uses)
            yield from _returned(context, is_used, frame, linker)
            yield from _used_behind(context, names, uses, is_used, frame)


def _is_manager(traced: TracedValue) -> bool:
    return isinstance(traced.value, ProductValue) and traced.value.product.type == _MANAGER


def _contexts(entered: list[Implied], function: FunctionFacts, source: SourceTree) -> Iterator[_Context]:
    for node in source.nodes_within(function.span):
        for item in node.items if isinstance(node, ast.With) else ():
            place = source.span(item.context_expr)
            for event in entered:
                if event.span.start == place.start:
                    yield _Context(without_narrowing(event.target), place, source.span(node))


def _returned(context: _Context, is_used: bool, frame: Frame, linker: Linker) -> Iterator[DeadProxy]:
    """What is returned out of a context that is a proxy, or holds one."""
    function, ends = frame.function, Site(frame.module, context.item)
    for value, place in zip(function.returns, function.return_places, strict=False):
        is_inside = context.span.start <= place.start < context.span.end
        # A slice and a sum of lists are lists.
        if not is_inside or isinstance(without_narrowing(value), Item | Sum):
            continue
        if linker.conditions.reaches(place, frame) is False:
            continue
        for traced in linker.evaluate(value, frame):
            proxy = next(_proxies(traced.value, context, frame, linker), None)
            if proxy is not None:
                made = Site(frame.module, proxy.call.span)
                yield DeadProxy(Site(frame.module, place), made, ends, is_used, True)
                break


def _proxies(
    value: AbstractValue, context: _Context, frame: Frame, linker: Linker, depth: int = 0
) -> Iterator[ExternalResult]:
    """The proxies that a value is, or holds, of the manager of a context."""
    if isinstance(value, ExternalResult) and is_proxy(value):
        function = value.call.function
        is_own = isinstance(function, Attribute) and without_narrowing(function.base) is context.manager
        if is_own and value.frame is frame:
            yield value
        return
    if depth == _DEPTH:
        return
    for inner in _held(value, linker):
        yield from _proxies(inner.value, context, frame, linker, depth + 1)


def _held(value: AbstractValue, linker: Linker) -> Iterator[TracedValue]:
    match value:
        case ContainerValue(slots=slots):
            for slot in slots:
                yield from linker.evaluator.held_in(slot)
        case InstanceValue() as instance:
            for held in linker.classes.states.state(instance):
                yield from linker.evaluate(held.value, held.frame) if held.key is None else ()
        case _:
            pass


def _names_of(context: _Context, frame: Frame, linker: Linker) -> dict[str, Site]:
    """The variables that hold nothing but a proxy of the manager, each with where that is made."""
    found = dict[str, Site]()
    for name, value in frame.function.variables.items():
        values = [traced.value for traced in linker.evaluate(value, frame)]
        proxies = [
            proxy
            for each in values
            if isinstance(each, ExternalResult)
            for proxy in _proxies(each, context, frame, linker)
        ]
        if proxies and len(proxies) == len(values) and not isinstance(without_narrowing(value), Item | Sum):
            found[name] = Site(frame.module, proxies[0].call.span)
    return found


def _uses(names: dict[str, Site], function: FunctionFacts, source: SourceTree) -> Iterator[tuple[str, Span]]:
    """Where a function itself asks one of some variables for what its proxy stands for, in order."""
    found = list[tuple[str, Span]]()
    for node in source.nodes_within(function.span) if names else ():
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if not attribute.startswith("_"):
                pass
            case ast.Subscript(value=ast.Name(id=name)) | ast.For(iter=ast.Name(id=name)):
                pass
            case ast.Call(func=ast.Name(id=asking), args=[ast.Name(id=name), *_]) if asking in _ASKING:
                pass
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]):
                pass
            case _:
                continue
        if name in names and not _may_fail(node.lineno, source):
            found.append((name, source.span(node.iter if isinstance(node, ast.For) else node)))
    inner = [each.span for each in function.functions] + [each.span for each in function.classes]
    for name, span in sorted(found, key=lambda each: each[1].start):
        if not any(each.start <= span.start < each.end for each in inner):
            yield name, span


def _may_fail(row: int, source: SourceTree) -> bool:
    """Whether code expects what stands in a row to fail, or goes on then."""
    if is_expected_to_fail(source.tree, row) or goes_on_after_errors(source.tree, row, only_named=False):
        return True
    return any(is_ready_for(error, source.tree, row) for error in _ERRORS)


def _used_behind(
    context: _Context, names: dict[str, Site], uses: list[tuple[str, Span]], is_used: bool, frame: Frame
) -> Iterator[DeadProxy]:
    """The first use of each variable behind a context."""
    seen = set[str]()
    for name, span in uses:
        start, end = context.span.start, context.span.end
        if span.start < end or name in seen or frame.paths.exclude_each_other(start, span.start):
            continue
        seen.add(name)
        yield DeadProxy(Site(frame.module, span), names[name], Site(frame.module, context.item), is_used, False)
