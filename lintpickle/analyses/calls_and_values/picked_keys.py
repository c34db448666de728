"""Keys that pass a test before something is put into a dict under them: `if key.startswith("_"): data[key] = part`."""

from __future__ import annotations

import ast

from lintpickle.control_flow.claims import claims
from lintpickle.diagnostics import Span
from lintpickle.facts.records import ItemStore
from lintpickle.facts.values import Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import BrokenSyntax, parse


def is_picked(key: Expr, value: Expr, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether a function puts a value of several into a container only where a test of its key picks that. A test that
    only leaves some out (`if key != "step":`) picks none."""
    put = without_narrowing(value)
    if not isinstance(put, Item):
        return False
    under = (each for each in frame.function.events if isinstance(each, ItemStore) and each.key is key)
    stores = [each for each in under if without_narrowing(each.value) is put]
    return bool(stores) and all(_is_asked_for(each.span, frame, evaluator) for each in stores)


def _is_asked_for(place: Span, frame: Frame, evaluator: Evaluator) -> bool:
    names = _names_of_key(frame.module.code[place.start : place.end])
    for test, holds in evaluator.conditions.tests_before(place, frame):
        for claim in claims(test, holds):
            asked = {each.id for each in within(claim.test) if isinstance(each, ast.Name)}
            if claim.answer and not names.isdisjoint(asked):
                return True
    return False


def _names_of_key(statement: str) -> set[str]:
    """The variables of which the key is made under which a statement stores something."""
    try:
        tree = parse(statement)
    except BrokenSyntax:
        return set()
    keys = (each.slice for each in within(tree) if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store))
    return {each.id for key in keys for each in within(key) if isinstance(each, ast.Name)}
