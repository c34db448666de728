"""Whether all is known of what loaders get: only then it can be told of a dataset that none of them loads it."""

from __future__ import annotations

from lintpickle.interpreter.abstract_values import UNKNOWN, ExternalResult, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.payload.crossings import Crossing

_WHOLE = frozenset({"process", "spawn"})
"""Kinds of boundaries that get all that workers need, datasets among it."""


def is_unclear(crossing: Crossing, evaluator: Evaluator) -> bool:
    """Whether what crosses may be a dataset of any class: it is unknown, or a library's and made from such a thing."""
    kind, spec = crossing.root.kind, crossing.root.spec
    is_loaded = kind == "dataloader" and spec is not None and crossing.role not in spec.functions
    if not is_loaded and kind not in _WHOLE:
        return False
    match crossing.value:
        case ExternalResult(call=call, frame=frame):
            given = (argument.value for argument in call.arguments)
            found = (traced.value for each in given for traced in evaluator.evaluate(each, frame))
            return any(value is UNKNOWN or isinstance(value, InstanceValue) for value in found)
        case value:
            return value is UNKNOWN
