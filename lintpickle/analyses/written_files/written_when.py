"""When something is written: which values never are, because the conditions under which they are made and those under
which the call that writes is made exclude each other (`if raw: return parts`, and `if not raw: torch.save(…)`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.claims import Claim, contradict
from lintpickle.control_flow.steps import start_of
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call, Expr
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, Site
from lintpickle.interpreter.call_claims import argument_passed, asked_variable, places_stored, reads_alone
from lintpickle.interpreter.evaluator import Evaluator


class WrittenWhen:
    """What is true when a call writes something, in each of the functions that lead to it."""

    def __init__(self, call: BoundaryCall, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._way = tuple(_way_to(call))

    def excludes(self, value: Expr, frame: Frame) -> bool:
        """Whether the call is never made where a value is made by a function that leads to it."""
        return Site(frame.module, frame.function.span).contains(Site(frame.module, value.span)) and any(
            frame is around and self._contradicts(self._claims(value.span, frame), around, written)
            for around, written in self._way
        )

    def returned(self, call: Call, frame: Frame) -> list[tuple[Expr, Frame]] | None:
        """What a function of the program returns where the call that writes may be made, if that is not all that it
        can return; else None."""
        around = next((each for each in self._way if each[0] is frame), None)
        called = [each.value for each in self._evaluator.evaluate(call.function, frame)] if around is not None else []
        if around is None or len(called) != 1 or not isinstance(called[0], FunctionValue):
            return None
        facts = called[0].facts
        is_plain = not (called[0].opaque or facts.decorators or facts.is_generator or facts.is_async)
        if not is_plain or len(facts.returns) < 2 or len(facts.returns) != len(facts.return_places):
            return None
        inner = self._evaluator.enter(called[0], call, frame)
        if inner is None:
            return None
        kept = [
            value
            for value, place in zip(facts.returns, facts.return_places, strict=True)
            if not self._contradicts(self._passed(place, inner, call, frame), *around)
        ]
        return [(value, inner) for value in kept] if len(kept) < len(facts.returns) else None

    def _claims(self, place: Span, frame: Frame) -> tuple[Claim, ...]:
        return self._evaluator.conditions.claims_before(place, frame)

    def _passed(self, place: Span, inner: Frame, call: Call, frame: Frame) -> Iterator[Claim]:
        """What is true at a place of a function that is called, of what the call passes; each claim with the argument,
        as it is read by itself."""
        for claim in self._claims(place, inner):
            name = asked_variable(claim)
            if name is not None and inner.function.parameter(name) is not None and not inner.paths.binds(name):
                argument = argument_passed(name, call, inner, frame)
                if argument is not None:
                    place_of_call = frame.paths.position(call.span.start)
                    argument.lineno, argument.col_offset = place_of_call
                    yield replace(claim, subject=ast.dump(argument), test=argument)

    def _contradicts(self, made: Iterator[Claim] | tuple[Claim, ...], frame: Frame, written: Span) -> bool:
        known = self._claims(written, frame)
        return bool(known) and any(
            contradict(one, other) and _are_of_one_value(one, other, frame) for one in made for other in known
        )


def _way_to(call: BoundaryCall) -> Iterator[tuple[Frame, Span]]:
    """The functions that lead to a call, the innermost first, and the places in them that do."""
    frame = call.frame
    yield frame, call.call.span
    while frame.called_by is not None:
        frame, inner = frame.called_by
        yield frame, inner.span


def _are_of_one_value(one: Claim, other: Claim, frame: Frame) -> bool:
    """Whether what two tests of a function read is the same thing, and nothing stores it in between, or in a loop that
    is around one of them."""
    if not reads_alone(one.test) or not reads_alone(other.test):
        return False
    tests = [start_of(each.test) for each in (one, other)]
    stores = list(places_stored(one.test, frame))
    if any(min(tests) < place for place in stores):
        return False
    share_a_loop, offset = frame.paths.share_a_loop, frame.paths.offset
    return not any(share_a_loop(offset(place), offset(test)) for place in stores for test in tests)
