"""Of the options that a value has, and of what a function returns: those to which a run in a frame gets."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.facts.values import Expr, options_of
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.interpreter.protocols import Interpreter


def taken_options(value: Expr, frame: Frame, evaluator: Interpreter) -> Sequence[Expr]:
    """The options of a choice, but for those that stand in branches to which the function of a frame does not get; all
    of them if it gets to none."""
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
    return taken or options


def taken_returns(frame: Frame, evaluator: Interpreter) -> Sequence[Expr]:
    """What the function of a frame returns, but for the returns to which this call of it does not get."""
    returns, places = frame.function.returns, frame.function.return_places
    if len(returns) + frame.function.may_give_none < 2 or len(places) < len(returns):
        return returns
    may_get_to = evaluator.conditions.may_get_to
    return [value for value, place in zip(returns, places, strict=True) if may_get_to(place, frame)]
