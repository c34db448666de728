"""Loops that go on as long as a call gives something true: `while process.is_alive():`."""

from __future__ import annotations

import ast

from msgspec import Struct

from lintpickle.analyses.waiting.waits import holds_while, never_ends
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame


class LoopWhile(Struct, frozen=True):
    """Such a loop: from its `while` to the end of its test, and what it does in each round."""

    node: ast.While
    begin: Span
    body: Span


def loop_while(asked: Span, frame: Frame) -> LoopWhile | None:
    """The innermost loop of a function that goes on as long as the call at a place gives something true, whatever else
    holds."""
    source = source_tree(frame.module.code)
    around = [*source.nodes_within(frame.function.span)] if source is not None else []
    found: LoopWhile | None = None
    for loop in around:
        if source is None or not isinstance(loop, ast.While):
            continue
        calls = (each for each in ast.walk(loop) if isinstance(each, ast.Call) and source.span(each) == asked)
        call = next(calls, None)
        if call is not None and never_ends(loop, holds_while(call, True)):
            start = source.span(loop).start
            body = Span(source.span(loop.body[0]).start, source.span(loop.body[-1]).end)
            found = LoopWhile(loop, Span(start, source.span(loop.test).end), body)
    return found
