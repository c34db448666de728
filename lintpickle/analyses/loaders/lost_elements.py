"""The elements that a batch sampler collects and never yields."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum, auto

from msgspec import Struct

from lintpickle.analyses.loaders.batch_samplers import (
    Batching,
    adds,
    batching,
    is_reset,
    names_in,
    starts_empty,
    statements,
)
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import ClassValue


class Loss(Enum):
    """How elements are lost."""

    OVERFLOW = auto()
    """The element that does not fit into a batch is dropped."""
    LAST = auto()
    """What is collected after the last full batch is not yielded."""


class LostElements(Struct, frozen=True):
    """Where an `__iter__` loses elements, the variable that collects them, and an element as the loop names it."""

    loss: Loss
    place: Span
    batch: str
    element: str


def lost_elements(class_: ClassValue) -> Iterator[LostElements]:
    """The elements that the `__iter__` of a batch sampler loses."""
    method = class_.facts.methods.get("__iter__")
    found = batching(class_.module, method) if method is not None else None
    if found is not None:
        yield from _overflowing(found)
        yield from _without_last(found, class_)


def _overflowing(found: Batching) -> Iterator[LostElements]:
    """`if it fits: batch.append(x)`, `else: yield batch; batch = []`, and `x` is not used afterwards."""
    for loop in found.loops:
        elements = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        for choice in loop.body:
            if not isinstance(choice, ast.If) or not choice.orelse:
                continue
            for full, fits in ((choice.body, choice.orelse), (choice.orelse, choice.body)):
                yields = [node for node in found.yields if any(node is inner for inner in statements(full))]
                keeps = _adds(full, found.variable) or elements & names_in(full)
                later = loop.body[loop.body.index(choice) + 1 :]
                empties = bool(yields) and not keeps and _resets(full, found.variable)
                if empties and _adds(fits, found.variable) and not _adds(later, found.variable):
                    yield LostElements(Loss.OVERFLOW, found.source.span(yields[0]), found.variable, _text(loop))


def _without_last(found: Batching, class_: ClassValue) -> Iterator[LostElements]:
    """A list that is yielded and emptied when it is full, and not read after the loop."""
    text = class_.module.code[class_.facts.span.start : class_.facts.span.end].lower()
    if len(found.loops) != 1 or "drop" in text or "%" in text or "//" in text or "while " in text:
        return
    loop = found.loops[0]
    inside = found.in_loop(loop)
    if len(inside) != len(found.yields) or not all(_is_guarded(node, loop) for node in inside):
        return
    body = found.function.body
    if loop not in body or not starts_empty(loop, found.variable):
        return
    if found.variable not in names_in([*loop.orelse, *body[body.index(loop) + 1 :]]) and not _counts_ahead(found, loop):
        header = Span(found.source.span(loop).start, found.source.span(loop.iter).end)
        yield LostElements(Loss.LAST, header, found.variable, _text(loop))


def _is_guarded(node: ast.Yield, loop: ast.For) -> bool:
    return not any(isinstance(each, ast.Expr) and each.value is node for each in loop.body)


def _counts_ahead(found: Batching, loop: ast.For) -> bool:
    """Whether the condition for yielding depends on the element's position, so that it may recognise the last one."""
    counters: set[str] = set()
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="enumerate")), target=ast.Tuple(elts=[ast.Name(id=name), *_])):
            counters = {name}
        case _:
            pass
    tests = [node.test for node in ast.walk(loop) if isinstance(node, ast.If)]
    return any(isinstance(node, ast.Name) and node.id in counters for test in tests for node in ast.walk(test))


def _adds(body: list[ast.stmt], name: str) -> bool:
    return any(adds(statement, name) for statement in body)


def _resets(body: list[ast.stmt], name: str) -> bool:
    return any(is_reset(node, name) for node in statements(body))


def _text(loop: ast.For) -> str:
    target = loop.target.elts[-1] if isinstance(loop.target, ast.Tuple) and loop.target.elts else loop.target
    return ast.unparse(target)
