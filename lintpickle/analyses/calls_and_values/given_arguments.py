"""Places that a function only gets to if a call leaves one of its arguments out: `if theta is None: return draw()`."""

from __future__ import annotations

import ast

from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Frame, is_none
from lintpickle.payload.linker import Linker


def is_passed_by(place: Span, frame: Frame, linker: Linker) -> bool:
    """Whether a call passes a parameter which is None at a place of the function, and what it passes is not seen to be
    None: it does not get there."""
    for claim in linker.evaluator.conditions.claims_before(place, frame):
        match claim.test:
            case ast.Compare(left=ast.Name(id=name)) if claim.compare is ast.Is and claim.other is None:
                if claim.answer and _is_given(name, frame, linker):
                    return True
            case _:
                pass
    return False


def _is_given(name: str, frame: Frame, linker: Linker) -> bool:
    bound = frame.bindings.get(name)
    if bound is None or bound.expr is None or bound.frame is None or frame.paths.binds(name):
        return False
    return not any(is_none(traced.value) for traced in linker.evaluate(bound.expr, bound.frame))
