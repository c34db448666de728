"""Main processes that are the first of a group: they start the others, and run the same function as these."""

from __future__ import annotations

import ast
import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.payload.protocols import LinkedProgram

_KINDS = ("spawn", "process")
_FIRST = re.compile(
    r"(?:is_?)?(?:main|master|chief|leader)(?:_?(?:process|rank))?|is_?(?:rank_?(?:0|zero)|first(?:_(?:process|rank))?)",
    re.IGNORECASE,
)
"""What programs call the question whether a process is the first one of its group."""
_RANK = re.compile(r"(?:get_)?(?:(?:global|world|process)_?)?rank", re.IGNORECASE)
_FIRST_NUMBER = re.compile(r"0|-\s*\d+")
"""The number of the first process, or one that the function makes it from: spawned processes count from 0."""


def is_for_main_alone(place: Span, frame: Frame, boundary: BoundaryCall | None, linker: LinkedProgram) -> bool:
    """Whether only the first process of a group gets to a place, and that is the one that starts the workers."""
    if boundary is None or boundary.spec.kind not in _KINDS:
        return False
    if not any(_asks_for_first(test, holds) for test, holds in linker.conditions.tests_before(place, frame)):
        return False
    return linker.remembered(("main as first", boundary), lambda: _runs_it_too(boundary, linker))


def _asks_for_first(test: ast.expr, holds: bool) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _asks_for_first(inner, not holds)
        case ast.BoolOp(op=ast.And(), values=parts) if holds:
            return any(_asks_for_first(each, True) for each in parts)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as compared], comparators=[ast.Constant(value=0)]):
            return holds is isinstance(compared, ast.Eq) and _RANK.fullmatch(_name(left)) is not None
        case _:
            name = _name(test)
            return (_FIRST if holds else _RANK).fullmatch(name) is not None


def _name(asked: ast.expr) -> str:
    match asked:
        case ast.Call(func=function):
            return _name(function)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _runs_it_too(boundary: BoundaryCall, linker: LinkedProgram) -> bool:
    """Whether the function that starts workers runs what they run itself, in the same run, and gives it a number that
    is written out: its own."""
    frame, place = boundary.frame, boundary.call.span.start
    run = _function(boundary, linker)
    return run is not None and any(
        isinstance(event, Called)
        and any(_FIRST_NUMBER.fullmatch(_written(each.value.span, frame)) for each in event.call.arguments)
        and not frame.paths.exclude_each_other(event.span.start, place)
        and any(
            isinstance(traced.value, FunctionValue) and traced.value.facts is run
            for traced in linker.evaluator.evaluate(event.call.function, frame)
        )
        for event in frame.function.events
    )


def _function(boundary: BoundaryCall, linker: LinkedProgram) -> FunctionFacts | None:
    role = boundary.spec.functions[0]
    found = [traced.value for traced in boundary.value(role, linker.evaluator)]
    match found:
        case [FunctionValue(facts=facts)]:
            return facts
        case _:
            return None


def _written(span: Span, frame: Frame) -> str:
    return frame.module.code[span.start : span.end]
