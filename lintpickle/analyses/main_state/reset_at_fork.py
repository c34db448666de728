"""Globals and attributes to which forked children give the value of the import again, by what they run first
(`os.register_at_fork(after_in_child=reset)`): workers have that under every start method."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.at_import.values_at_import import is_empty_at_import, value_at_import
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.parsing.names_read import within
from lintpickle.program.module import Module

REGISTERS = re.compile(r"\bregister_at_fork\(")
_IN_CHILD = re.compile(r"\bafter_in_child\s*=\s*([^\W\d]\w*)(\.clear)?\s*[,)]")
_METHOD_IN_CHILD = re.compile(r"\bafter_in_child\s*=\s*(?:\w+\.)+([^\W\d]\w*)\s*[,)]")
_CLEAR = "clear"
_EMPTY = r"(?:\{\s*\}|\[\s*\]|(?:list|dict|set|\w*deque|OrderedDict)\(\s*\))"


def is_reset_at_fork(name: str, module: Module) -> bool:
    """Whether what children of the module run first gives a global its value at import, or empties what was empty."""
    return module.has(REGISTERS) and name in module.remembered("reset at fork", lambda: frozenset(_reset(module)))


def _reset(module: Module) -> Iterator[str]:
    for hook, clears in _IN_CHILD.findall(module.code):
        if clears:
            yield from [hook] if _is_empty(hook, module) else ()
            continue
        for facts in (each for each in _called(hook, module) if each.qualname == hook):
            for node in within(Paths(module, facts.span).tree):
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in facts.globals_declared:
                        yield from [name] if _is_as_at_import(name, value, module) else ()
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=[]):
                        yield from [name] if method == _CLEAR and _is_empty(name, module) else ()
                    case _:
                        pass


def attributes_reset_at_fork(module: Module) -> frozenset[str]:
    """The attributes that methods which children of the module run first make again as they were made first."""
    if not module.has(REGISTERS):
        return frozenset()
    return module.remembered("attributes reset at fork", lambda: frozenset(_attributes_reset(module)))


def _attributes_reset(module: Module) -> Iterator[str]:
    for hook in _METHOD_IN_CHILD.findall(module.code):
        for facts in _called(hook, module):
            for event in facts.events:
                match event:
                    case Store(attribute=attribute, value=value):
                        yield from [attribute] if is_made_alike(attribute, value, facts, module) else ()
                    case Called(call=Call(function=Attribute(base=Attribute(name=attribute), name=method))):
                        is_alike = method == _CLEAR and is_made_alike(attribute, None, facts, module)
                        yield from [attribute] if is_alike else ()
                    case _:
                        pass


def _called(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions and methods of a module that have a name."""
    return functions_of(module, re.compile(rf"\bdef {name}\b"), lambda each: each.name == name)


def is_made_alike(attribute: str, value: Expr | None, function: FunctionFacts, module: Module) -> bool:
    """Whether other code of the module gives an attribute what a function does, or nothing if that empties it."""
    text = re.escape(module.code[value.span.start : value.span.end]) if value is not None else _EMPTY
    form = re.compile(rf"\b{re.escape(attribute)}\s*(?::[^=\n]+)?=\s*{text}\s*$", re.MULTILINE)
    span = function.span
    return any(not span.start <= found.start() < span.end for found in form.finditer(module.code))


def _is_as_at_import(name: str, value: ast.expr, module: Module) -> bool:
    written = value_at_import(name, module.outline.binding(name), module)
    return written is not None and written.replace('"', "'") == ast.unparse(value).replace('"', "'")


def _is_empty(name: str, module: Module) -> bool:
    return is_empty_at_import(name, [*module.outline.binding(name)], module)
