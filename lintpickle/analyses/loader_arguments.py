"""The arguments of a DataLoader call."""

from __future__ import annotations

import ast
from enum import Enum

from lintpickle.boundaries.calls import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ConstantValue, TracedValue, is_indefinite
from lintpickle.payload.linker import Linker


class Unsaid(Enum):
    """Stands for an argument that is not a literal."""

    MISSING = "not passed"
    UNSURE = "passed, or perhaps passed, but not one literal"


class Presence(Enum):
    """Whether an argument is an object rather than None."""

    NO = "not passed, or None"
    MAYBE = "an object on some ways, None on others"
    YES = "an object"
    UNSURE = "unknown"


def is_loader(call: BoundaryCall) -> bool:
    """Whether the boundary is a DataLoader or a class derived from one."""
    return call.spec.kind == "dataloader"


def literal(call: BoundaryCall, name: str, linker: Linker) -> object:
    """The one literal that an argument is, or an `Unsaid`."""
    values = call.value(name, linker.evaluator)
    if not values:
        return Unsaid.UNSURE if call.open else Unsaid.MISSING
    if _is_spread(call, name):
        return Unsaid.UNSURE
    found = {_written(traced) for traced in values}
    return found.pop()[1] if len(found) == 1 else Unsaid.UNSURE


def _written(traced: TracedValue) -> tuple[str, object]:
    """The name of a literal's type, which distinguishes 1 from True and 1.0, and the literal."""
    value = traced.value
    return (type(value.value).__name__, value.value) if isinstance(value, ConstantValue) else ("", Unsaid.UNSURE)


def presence(call: BoundaryCall, name: str, linker: Linker) -> Presence:
    """Whether an argument is an object."""
    values = call.value(name, linker.evaluator)
    if not values:
        return Presence.UNSURE if call.open else Presence.NO
    if _is_spread(call, name):
        return Presence.UNSURE
    nones = [r for r in values if isinstance(r.value, ConstantValue) and r.value.value is None]
    if len(nones) == len(values):
        return Presence.NO
    if any(is_indefinite(r.value) or (isinstance(r.value, ConstantValue) and r not in nones) for r in values):
        return Presence.UNSURE
    return Presence.MAYBE if nones else Presence.YES


def _is_spread(call: BoundaryCall, name: str) -> bool:
    """Whether an argument comes from `**settings`, which may contain it only on some paths."""
    written = call.call.arguments
    if not any(argument.star == "**" for argument in written) or any(a.keyword == name for a in written):
        return False
    place = call.spec.parameters.index(name) if name in call.spec.parameters else len(written)
    return place >= sum(argument.keyword is None and not argument.star for argument in written)


def keyword_arguments(call: BoundaryCall) -> tuple[SourceTree, dict[str, ast.keyword]] | None:
    """The keyword arguments as written in the call, for fixes; None if the call cannot be found."""
    source = source_tree(call.frame.module.document.text)
    if source is None:
        return None
    for node in source.nodes_within(call.call.span):
        if isinstance(node, ast.Call) and source.span(node) == call.call.span:
            return source, {keyword.arg: keyword for keyword in node.keywords if keyword.arg is not None}
    return None


def name_span(source: SourceTree, keyword: ast.keyword) -> Span:
    """The span of the name in `name=value`."""
    start = source.offset(keyword.lineno, keyword.col_offset)
    return Span(start, start + len(keyword.arg or ""))
