"""Objects for which `__getstate__` gives None: pickle then sends no state, and does not call `__setstate__` either."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, node_of, plain_ancestors
from lintpickle.analyses.pickle_hooks.dropped_state import is_made_later
from lintpickle.analyses.pickle_hooks.own_state import is_needed
from lintpickle.facts.records import FunctionFacts, Raised
from lintpickle.facts.values import Constant, options_of
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.interpreter.hook_runs import Fate
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker

HOOK, _ARRIVING = "__getstate__", "__setstate__"
_MADE_OTHERWISE = ("__new__", "__getattr__", "__getattribute__", "__deepcopy__")
"""What may give an object attributes that is sent without a state."""


class NoneState(Struct, frozen=True):
    """The attribute that objects of a class miss first, and the hook of `owner` that gives None: always, or because
    nothing is left of the state."""

    owner: ClassValue
    site: Site
    attribute: str
    is_always: bool


def none_state(class_: ClassValue, linker: Linker) -> NoneState | None:
    """What is lost of objects of a class because their state is None."""
    found = linker.classes.find_method(class_, HOOK)
    line = plain_ancestors(class_, linker.classes)
    if found is None or line is None or defines(line, *REDUCERS, *_MADE_OTHERWISE):
        return None
    owner, method = found
    is_always = _is_always_none(method)
    if not is_always and not _is_none_without_items(owner, method):
        return None
    instance = linker.activations.instance(class_)
    state = [held for held in linker.classes.states.state(instance) if held.direct]
    if not is_always:
        shipped = Shipped(instance, linker.evaluator)
        is_called_for = linker.classes.find_method(class_, _ARRIVING) is not None
        if not is_called_for or any(shipped.fate(held.name) is not Fate.LEFT_OUT for held in state):
            return None
    missed = next((held.attribute for held in state if _is_missed(held.attribute, line)), None)
    return NoneState(owner, Site(owner.module, method.header), missed, is_always) if missed is not None else None


def _is_missed(attribute: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether methods read an attribute that only construction and unpickling make."""
    has_default = any(attribute in each.facts.methods or attribute in each.facts.body for each in line)
    is_read = any(is_needed(attribute, each) for each in line)
    return is_read and not has_default and not is_made_later(attribute, line, {_ARRIVING})


def _is_always_none(method: FunctionFacts) -> bool:
    is_plain = not (method.decorators or method.is_generator or method.is_async)
    given = [option for value in method.returns for option in options_of(value)]
    is_none = all(isinstance(each, Constant) and each.value is None for each in given)
    is_refusing = any(isinstance(event, Raised) for event in method.events)
    return is_plain and is_none and (bool(given) or method.may_give_none) and not is_refusing


def _is_none_without_items(owner: ClassValue, method: FunctionFacts) -> bool:
    """Whether the hook gives None instead of a state in which nothing is: `return state or None`."""
    found = node_of(owner.module, method)
    if found is None:
        return False
    nodes = [*within(found[1])]
    returned = {each.value.id for each in nodes if isinstance(each, ast.Return) and isinstance(each.value, ast.Name)}
    return any(_gives_none_if_empty(each, returned) for each in nodes) or (
        method.may_give_none and any(asked in returned for asked in _asked_before_return(nodes))
    )


def _gives_none_if_empty(node: ast.AST, returned: set[str]) -> bool:
    match node:
        case ast.Return(value=ast.BoolOp(op=ast.Or(), values=[*_, ast.Constant(value=None)])):
            return True
        case ast.Return(
            value=ast.IfExp(test=ast.Name(id=asked), body=ast.Name(id=given), orelse=ast.Constant(value=None))
        ):
            return asked == given
        case ast.If(
            test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=asked)),
            body=[ast.Return(value=None | ast.Constant(value=None))],
        ):
            return asked in returned
        case _:
            return False


def _asked_before_return(nodes: list[ast.AST]) -> Iterator[str]:
    """The names that are only returned if they hold something."""
    for node in nodes:
        match node:
            case ast.If(test=ast.Name(id=asked), body=[*_, ast.Return(value=ast.Name(id=given))], orelse=[]):
                if asked == given:
                    yield asked
            case _:
                pass
