"""Contexts that a branch gives together with no workers (`if WINDOWS: context, workers = "spawn", 0`), and loaders that
are made where a condition says that there are none (`if n > 0: ... else: DataLoader(..., num_workers=n)`)."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.claims import tests_in
from lintpickle.control_flow.paths import Paths
from lintpickle.interpreter.abstract_values import Site, TracedValue

_NONE = frozenset(
    {(ast.Gt, 0, False), (ast.GtE, 1, False), (ast.NotEq, 0, False), (ast.Lt, 1, True), (ast.LtE, 0, True)}
    | {(ast.Eq, 0, True)}
)
"""Comparisons of a number of workers by which there are none, each with its answer."""


def without_idle(contexts: Sequence[TracedValue], boundary: BoundaryCall) -> list[TracedValue]:
    """Those of the contexts that a boundary is given that some workers may be started by; all, if that are none."""
    paths = boundary.frame.paths
    number = _workers_given(boundary) if len(contexts) > 1 else None
    if not isinstance(number, ast.Name):
        return [*contexts]
    given, may_be_else = paths.reaching(number.id, paths.position(boundary.call.span.start))
    if may_be_else and boundary.frame.function.parameter(number.id) is not None:
        return [*contexts]
    places = [(each, paths.offset((each.lineno, each.col_offset))) for each in given if each is not None]
    none = [place for each, place in places if isinstance(each, ast.Constant) and each.value == 0]
    some = [place for _, place in places if place not in none]
    around = Site(boundary.frame.module, boundary.frame.function.span)

    def is_idle(context: TracedValue) -> bool:
        place = context.site.span.start
        return around.contains(context.site) and any(
            _stand_together(place, each, paths) and all(paths.exclude_each_other(each, other) for other in some)
            for each in none
        )

    is_seen = len(places) == len(given) and bool(none)
    return ([each for each in contexts if not is_idle(each)] if is_seen else []) or [*contexts]


def is_made_without_workers(boundary: BoundaryCall) -> bool:
    """Whether a condition around the call says that the number of workers which it is given is none."""
    number = _workers_given(boundary)
    if not isinstance(number, ast.Name | ast.Attribute):
        return False
    written = ast.dump(number)
    around = boundary.frame.paths.conditions_around(boundary.call.span.start)
    return any(_says_none(test, answer, written) for each in around for test, answer in tests_in(*each))


def _says_none(test: ast.expr, answer: bool, written: str) -> bool:
    match test:
        case ast.Compare(left=left, ops=[operator], comparators=[ast.Constant(value=value)]):
            return ast.dump(left) == written and (type(operator), value, answer) in _NONE
        case _:
            return not answer and ast.dump(test) == written


def _stand_together(first: int, second: int, paths: Paths) -> bool:
    """Whether two places stand in the same branch of a condition, so that a run gets to both or to none."""
    ways = [[(id(step.node), step.arm) for step in paths.steps(each)] for each in (first, second)]
    return bool(ways[0]) and ways[0] == ways[1]


def _workers_given(boundary: BoundaryCall) -> ast.expr | None:
    """What the call is given by the name of its parameter for the number of workers, as it is written."""
    parameter, call = boundary.spec.workers, boundary.call
    if parameter is None or call.keyword(parameter) is None:
        return None
    return boundary.frame.module.keyword_written(call.span, parameter)
