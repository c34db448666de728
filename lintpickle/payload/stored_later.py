"""What an attribute that is passed does not hold yet when it is read: `Process(target=work, args=(self.data,))`, and
`self.data = Lock()` when that has been started."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.facts.values import Attribute, Expr, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, TracedValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.pickle_time import PickleTime


def not_stored_later(
    values: Sequence[TracedValue], value: Expr | None, frame: Frame | None, pickling: PickleTime, evaluator: Evaluator
) -> Sequence[TracedValue]:
    """The values of what a boundary ships, but for those that are stored in the attribute that is read there only when
    the boundary has pickled: in their place, what it held before."""
    read = without_narrowing(value) if value is not None and values else None
    if not isinstance(read, Attribute) or frame is None or frame.function is not pickling.frame.function:
        return values
    states = [
        evaluator.classes.states.state(owner.value)
        for owner in evaluator.evaluate(read.base, frame)
        if isinstance(owner.value, InstanceValue)
    ]
    held = [each for state in states for each in state if each.attribute == read.name]
    later = [each for each in held if each.direct and pickling.is_without(each)]
    if not later:
        return values
    absent = {traced.site for each in later for traced in evaluator.evaluate(each.value, each.frame)}
    others = [each for each in held if each not in later]
    absent -= {traced.site for each in others for traced in evaluator.evaluate(each.value, each.frame)}
    there = [each for each in values if each.site not in absent]
    known = {each.site for each in there}
    before = [each for stored in later for each in stored.before if each.direct and not pickling.is_without(each)]
    found = [traced for each in before for traced in evaluator.evaluate(each.value, each.frame)]
    return [*there, *(each for each in found if each.site not in known)]
