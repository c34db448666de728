"""How methods use the object's own state."""

from __future__ import annotations

import ast
import re

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Expr, chain
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.program.module import Module

CONSTRUCTION = ("__init__", "__post_init__", "__attrs_post_init__", "__setstate__", "__getstate__", "__del__")
"""Methods that run while an object is made, pickled or deleted."""


class AliasedDict(Struct, frozen=True):
    """The `self.__dict__` that a method changes through a local variable."""

    span: Span
    text: str


def is_needed(attribute: str, class_: ClassValue) -> bool:
    """Whether a method other than those of construction and pickling reads the attribute without checking first."""
    text = class_.module.code
    asked = re.compile(
        rf"""hasattr\(\s*self\s*,\s*["']{re.escape(attribute)}["']|getattr\(\s*self\s*,\s*["']{re.escape(attribute)}["']"""
    )
    read = re.compile(rf"\bself\.{re.escape(attribute)}\b(?!\s*=[^=])")
    return any(
        read.search(text, method.span.start, method.span.end)
        and not asked.search(text, method.span.start, method.span.end)
        for method in class_.facts.methods.values()
        if method.name not in CONSTRUCTION
    )


def error_if_none(attribute: str, class_: ClassValue) -> str | None:
    """The error with which a method other than those of construction and pickling uses the attribute if it is None;
    None if no method does so without asking first."""
    text, me = class_.module.code, rf"\bself\.{re.escape(attribute)}\b"
    asked = re.compile(rf"{me}\s+(?:is|and|or|if|else)\b|\b(?:if|not|while|and|or)\s+{me}\s*[:)\n]|{me}\s*=[^=]")
    used = re.compile(rf"{me}(?:\.(?P<name>\w+)|(?P<item>\[))")
    for method in class_.facts.methods.values():
        start, end = method.span.start, method.span.end
        if method.name in CONSTRUCTION or asked.search(text, start, end):
            continue
        if use := used.search(text, start, end):
            if use["item"]:
                return "TypeError: 'NoneType' object is not subscriptable"
            return f"AttributeError: 'NoneType' object has no attribute '{use['name']}'"
    return None


def aliased_dict(module: Module, method: FunctionFacts) -> AliasedDict | None:
    """The dict of an assignment `state = self.__dict__`, or `vars(self)`, if the method accesses the dict in no other
    way."""
    found = node_of(module, method)
    if found is None:
        return None
    source, node = found
    dicts = [each for each in ast.walk(node) if _is_dict(each)]
    deletes = [each for each in ast.walk(node) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Del)]
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name()], value=value):
                if dicts == [value] and not deletes:
                    span = source.span(value)
                    return AliasedDict(span, source.segment(span))
            case _:
                pass
    return None


def _is_dict(node: ast.AST) -> bool:
    """Whether an expression is the dict of an object's attributes."""
    match node:
        case ast.Attribute(attr="__dict__") | ast.Call(func=ast.Name(id="vars")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__getstate__")):
            return True
        case _:
            return False


def reads_attribute(name: str, target: Expr, root: RootFrame) -> bool:
    """Whether a function reads an attribute of an object, by the name that the object has there."""
    span = root.function.span
    dotted = r"\s*\.\s*".join(map(re.escape, [*(chain(target) or ()), name]))
    read = re.compile(rf"(?<![\w.]){dotted}\b(?!\s*=[^=])")
    return read.search(root.frame.module.code, span.start, span.end) is not None
