"""Dictionaries of own classes whose `__setitem__` keeps the items in an attribute: nothing that it gets comes to be an
item of the dictionary itself, so that pickle, which asks `dict.items()` for them, has none to set.

Measured with CPython 3.11: of `self._data[key] = value`, `pickle.loads()` calls no `__setitem__`; it does if the class
has an `items` of its own that gives what is in the attribute, and for items that `dict.update()` has put in."""

from __future__ import annotations

import ast

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.pickle_hooks.filled_before_state import FindMethod
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue

_ASKED_BY_PICKLE = "items"


def keeps_items_elsewhere(owner: ClassValue, setitem: FunctionFacts, find: FindMethod) -> bool:
    """Whether a `__setitem__` puts what it gets into an attribute of the object, under the same key, and never into
    the dictionary that the object is. `find` gives the methods of the object."""
    found = node_of(owner.module, setitem)
    if found is None or len(found[1].args.args) != 3 or find(_ASKED_BY_PICKLE) is not None:
        return False
    method = found[1]
    me, key = (each.arg for each in method.args.args[:2])
    nodes = list(ast.walk(method))
    return any(_is_kept(node, me, key) for node in nodes) and not any(
        _may_reach_dictionary(node, me, find) for node in nodes
    )


def _is_kept(node: ast.AST, me: str, key: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=holder)), slice=ast.Name(id=under), ctx=ast.Store()):
            return holder == me and under == key
        case _:
            return False


def _may_reach_dictionary(node: ast.AST, me: str, find: FindMethod) -> bool:
    """Whether it is one by which items get into the dictionary: of its base class, or a method that it has of that."""
    match node:
        case ast.Name(id="super" | "dict"):
            return True
        case ast.Attribute(value=ast.Name(id=holder), attr=name) if holder == me:
            return hasattr(dict, name) and find(name) is None
        case ast.Call(args=given, keywords=named):
            return any(isinstance(each, ast.Name) and each.id == me for each in (*given, *(k.value for k in named)))
        case _:
            return False
