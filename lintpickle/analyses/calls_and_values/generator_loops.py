"""Loops that generators of the program drive: what a loop of the generator does between two `yield`s, it does in each
round of the loop that iterates the generator."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.loops import loop_bodies
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Event, Iterated
from lintpickle.facts.values import Collection, Expr, Parameter, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, GeneratorValue, InstanceValue, Site
from lintpickle.payload.linker import Linker


class GeneratorLoop(Struct, frozen=True):
    """The body of a loop, what is done there, where the loop says what it iterates, the frame of the generator, and
    what that does in loops of its own."""

    body: Span
    events: tuple[Event, ...]
    site: Site
    generator: Frame
    driven: tuple[Event, ...]


def generator_loops(frame: Frame, linker: Linker) -> Iterator[GeneratorLoop]:
    """The `for` loops of a function over generators of the program: `for stage in stages(dataset)`, or over an object
    whose `__iter__` is one. A list of what a generator gives is no such thing."""
    source = source_tree(frame.module.code)
    for place, event in enumerate(frame.function.events) if source is not None else ():
        if not isinstance(event, Iterated) or source is None:
            continue
        inner = _generator(event.iterable, frame, linker)
        loop = _loop_over(event.iterable, frame, source) if inner is not None else None
        if inner is None or loop is None:
            continue
        body = Span(source.span(loop.body[0]).start, source.span(loop.body[-1]).end)
        behind = frame.function.events[place + 1 :]
        last = max((at for at, each in enumerate(behind, 1) if _is_in(body, each)), default=0)
        around = loop_bodies(inner.function, inner.module)
        driven = tuple(each for each in inner.function.events if any(_is_in(inside, each) for inside in around))
        yield GeneratorLoop(body, behind[:last], Site(frame.module, source.span(loop.iter)), inner, driven)


def _is_in(loop: Span, event: Event) -> bool:
    return not isinstance(event, Iterated) and loop.contains(event.span)


def yielded_in(loop: Span, frame: Frame) -> tuple[Expr, ...]:
    """What a generator may give in a part of it, one by one, or as an element of a tuple."""
    source = source_tree(frame.module.code) if frame.function.yields else None
    if source is None or not any(isinstance(each, ast.Yield) for each in source.nodes_within(loop)):
        return ()
    values = [without_narrowing(each) for each in frame.function.yields]
    return tuple(part for each in values for part in (each.elements if isinstance(each, Collection) else (each,)))


def _generator(iterable: Expr, frame: Frame, linker: Linker) -> Frame | None:
    """The frame of the one generator that is iterated."""
    match linker.evaluate(iterable, frame):
        case (traced,) if isinstance(traced.value, GeneratorValue | InstanceValue):
            frames = {id(each.frame): each.frame for each in linker.evaluator.elements(traced.value)}
            found = [each for each in frames.values() if each.function.is_generator and each is not frame]
            return found[0] if len(frames) == len(found) == 1 else None
        case _:
            return None


def _loop_over(iterable: Expr, frame: Frame, source: SourceTree) -> ast.For | None:
    """The loop over a value: it is written out there, or has the name by which the loop calls it."""
    nodes = list(source.nodes_within(frame.function.span))
    value = without_narrowing(iterable)
    names = {value.name} if isinstance(value, Parameter) else set[str]()
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=given) if source.span(given) == value.span:
                names.add(name)
            case _:
                pass
    for node in nodes:
        if isinstance(node, ast.For):
            is_named = isinstance(node.iter, ast.Name) and node.iter.id in names
            if is_named or source.span(node.iter) == value.span:
                return node
    return None
