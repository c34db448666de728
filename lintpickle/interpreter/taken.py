"""Of the options that a value has, and of what a function returns: those to which a run in a frame gets."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Expr, options_of
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.interpreter.overwritten import not_overwritten
from lintpickle.interpreter.protocols import Interpreter


def taken_options(value: Expr, frame: Frame, evaluator: Interpreter, place: Span | None = None) -> Sequence[Expr]:
    """The options of a choice, but for those that stand in branches to which the function of a frame does not get; all
    of them if it gets to none. With the place of the statement that returns or stores them, without those that the
    function surely overwrites before."""
    options = options_of(value)
    if len(options) < 2:
        return options
    home, may_get_to = Site(frame.module, frame.function.span), evaluator.conditions.may_get_to
    sites = (Site(frame.module, each.span) for each in options)
    taken = [
        option
        for option, site in zip(options, sites, strict=True)
        if not home.contains(site) or may_get_to(site.span, frame)
    ]
    taken = taken or list(options)
    return taken if place is None else not_overwritten(taken, place, frame, evaluator)


def taken_returns(frame: Frame, evaluator: Interpreter) -> Sequence[Expr]:
    """The options of what the function of a frame returns, but for those that this call of it does not return."""
    returns, places = frame.function.returns, frame.function.return_places
    if len(places) < len(returns):
        return [option for value in returns for option in taken_options(value, frame, evaluator)]
    may_get_to = evaluator.conditions.may_get_to
    is_one = len(returns) + frame.function.may_give_none < 2
    return [
        option
        for value, place in zip(returns, places, strict=True)
        if is_one or may_get_to(place, frame)
        for option in taken_options(value, frame, evaluator, place)
    ]
