"""Proxies of a manager that outlive it: its process ends where the `with` that entered it ends, and every use of a
proxy fails from then on. (CPython 3.11: `BrokenPipeError` where the process had used one before, else
`FileNotFoundError`; a proxy that is only printed shows that it failed, and raises nothing.)"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.managers_ended import ManagerContext
from lintpickle.control_flow.attempts import goes_on_after_errors, is_expected_to_fail, is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Expr, Item, Sum, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.proxies import is_proxy
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker

_ERRORS = ("OSError", "FileNotFoundError", "ConnectionError", "BrokenPipeError", "EOFError")
"""What code catches that is ready for it."""
_DEPTH = 3
"""How deep a proxy is sought in what is returned: `return Board(Scores(manager.dict()))`."""
ITERATING = frozenset(
    {"all", "any", "dict", "enumerate", "iter", "list", "max", "min", "set", "sorted", "sum", "tuple"}
)
"""Builtin functions that go through what they are given."""
_ASKING = ITERATING | {"len"}
"""Those that ask a proxy for what it stands for."""


class DeadProxy(Struct, frozen=True):
    """A proxy that is returned out of the `with` of its manager, or used behind it, or when the manager has been shut
    down: `site` is where, `made` where the manager makes the proxy, `ends` what ends the manager. `called` is what
    calls the method that ends it, if an object keeps the manager."""

    site: Site
    made: Site
    ends: Site
    is_used_before: bool
    is_returned: bool
    is_shut_down: bool = False
    called: Site | None = None


def dead_proxies(contexts: list[ManagerContext], frame: Frame, linker: Linker) -> Iterator[DeadProxy]:
    """The proxies of the managers that a function enters which outlive them, the first use of each variable."""
    for context in contexts:
        source = source_tree(frame.module.code)
        names = _names_of(context, frame, linker)
        uses = list(uses_of_proxies(names, frame.function, source)) if source is not None else []
        is_used = any(context.span.start <= span.start < context.span.end for _, span in uses)
        yield from _returned(context, is_used, frame, linker)
        yield from _used_behind(context, names, uses, is_used, frame)


def _returned(context: ManagerContext, is_used: bool, frame: Frame, linker: Linker) -> Iterator[DeadProxy]:
    """What is returned out of a context that is a proxy, or holds one."""
    function, ends = frame.function, Site(frame.module, context.item)
    for value, place in zip(function.returns, function.return_places, strict=False):
        is_left = any(each.start <= place.start < each.end for each in context.left)
        # A slice and a sum of lists are lists.
        if not is_left or not is_behind(context, place, frame) or isinstance(without_narrowing(value), Item | Sum):
            continue
        if linker.conditions.reaches(place, frame) is False:
            continue
        for traced in linker.evaluate(value, frame):
            proxy = next(_proxies(traced.value, context, frame, linker), None)
            if proxy is not None:
                made = Site(frame.module, proxy.call.span)
                yield DeadProxy(Site(frame.module, place), made, ends, is_used, True, context.is_shut_down)
                break


def _proxies(
    value: AbstractValue, context: ManagerContext, frame: Frame, linker: Linker, depth: int = 0
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


def _names_of(context: ManagerContext, frame: Frame, linker: Linker) -> dict[str, Site]:
    """The variables that hold nothing but a proxy of the manager, each with where that is made."""
    found = dict[str, Site]()
    for name, value in frame.function.variables.items():
        made = made_by(context, value, frame, linker)
        if made is not None:
            found[name] = made
    return found


def made_by(context: ManagerContext, value: Expr, frame: Frame, linker: Linker) -> Site | None:
    """Where the manager of a context makes the proxy that a value is; None if it may be something else."""
    values = [traced.value for traced in linker.evaluate(value, frame)]
    proxies = [
        proxy for each in values if isinstance(each, ExternalResult) for proxy in _proxies(each, context, frame, linker)
    ]
    if proxies and len(proxies) == len(values) and not isinstance(without_narrowing(value), Item | Sum):
        return Site(frame.module, proxies[0].call.span)
    return None


def uses_of_proxies(names: Container[str], function: FunctionFacts, source: SourceTree) -> Iterator[tuple[str, Span]]:
    """Where a function itself asks one of some variables, or attributes of them ("self.shared"), for what its proxy
    stands for, in order."""
    found = list[tuple[str, Span]]()
    for node in source.nodes_within(function.span) if names else ():
        match node:
            case ast.Attribute(value=held, attr=attribute) if not attribute.startswith("_"):
                pass
            case ast.Subscript(value=held) | ast.For(iter=held):
                pass
            case ast.Call(func=ast.Name(id=asking), args=[held, *_]) if asking in _ASKING:
                pass
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[held]):
                pass
            case _:
                continue
        name = dotted(held) if isinstance(held, ast.Name | ast.Attribute) else ""
        if name in names and not is_failure_expected(node.lineno, source):
            found.append((name, source.span(node.iter if isinstance(node, ast.For) else node)))
    for name, span in sorted(found, key=lambda each: each[1].start):
        if not function.is_inner(span.start):
            yield name, span


def is_failure_expected(row: int, source: SourceTree) -> bool:
    """Whether code expects what stands in a row (1-based) to fail, or goes on then."""
    if is_expected_to_fail(source.tree, row) or goes_on_after_errors(source.tree, row, only_named=False):
        return True
    return any(is_ready_for(error, source.tree, row) for error in _ERRORS)


def _used_behind(
    context: ManagerContext, names: dict[str, Site], uses: list[tuple[str, Span]], is_used: bool, frame: Frame
) -> Iterator[DeadProxy]:
    """The first use of each variable behind a context."""
    seen = set[str]()
    for name, span in uses:
        if span.start < context.span.end or name in seen or not is_behind(context, span, frame):
            continue
        seen.add(name)
        site, ends = Site(frame.module, span), Site(frame.module, context.item)
        yield DeadProxy(site, names[name], ends, is_used, False, context.is_shut_down)


def is_behind(context: ManagerContext, place: Span, frame: Frame) -> bool:
    """Whether a run that gets to a place may have entered a `with`, or has surely shut down the manager, if the place
    stands behind that."""
    if context.is_shut_down and place.start > context.item.start:
        return frame.paths.precedes(context.item.start, place.start)
    return not frame.paths.exclude_each_other(context.span.start, place.start)
