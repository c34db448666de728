"""What the calls on the way to a place of a program give the functions that they call."""

from __future__ import annotations

from lintpickle.analyses.calls_and_values.ways_of_programs import ProgramWay
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Expr, Parameter, without_narrowing


def traced_back(value: Expr, way: ProgramWay) -> tuple[Expr, ProgramWay]:
    """What the calls on a way give for an expression at its end, where that is a parameter, as far back as it is seen,
    and the way to the call that gives it."""
    inner = without_narrowing(value)
    passed = _passed_on(inner.name, way) if isinstance(inner, Parameter) and len(way) > 1 else None
    return traced_back(passed, way[:-1]) if passed is not None else (value, way)


def _passed_on(parameter: str, way: ProgramWay) -> Expr | None:
    """What the last call on a way gives the function at its end for a parameter; None if that is not seen."""
    function, caller, at = way[-1].function, way[-2].function, way[-2].span
    places = [each.name for each in function.parameters]
    for event in caller.events:
        if isinstance(event, Called) and event.span.start <= at.start < event.span.end and parameter in places:
            named = event.call.function
            bound = isinstance(named, Attribute) and "." in function.qualname and not function.is_local
            if named.span.end == at.end - 1:
                return event.call.argument(parameter, places.index(parameter) - bound)
    return None
