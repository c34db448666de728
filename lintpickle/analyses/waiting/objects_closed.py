"""What functions do with an object behind the call that closes it: `board.close()`, or the end of the `with` that has
entered it, also of one that another function has entered and given back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.dead_proxies import is_failure_expected
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Implied
from lintpickle.facts.values import Attribute, Call, Expr, Item, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import FunctionValue, InstanceValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker

_ENTERS, _EXITS = "__enter__", "__exit__"


class Closing(Struct, frozen=True, eq=False):
    """Where a function closes objects, by the calls that make them (None: its own object): what stands behind `place`.
    If the function `given_by` has closed them, all that the function does with what that gives stands behind it."""

    caller: RootFrame
    called: Site
    place: Span
    objects: frozenset[Call | None]
    given_by: RootFrame | None = None


def closings(root: RootFrame, opening: str, linker: Linker) -> Iterator[Closing]:
    """Where functions call a method, or leave a `with` that does, of an object that they do not open again behind it,
    by the method `opening` or another `with`."""
    found = _left_by_with(root, linker) if root.function.name == _EXITS else _called(root, linker)
    for closing in found:
        if not _is_opened_again(closing, opening, root, linker):
            yield closing


def methods_called(closing: Closing, root: RootFrame, linker: Linker) -> Iterator[tuple[str, Span]]:
    """The methods that a function calls of what it closes, with the places, but for those that it expects to fail."""
    source = source_tree(closing.caller.frame.module.code)
    for function, span in _calls(closing.caller) if source is not None else ():
        is_closed = _is_closed(function.base, closing, root, linker)
        if is_closed and source is not None and not is_failure_expected(source.row(span.start) + 1, source):
            yield function.name, span


def variables_closed(closing: Closing, root: RootFrame, linker: Linker) -> Iterator[str]:
    """The variables of the function that hold what a closing closes."""
    for name, value in closing.caller.function.variables.items():
        if _is_closed(value, closing, root, linker):
            yield name


def is_behind_closing(closing: Closing, place: Span) -> bool:
    """Whether every run that gets to a place has closed the objects."""
    if closing.given_by is not None:
        return True
    return place.end > closing.place.end and closing.caller.frame.paths.precedes(closing.place.start, place.start)


def _called(root: RootFrame, linker: Linker) -> Iterator[Closing]:
    name = root.function.name
    form = re.compile(rf"\.\s*{re.escape(name)}\s*\(")
    for caller in linker.activations_with({name}, form, root.frame.module.path):
        for function, span in _calls(caller) if caller.function is not root.function else ():
            objects = _objects(function.base, caller, root, linker) if function.name == name else frozenset()
            if objects:
                yield Closing(caller, Site(caller.frame.module, span), span, objects)


def _left_by_with(root: RootFrame, linker: Linker) -> Iterator[Closing]:
    """The `with` statements that enter objects of the class, and what those get who call the functions around them."""
    owner, path = root.owner, root.frame.module.path
    name = owner.facts.name if owner is not None else ""
    for caller in linker.activations_with({name}, re.compile(rf"\b{re.escape(name)}\b"), path):
        if caller.function.is_generator:
            continue
        for event, objects in _entered(caller, root, linker):
            whole = _statement(event, caller)
            if whole is None:
                continue
            closing = Closing(caller, Site(caller.frame.module, event.span), whole, objects)
            yield closing
            yield from _given_back(closing, path, linker)


def _given_back(closing: Closing, path: str, linker: Linker) -> Iterator[Closing]:
    function = closing.caller.function
    if not function.returns or function.is_local:
        return
    form = re.compile(rf"\b{re.escape(function.name)}\s*\(")
    for caller in linker.activations_with({function.name}, form, path):
        if caller.function is not function:
            yield Closing(caller, closing.called, closing.place, closing.objects, closing.caller)


def _entered(caller: RootFrame, root: RootFrame, linker: Linker) -> Iterator[tuple[Implied, frozenset[Call | None]]]:
    for event in caller.function.events:
        if isinstance(event, Implied) and event.method == _ENTERS:
            objects = _objects(event.target, caller, root, linker)
            if objects:
                yield event, objects


def _statement(event: Implied, caller: RootFrame) -> Span | None:
    """The `with` statement that enters something."""
    source = source_tree(caller.frame.module.code)
    for node in source.nodes_within(caller.function.span) if source is not None else ():
        items = node.items if isinstance(node, ast.With) else ()
        if source is not None and any(source.span(each.context_expr).start == event.span.start for each in items):
            return source.span(node)
    return None


def _is_opened_again(closing: Closing, opening: str, root: RootFrame, linker: Linker) -> bool:
    start = closing.place.start
    if closing.given_by is not None:
        return any(True for _ in _entered(closing.caller, root, linker))
    again = (span for function, span in _calls(closing.caller) if function.name == opening)
    entered = (event.span for event, _ in _entered(closing.caller, root, linker))
    return any(each.start > start and each != closing.called.span for each in (*again, *entered))


def _is_closed(value: Expr, closing: Closing, root: RootFrame, linker: Linker) -> bool:
    """Whether a value is what a closing closes, and nothing else."""
    maker = closing.given_by
    if maker is not None and not _is_given_by(value, maker, closing.caller, linker):
        return False
    objects = _objects(value, closing.caller, root, linker)
    return bool(objects) and objects <= closing.objects


def _is_given_by(value: Expr, maker: RootFrame, caller: RootFrame, linker: Linker) -> bool:
    """Whether a value is what a function gives, or a part of it."""
    value = without_narrowing(value)
    while isinstance(value, Item):
        value = without_narrowing(value.base)
    if not isinstance(value, Call):
        return False
    called = [traced.value for traced in linker.evaluate(value.function, caller.frame)]
    return all(isinstance(each, FunctionValue) and each.facts is maker.function for each in called)


def _calls(caller: RootFrame) -> Iterator[tuple[Attribute, Span]]:
    """The methods that a function calls, as it names them, each with the place of the call, in order."""
    for event in caller.function.events:
        if isinstance(event, Called) and isinstance(event.call.function, Attribute):
            yield event.call.function, event.call.span


def _objects(base: Expr, caller: RootFrame, root: RootFrame, linker: Linker) -> frozenset[Call | None]:
    """The objects of the class of a method that an expression is, by the calls that make them; none if it may be
    something else."""
    values = [traced.value for traced in linker.evaluate(base, caller.frame)]
    owner = root.owner.facts if root.owner is not None else None
    found = [each.call for each in values if isinstance(each, InstanceValue) and each.class_.facts is owner]
    return frozenset(found) if len(found) == len(values) else frozenset()
