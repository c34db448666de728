"""How the code that starts workers writes what it gives them."""

from __future__ import annotations

import ast

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.task_calls import task_call
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Frame


def variable_given(place: int, boundary: BoundaryCall) -> str | None:
    """The local variable that is passed at a place of `args=(…)`, to `submit`, or to a task of joblib."""
    task = task_call(boundary)
    call = call_as_written(task if task is not None else boundary.call, boundary.frame)
    if call is None:
        return None
    named = next((each.value for each in call.keywords if each.arg == "args"), None)
    if named is None and boundary.spec.kind in ("pool", "spawn") and len(call.args) > 1:
        named = call.args[1]
    rest = call.args if task is not None else call.args[1:]
    given = named.elts if isinstance(named, (ast.Tuple, ast.List)) else rest if named is None else []
    found = given[place] if place < len(given) else None
    return found.id if isinstance(found, ast.Name) else None


def call_as_written(call: Call, frame: Frame) -> ast.Call | None:
    """A call as its module writes it."""
    written = frame.module.expression(call.span)
    return written if isinstance(written, ast.Call) else None
