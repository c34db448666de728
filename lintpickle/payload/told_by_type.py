"""What an attribute cannot be where it is shipped, because a test on the way has asked for its type:
`if isinstance(self.table, dict): return copy.deepcopy(self.table)`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lintpickle.facts.values import Attribute, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, Frame, TracedValue
from lintpickle.interpreter.evaluator import Evaluator


def not_told_apart(values: Sequence[TracedValue], bound: Bound, evaluator: Evaluator) -> Sequence[TracedValue]:
    """The values of an argument, but for those of another type than the tests say that lead to it."""
    read = without_narrowing(bound.expr) if bound.expr is not None else None
    if not isinstance(read, Attribute) or bound.frame is None or not values:
        return values
    code, frame = bound.frame.module.code, bound.frame
    written = code[read.span.start : read.span.end]
    return [
        each
        for each in values
        if not any(
            _is_still_so(written, asked, read.span.start, frame)
            for asked in evaluator.conditions.types_denying(each.value, written, read.span, frame)
        )
    ]


def _is_still_so(written: str, asked: int, place: int, frame: Frame) -> bool:
    """Whether nothing between a test and a place may have given the attribute another value."""
    owner = re.escape(written.partition(".")[0])
    changing = re.compile(rf"\b{re.escape(written)}\s*(?::[^=\n]+)?=(?!=)|\b{owner}(?:\.\w+)*\(")
    return changing.search(frame.module.code, asked, place) is None
