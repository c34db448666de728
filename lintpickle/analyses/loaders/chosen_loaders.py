"""Loaders in a branch that a caller chooses by one argument while it gives what the loader gets by another one."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.loaders.loader_arguments import literal
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Doubt, Frame
from lintpickle.interpreter.frames import passed_first
from lintpickle.payload.linker import Linker


def is_chosen_for_others(call: BoundaryCall, name: str, linker: Linker) -> bool:
    """Whether it is not known that a caller which gives a loader an argument chooses the branch in which that is made
    (`make("train", batch_size=None)`), and others give something else for it: the branch may be theirs."""
    if Doubt.CONDITION not in call.doubts:
        return False
    conditions = linker.conditions
    is_chosen = any(
        conditions.choose(place, frame) and conditions.reaches(place, frame) is None
        for frame, place in _ways(call, name)
    )
    given = literal(call, name, linker)
    same = (each for each in linker.boundary_calls() if each.site == call.site) if is_chosen else ()
    return any(literal(each, name, linker) != given for each in same)


def _ways(call: BoundaryCall, name: str) -> Iterator[tuple[Frame, Span]]:
    """The places by which a call leads to the loader that gives it an argument, the innermost first."""
    given = passed_first(call.arguments.get(name))
    home = given.frame if given is not None else call.frame
    frame, place = call.frame, call.call.span
    while frame is not home:
        yield frame, place
        if frame.called_by is None:
            return
        frame, inner = frame.called_by
        place = inner.span
