"""The arguments of a DataLoader call."""

from __future__ import annotations

import ast
import re
from enum import Enum
from functools import lru_cache

from msgspec import Struct

from lintpickle.analyses.loaders.asked_of_workers import answer_of_workers, names_workers
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import says_none
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    ConstantValue,
    ContainerValue,
    TracedValue,
    is_indefinite,
)
from lintpickle.interpreter.frames import passed_first
from lintpickle.parsing.main_guard import is_main_guard
from lintpickle.payload.linker import Linker

_SET_FOR_WORKERS = frozenset({"persistent_workers", "pin_memory", "prefetch_factor"})
"""What loaders are given where they have workers."""


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


class WrittenArgument(Struct, frozen=True):
    """A keyword argument as it is written: where its name and its value are, and the text of the value. `is_name`: the
    value is a name or an attribute."""

    name: Span
    value: Span
    text: str
    is_name: bool


def is_loader(call: BoundaryCall) -> bool:
    """Whether the boundary is a DataLoader or a class derived from one."""
    return call.spec.kind == "dataloader"


def literal(call: BoundaryCall, name: str, linker: Linker) -> object:
    """The one literal that an argument is, or an `Unsaid`."""
    values = linker.boundaries.values(call, name)
    if not values:
        return Unsaid.UNSURE if call.open else Unsaid.MISSING
    if _is_spread(call, name, linker):
        return Unsaid.UNSURE
    found = {_written(traced) for traced in values}
    said = found.pop()[1] if len(found) == 1 else Unsaid.UNSURE
    return _by_workers(call, name, linker) if said is Unsaid.UNSURE and name in _SET_FOR_WORKERS else said


def _by_workers(call: BoundaryCall, name: str, linker: Linker) -> object:
    """What an argument is that only asks whether there are workers (`persistent_workers=n > 0`), where the boundary is:
    there are, unless their number is 0."""
    match answer_of_workers(call, name, literal(call, call.spec.workers or "", linker) != 0, linker):
        case bool() as truth:
            return truth
        case ast.Constant(value=value):
            return value
        case _:
            return Unsaid.UNSURE


def _written(traced: TracedValue) -> tuple[str, object]:
    """The name of a literal's type, which distinguishes 1 from True and 1.0, and the literal."""
    value = traced.value
    return (type(value.value).__name__, value.value) if isinstance(value, ConstantValue) else ("", Unsaid.UNSURE)


def is_given_to_workers(call: BoundaryCall, name: str, value: object, linker: Linker) -> bool:
    """Whether an argument is that literal; also where it comes from a mapping into which the code puts it always, or
    where it asks for nothing but that there are workers (`if workers: options["persistent_workers"] = True`)."""
    if literal(call, name, linker) is value:
        return True
    if not _is_spread(call, name, linker):
        return False
    given = [traced for traced in linker.boundaries.values(call, name) if isinstance(traced.value, ConstantValue)]
    others = [traced for traced in linker.boundaries.values(call, name) if traced not in given]
    is_one = bool(given) and all(each.value.value is value for each in given if isinstance(each.value, ConstantValue))
    return is_one and all(each.value is UNKNOWN for each in others) and all(map(_is_put_for_workers, given))


def _is_put_for_workers(given: TracedValue) -> bool:
    """Whether all conditions around the place that gives a value ask for workers only."""
    module, place = given.site.module, given.site.span
    source = source_tree(module.code)
    if source is None:
        return False
    block = module.outline.block_at(place.start)
    for node in source.nodes_within(block.span) if block is not None else ():
        match node:
            case ast.If(test=test, body=body) if source.span(node).start <= place.start < source.span(node).end:
                is_inside = source.span(body[0]).start <= place.start < source.span(body[-1]).end
                if is_main_guard(test):
                    continue
                if not is_inside or not _asks_for_workers(test):
                    return False
            case ast.For() | ast.While() | ast.Try() | ast.IfExp():
                if source.span(node).start <= place.start < source.span(node).end:
                    return False
            case _:
                pass
    return True


def _asks_for_workers(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.NotEq()], comparators=[ast.Constant()]):
            return _asks_for_workers(left)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return names_workers(ast.unparse(test))
        case _:
            return False


def presence(call: BoundaryCall, name: str, linker: Linker) -> Presence:
    """Whether an argument is an object."""
    values = linker.boundaries.values(call, name)
    if not values:
        return Presence.UNSURE if call.open else Presence.NO
    if _is_spread(call, name, linker):
        return Presence.UNSURE
    nones = [r for r in values if isinstance(r.value, ConstantValue) and r.value.value is None]
    if len(nones) == len(values):
        return Presence.NO
    if any(is_indefinite(r.value) or (isinstance(r.value, ConstantValue) and r not in nones) for r in values):
        return Presence.UNSURE
    return Presence.MAYBE if nones else Presence.YES


def _is_spread(call: BoundaryCall, name: str, linker: Linker) -> bool:
    """Whether an argument comes from `**settings`, which may contain it only on some paths."""
    written = call.call.arguments
    spread = [argument for argument in written if argument.star == "**"]
    if not spread or any(a.keyword == name for a in written):
        return False
    place = call.spec.parameters.index(name) if name in call.spec.parameters else len(written)
    if place < sum(argument.keyword is None and not argument.star for argument in written):
        return False
    return not any(_is_surely_in(linker.evaluate(argument.value, call.frame), name, call) for argument in spread)


def _is_surely_in(mappings: tuple[TracedValue, ...], name: str, call: BoundaryCall) -> bool:
    """Whether an argument is in one mapping since that was made: no code around puts it in later, or takes it out."""
    match mappings:
        case (TracedValue(value=ContainerValue(slots=slots)),):
            found = [slot for slot in slots if slot.key.item == name]
            modules = (call.frame.module, *(slot.frame.module for slot in found))
            return len(found) == 1 and not any(module.has(_changed(name)) for module in modules)
        case _:
            return False


@lru_cache(64)
def _changed(name: str) -> re.Pattern[str]:
    """How code names a key of a mapping, or an attribute of an object, that is there: `settings["num_workers"]`,
    `settings.pop("num_workers", 0)`, `settings.update(num_workers=0)`, `settings.num_workers = 0`."""
    written = rf"""[\[(]\s*["']{name}["']\s*[\]),]|\bupdate\([^()]*\b{name}\s*=|(?<!\bself)\.{name}\s*[-+*/]*=(?!=)"""
    return re.compile(written)


def keyword_arguments(call: BoundaryCall) -> dict[str, WrittenArgument]:
    """The keyword arguments as written in the call, by their names, for fixes; none if the call cannot be found."""
    source = source_tree(call.frame.module.document.text)
    node = source.call_at(call.call.span) if source is not None else None
    if source is None or node is None:
        return {}
    return {each.arg: _as_written(each, each.arg, source) for each in node.keywords if each.arg is not None}


def _as_written(keyword: ast.keyword, name: str, source: SourceTree) -> WrittenArgument:
    start, value = source.offset(keyword.lineno, keyword.col_offset), source.span(keyword.value)
    is_name = isinstance(keyword.value, ast.Name | ast.Attribute)
    return WrittenArgument(Span(start, start + len(name)), value, source.segment(value), is_name)


def is_none_written(call: BoundaryCall, name: str) -> bool:
    """Whether a None is written for an argument, by whoever gives it or as the default of a parameter: an attribute
    that is None at first is set later."""
    passed = passed_first(call.arguments.get(name))
    return passed is None or says_none(passed.expr)
