"""Mappings whose items are attributes, too: a `__getattr__` that gives `self[name]` raises KeyError for a name that is
not there, where whoever asks expects AttributeError. `copy.deepcopy` asks each object for `__deepcopy__` so (measured
with CPython 3.11; unpickling and `copy.copy` ask the class)."""

from __future__ import annotations

import ast

from lintpickle.analyses.calls_and_values.hierarchies import defines, node_of
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Name
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Site
from lintpickle.interpreter.protocols import Ancestor

_MAPPINGS = frozenset({"builtins.dict", "collections.OrderedDict"})
_HOOK = "__getattr__"
_ANSWERING = ("__missing__", "__getitem__", "__deepcopy__", "__getattribute__")


def asks_its_items(line: tuple[Ancestor, ...]) -> Site | None:
    """Where a class with these ancestors, itself the first, says that attributes are items; None if it does not, or
    answers for `__deepcopy__`."""
    if defines(line, *_ANSWERING) or not any(
        isinstance(each, ExternalValue) and each.path in _MAPPINGS for each in line
    ):
        return None
    for owner in line:
        if not isinstance(owner, ClassValue):
            return None
        method, given = owner.facts.methods.get(_HOOK), owner.facts.body.get(_HOOK)
        if method is not None:
            return Site(owner.module, method.header) if _gives_item(method, owner) else None
        match given:
            case Attribute(base=Name(name="dict"), name="__getitem__"):
                return Site(owner.module, given.span)
            case None:
                pass
            case _:
                return None
    return None


def _gives_item(method: FunctionFacts, owner: ClassValue) -> bool:
    """Whether the method does nothing but `return self[name]`."""
    found = node_of(owner.module, method)
    if found is None or found[1].decorator_list or len(method.parameters) != 2:
        return False
    me, name = (each.name for each in method.parameters)
    body = found[1].body[1:] if ast.get_docstring(found[1], clean=False) is not None else found[1].body
    match body:
        case [ast.Return(value=ast.Subscript(value=ast.Name(id=of), slice=ast.Name(id=key)))]:
            return (of, key) == (me, name)
        case [ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="__getitem__"), args=given))]:
            names = [each.id for each in given if isinstance(each, ast.Name)]
            return (of, names) in ((me, [name]), ("dict", [me, name]))
        case _:
            return False
