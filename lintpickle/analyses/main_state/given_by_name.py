"""What workers are given by name as they start, and what the main process has to do with it and with them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Collection, Expr, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, Frame, ProductValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker

RENEWED = re.compile(r"\bmaxtasksperchild\b|\bmax_tasks_per_child\b|\bshare_memory|\bshared_memory\b|\bsharedctypes\b")
"""What makes later workers get a later copy, or lets them share what they are given."""
INITIAL_ARGUMENTS = "initargs"
_PLACES = {"pool": 2, "executor": 3}
NamedThing: TypeAlias = tuple[str, tuple[AbstractValue, ...]]
"""The name of something, and what it may be."""


def all_given(boundary: BoundaryCall, role: str, linker: Linker) -> Iterator[NamedThing]:
    """The names of what workers are given as they start, each with what it may be."""
    bound = boundary.arguments.get(role)
    held = without_narrowing(bound.expr) if bound is not None and bound.expr is not None else None
    source = source_tree(boundary.frame.module.code)
    written = _written(boundary, role, source) if source is not None else None
    if not isinstance(held, Collection) or written is None or len(held.elements) != len(written.elts):
        return
    assert bound is not None and bound.frame is not None
    yield from things_named(zip(written.elts, held.elements, strict=True), bound.frame, linker)


def things_named(given: Iterable[tuple[ast.expr, Expr]], frame: Frame, linker: Linker) -> Iterator[NamedThing]:
    """The variables and the attributes of `self` among what is given, as it is written and as it is read, each with
    what it may be."""
    for node, value in given:
        name = dotted(node)
        if name and name.count(".") <= 1 and (name.startswith("self.") or "." not in name):
            yield name, tuple(traced.value for traced in linker.evaluate(value, frame))


def _written(boundary: BoundaryCall, role: str, source: SourceTree) -> ast.Tuple | ast.List | None:
    node = source.call_at(boundary.call.span)
    if node is None:
        return None
    place = _PLACES.get(boundary.spec.kind)
    given = [each.value for each in node.keywords if each.arg == role]
    given += node.args[place : place + 1] if place is not None and role == INITIAL_ARGUMENTS else []
    return given[0] if given and isinstance(given[0], ast.Tuple | ast.List) else None


def is_queue(values: tuple[AbstractValue, ...]) -> bool:
    """Whether all that something may be are queues of processes; what has been put into one is a list beside it."""
    others = [each for each in values if not isinstance(each, ContainerValue)]
    return bool(others) and all(isinstance(each, ProductValue) and each.product.kind == "mp-queue" for each in others)


def calls_through(names: Sequence[str], methods: frozenset[str], frame: Frame) -> Iterator[Span]:
    """Where a function calls some methods of what it has under some names."""
    for event in frame.function.events:
        match event:
            case Called(call=Call(function=Attribute(name=method))) if method in methods:
                text = frame.module.code[event.span.start : event.span.end]
                if any(text.startswith(f"{each}.") for each in names):
                    yield event.span
            case _:
                pass


def is_sent_along(name: str, call: Span, frame: Frame) -> bool:
    """Whether a task is given the thing, or a part of it, anew."""
    text = frame.module.code[call.start : call.end]
    return re.search(rf"(?<![\w.]){re.escape(name)}\b", text) is not None


def changing_frames(name: str, home: Frame, where: Frame, linker: Linker) -> Iterator[Frame]:
    """The functions that may change it: that which makes the workers, for a variable; for an attribute, the methods of
    the class."""
    if not name.startswith("self."):
        if home.function is where.function:
            yield home
        return
    owner = home.function.qualname.rpartition(".")[0]
    form = re.compile(rf"\b{re.escape(name)}\b")
    for root in linker.activations_with({name.partition(".")[2]}, form, home.module.path):
        is_method = root.frame.module is home.module and root.function.qualname.rpartition(".")[0] == owner
        if is_method and not root.is_constructor and not _makes_anew(root, home.function):
            yield root.frame


def _makes_anew(root: RootFrame, maker: FunctionFacts) -> bool:
    """Whether a method is that which makes the workers, or calls it."""
    code, span = root.frame.module.code, root.function.span
    called = re.search(rf"\.{re.escape(maker.name)}\s*\(", code[span.start : span.end])
    return root.function is maker or (called is not None and maker.name != "__init__")


def calls_of_method(frame: Frame, linker: Linker) -> Iterator[tuple[RootFrame, Span, Expr]]:
    """Where functions call what has the name of a method, each with what they call it on."""
    name = frame.function.name
    form = re.compile(rf"\.\s*{re.escape(name)}\s*\(")
    for caller in linker.activations_with({name}, form, frame.module.path):
        for event in caller.function.events:
            match event:
                case Called(call=Call(function=Attribute(base=base, name=called))) if called == name:
                    yield caller, event.span, base
                case _:
                    pass
