"""Suspended attributes: those that a context manager of the object (`with task.detached():`) may change during
pickling."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from lintpickle.control_flow.paths import MAX_TABLES, Paths
from lintpickle.facts.records import Called, Delete, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.pickle_time import PickleTime

_WITH = re.compile(r"\bwith\b")


def may_be_suspended(instance: InstanceValue, attribute: str, pickling: PickleTime, evaluator: Evaluator) -> bool:
    """Whether an object is pickled inside of `with object.method():`, where the method, which is read, may give the
    attribute another value for the time."""
    paths = pickling.frame.paths
    if not paths.has(_WITH):
        return False
    around = _contexts_around(pickling.call.span.start, paths)
    for event in pickling.frame.function.events if around else ():
        if isinstance(event, Called) and isinstance(event.call.function, Attribute) and event.span.start in around:
            found = evaluator.classes.find_method(instance, event.call.function.name)
            is_changing = found is not None and _may_change(attribute, found[1])
            if is_changing and _is(event.call.function.base, instance, pickling, evaluator):
                return True
    return False


@lru_cache(maxsize=MAX_TABLES)
def _contexts_around(place: int, paths: Paths) -> frozenset[int]:
    """Where the calls start that make the context managers around a place. Remembered: all that one boundary ships asks
    the same."""
    tree, row = paths.in_tree(place)
    return frozenset(
        paths.offset((item.context_expr.lineno, item.context_expr.col_offset))
        for node in ast.walk(tree)
        if isinstance(node, ast.With) and node.body[0].lineno <= row <= (node.end_lineno or row)
        for item in node.items
        if isinstance(item.context_expr, ast.Call)
    )


def _may_change(attribute: str, method: FunctionFacts) -> bool:
    """Whether a method stores or deletes an attribute of its object, or hands the object to code that may."""
    if not method.parameters or method.decorated_by("staticmethod", "classmethod"):
        return False
    me = method.parameters[0].name
    for event in method.events:
        match event:
            case (
                Store(target=Parameter(name=name), attribute=stored)
                | Delete(target=Parameter(name=name), attribute=stored)
            ) if name == me and stored == attribute:
                return True
            case ItemStore(target=Attribute(base=Parameter(name=name), name="__dict__")) if name == me:
                return True
            case Called(call=call) if _is_handed_on(me, call):
                return True
            case _:
                pass
    return False


def _is_handed_on(me: str, call: Call) -> bool:
    """Whether a call gets the object, and does not only look at it, or is one of its methods or of its `__dict__`."""
    is_looking = isinstance(call.function, Name) and call.function.name in ("getattr", "hasattr", "isinstance", "print")
    match call.function:
        case Attribute(base=Attribute(base=base, name="__dict__")) | Attribute(base=base) if _is_parameter(base, me):
            return True
        case _:
            return not is_looking and any(_is_parameter(argument.value, me) for argument in call.arguments)


def _is_parameter(value: Expr, name: str) -> bool:
    return isinstance(value, Parameter) and value.name == name


def _is(value: Expr, instance: InstanceValue, pickling: PickleTime, evaluator: Evaluator) -> bool:
    """Whether an expression of the function that pickles is the object."""
    values = (traced.value for traced in evaluator.evaluate(value, pickling.frame))
    return any(
        isinstance(abstract, InstanceValue)
        and abstract.class_.facts is instance.class_.facts
        and abstract.call is instance.call
        for abstract in values
    )
