"""What an attribute holds that ships without its object, after what has been done to the object by then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.call_graph.handed_on import after_handing_on
from lintpickle.call_graph.running import after_calls
from lintpickle.facts.values import Attribute, Expr, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, Hop, InstanceValue, Site, TracedValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.pickle_time import PickleTime


def as_filled(
    value: Expr | None,
    frame: Frame | None,
    hops: Sequence[Hop],
    pickling: PickleTime | None,
    evaluator: Evaluator,
) -> Iterator[TracedValue]:
    """What an attribute that ships alone, or in a container that is written out in a frame, holds after the methods
    that have been called on its object by then: `jobs.add(…)`, then `pool.map(run, jobs.waiting)`;
    `self.start_hooks()`, then `torch.save({"hooks": self.hooks}, …)`. Nothing where none has been called."""
    read = without_narrowing(value) if value is not None else None
    if not isinstance(read, Attribute) or frame is None or pickling is None or frame.function.name == "__init__":
        return  # What a constructor has stored by then is known.
    moment = (pickling.call if frame is pickling.frame else read).span.start
    for owner in evaluator.evaluate(read.base, frame):
        if not isinstance(owner.value, InstanceValue) or owner.value.call is None:
            continue
        filled = after_calls(owner.value, hops, evaluator, _method_under_way(owner.value, frame))
        filled = after_handing_on(filled, frame, moment, evaluator)
        if filled is not owner.value:
            found = evaluator.classes.instance_attribute(filled, read.name, Site(frame.module, read.span))
            yield from (each.by_way_of(owner) for each in found)


def _method_under_way(instance: InstanceValue, frame: Frame) -> str:
    """The method of an object that its maker has called and that has led to a frame; "" if that is not known."""
    while frame.called_by is not None:
        if frame.called_by[1] is instance.call:
            return frame.function.name
        frame = frame.called_by[0]
    return ""
