"""Methods that are called only on what has an attribute which pools lack: `if hasattr(self.pool, "client"):
self.pool.apply_async(…)` is for the pool of another library."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.claims import tests_in
from lintpickle.facts.values import Attribute
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator

_CLASSES = {"mp-pool": ("multiprocessing.pool", "Pool")}
"""Where the standard library has the classes of what the catalog names so: what these have, CPython itself says."""
_PROPERTY = "property"


def is_for_others(boundary: BoundaryCall, evaluator: Evaluator) -> bool:
    """Whether it is asked before a method is called if its object has an attribute that objects of the kind with that
    boundary do not have, by `hasattr` or by a property of the object around (`if self.is_cluster:`)."""
    function, frame = boundary.call.function, boundary.frame
    home = _CLASSES.get(boundary.spec.path.partition(".")[0])
    if home is None or not isinstance(function, Attribute) or not frame.paths.has_condition_before(boundary.call.span):
        return False
    receiver = frame.module.expression(function.base.span)
    asked = {
        name
        for test, holds in evaluator.conditions.tests_before(boundary.call.span, frame)
        for part, answer in tests_in(test, holds)
        for name in _attribute_asked(part, receiver, frame, evaluator)
        if answer and not name.startswith("_")
    }
    return bool(asked) and not all(hasattr(getattr(import_module(home[0]), home[1]), name) for name in asked)


def _attribute_asked(
    test: ast.expr, receiver: ast.expr | None, frame: Frame, evaluator: Evaluator, in_property: bool = False
) -> Iterator[str]:
    """The name for which a test asks an object."""
    match test:
        case ast.Call(func=ast.Name(id="hasattr"), args=[of, ast.Constant(value=str() as name)]):
            if receiver is not None and ast.dump(of) == ast.dump(receiver):
                yield name
        case ast.Attribute(value=ast.Name(id=me), attr=name) if not in_property and me in frame.bindings:
            returned = _returned_by_property(name, me, frame, evaluator)
            if returned is not None:
                yield from _attribute_asked(returned, receiver, frame, evaluator, True)
        case _:
            pass


def _returned_by_property(name: str, me: str, frame: Frame, evaluator: Evaluator) -> ast.expr | None:
    """What a property of the object that a method has under a name does nothing but to return."""
    itself = frame.bindings[me].value
    found = evaluator.classes.find_method(itself, name) if isinstance(itself, InstanceValue) else None
    if found is None or not found[1].decorated_by(_PROPERTY) or found[1].parameters[0].name != me:
        return None
    match found[1].returns:
        case (value,) if not found[1].may_give_none:
            return found[0].module.expression(value.span)
        case _:
            return None
