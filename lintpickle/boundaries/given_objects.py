"""Methods that are called on what an object was given when it was made: `self.executor.submit(work, 3)`."""

from __future__ import annotations

from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Parameter, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import UNKNOWN, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrame


def is_on_given_attribute(event: Called, root: RootFrame, evaluator: Evaluator) -> bool:
    """Whether a method that can be a boundary is called on an attribute of the object, of which nothing is known but
    that the constructor gets it."""
    function = event.call.function
    held = without_narrowing(function.base) if isinstance(function, Attribute) else None
    if not isinstance(function, Attribute) or not isinstance(held, Attribute) or root.is_constructor:
        return False
    me = without_narrowing(held.base)
    if not isinstance(me, Parameter) or me.name != root.instance_name:
        return False
    if function.name not in evaluator.catalog.boundary_methods() or not _is_given(held.name, root, evaluator):
        return False
    return all(each.value is UNKNOWN for each in evaluator.evaluate(held, root.frame))


def _is_given(attribute: str, root: RootFrame, evaluator: Evaluator) -> bool:
    """Whether the constructor stores a parameter of its own in an attribute."""
    bound = root.frame.bindings.get(root.instance_name or "")
    if bound is None or not isinstance(bound.value, InstanceValue):
        return False
    return any(
        isinstance(without_narrowing(option), Parameter)
        for held in evaluator.classes.states.state(bound.value)
        if held.attribute == attribute and held.direct
        for option in options_of(held.value)
    )
