"""What is put into the dictionaries, lists, queues and namespaces of a manager: each of these pickles it at once, and
sends it to the manager's process."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import BoundarySpec
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import ItemStore, Store
from lintpickle.facts.values import Argument, Call
from lintpickle.interpreter.abstract_values import Bound, Doubt, Frame
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.proxies import FILLED, is_proxy
from lintpickle.prefilter.words import Words, alone

MANAGER = re.compile(rf"{alone('Manager')}\s*\(")
"""What stands in every module that makes a manager."""
MANAGERS = Words({"Manager"})
PUTS = re.compile(r"\]\s*(?:[-+|]?=)(?!=)|\.\s*(?:append|extend|insert|put|update|setdefault)\s*\(|\.\w+\s*=(?!=)")
"""What stands in a function that puts something into a proxy."""
INTO_QUEUE = re.compile(r"\.\s*put\s*\(")
"""What stands where something is put into a queue."""
PROXY = "multiprocessing.managers.proxy"
"""The path of the boundary that these are."""
_SPEC = BoundarySpec(
    PROXY,
    "queue",
    ("value",),
    ("value",),
    (),
    None,
    False,
    None,
    tuple(StartMethod),
)


def put_into_proxy(event: Store | ItemStore, frame: Frame, evaluator: Evaluator) -> Iterator[BoundaryCall]:
    """The boundary that an event is, if it puts a value into a proxy of a manager."""
    found = [traced for traced in evaluator.evaluate(event.target, frame) if is_proxy(traced.value, FILLED)]
    reaches = evaluator.conditions.reaches(event.span, frame) if found else False
    if reaches is False:
        return
    call = Call(event.span, event.target, (Argument(event.value, None),))
    doubts = () if reaches else (Doubt.CONDITION,)
    yield BoundaryCall(_SPEC, call, frame, {"value": Bound(event.value, frame)}, False, None, doubts=doubts)
