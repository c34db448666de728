"""Where a function ends a manager: it leaves the `with` that entered it, or shuts it down.

Measured with CPython 3.11: `manager.shutdown()`, and `manager.__exit__(None, None, None)`, end the manager's process at
once, as the end of the `with` does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.boundaries.proxies import MANAGER
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Implied
from lintpickle.facts.values import Attribute, Call, Expr, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, ProductValue, TracedValue
from lintpickle.payload.linker import Linker

_MANAGER = "multiprocessing.managers.SyncManager"
_ENDS = frozenset({"shutdown", "__exit__"})


class ManagerContext(Struct, frozen=True):
    """The life of a manager in a function: what makes it, the expression with which it ends, from where to where it
    lives, and where a `return` is followed by its end, or comes behind it."""

    manager: Expr
    item: Span
    span: Span
    left: tuple[Span, ...]
    is_shut_down: bool = False


def managers_ended(frame: Frame, linker: Linker) -> Iterator[ManagerContext]:
    """The managers that a function enters by `with`, or makes and shuts down; none of a generator, which may be left at
    any time."""
    events = frame.function.events if not frame.function.is_generator else ()
    entered = [each for each in events if isinstance(each, Implied) and each.method == "__enter__"]
    calls = ((each, ended_by(each)) for each in events if isinstance(each, Called))
    ended = [(each, manager) for each, manager in calls if isinstance(manager, Call)]
    if not (entered or ended) or not frame.module.has(MANAGER):
        return
    entered = [each for each in entered if any(map(is_manager, linker.evaluate(each.target, frame)))]
    found = [(each, manager) for each, manager in ended if all(map(is_manager, linker.evaluate(manager, frame)))]
    source = source_tree(frame.module.code) if entered or found else None
    if source is not None:
        yield from _contexts(entered, frame.function, source)
        for event, manager in found:
            left = (*_tried_before(event, frame.function, source), Span(event.span.end, frame.function.span.end))
            span = Span(manager.span.start, event.span.end)
            yield ManagerContext(manager, event.span, span, left, is_shut_down=True)


def ended_by(event: Called) -> Expr | None:
    """What a call shuts down, if it is a manager; None if it is no such call."""
    function = event.call.function
    return without_narrowing(function.base) if isinstance(function, Attribute) and function.name in _ENDS else None


def is_manager(traced: TracedValue) -> bool:
    """Whether a value is a manager of `multiprocessing`, of no class of the program's own."""
    return isinstance(traced.value, ProductValue) and traced.value.product.type == _MANAGER


def _contexts(entered: list[Implied], function: FunctionFacts, source: SourceTree) -> Iterator[ManagerContext]:
    for node in source.nodes_within(function.span) if entered else ():
        for item in node.items if isinstance(node, ast.With) else ():
            place = source.span(item.context_expr)
            for event in entered:
                if event.span.start == place.start:
                    whole = source.span(node)
                    yield ManagerContext(without_narrowing(event.target), place, whole, (whole,))


def _tried_before(event: Called, function: FunctionFacts, source: SourceTree) -> Iterator[Span]:
    """The `try` statements that a call ends, up to their `finally`."""
    for node in source.nodes_within(function.span):
        if isinstance(node, ast.Try) and node.finalbody:
            first, last = source.span(node.finalbody[0]), source.span(node.finalbody[-1])
            if first.start <= event.span.start < last.end:
                yield Span(source.span(node).start, first.start)
