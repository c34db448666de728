"""What a function makes that nothing keeps: nobody reads the variable in which it is, or the property that gives it is
only read to call it."""

from __future__ import annotations

import ast
import re

from lintpickle.control_flow.steps import TreePosition, is_around
from lintpickle.facts.values import Call, may_be
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.names_read import within
from lintpickle.payload.protocols import LinkedProgram

_PROPERTY = "property"
_PUTS = frozenset({"append", "extend", "insert"})
_READS_ALL = re.compile(r"\b(?:locals|vars|eval|exec)\s*\(")


def is_in_unread_variable(call: Call, root: RootFrame) -> bool:
    """Whether what a call makes is put into a variable of the function, or into a list in one, that is read nowhere."""
    paths = root.frame.paths
    if root.function.is_module_body or paths.has(_READS_ALL):
        return False
    nodes, place = tuple(within(paths.tree)), paths.position(call.span.start)
    for node in nodes:
        name = _filled(node) if isinstance(node, ast.stmt) and is_around(node, place) else None
        if name is not None:
            return _is_only_filled(name, nodes, place)
    return False


def _filled(statement: ast.stmt) -> str | None:
    """The variable that a statement binds, or into whose list it puts something."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return name
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))) if method in _PUTS:
            return name
        case _:
            return None


def _is_only_filled(name: str, nodes: tuple[ast.AST, ...], place: TreePosition) -> bool:
    """Whether a variable holds nothing but lists of its own, and what is made at a place, and is not read."""
    filling = 0
    for node in nodes:
        match node:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                is_own = isinstance(value, (ast.List, ast.Tuple)) or is_around(value, place)
                if _filled(node) == name and not is_own:
                    return False
            case ast.Expr() if _filled(node) == name:
                filling += 1
            case ast.Global(names=names) | ast.Nonlocal(names=names) if name in names:
                return False
            case _:
                pass
    reads = [
        node for node in nodes if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    return len(reads) == filling


def is_given_to_be_called(call: Call, root: RootFrame, linker: LinkedProgram) -> bool:
    """Whether a property makes something anew each time, and the code of its classes only reads it to call it."""
    owner, function = root.owner, root.function
    if (
        owner is None
        or not function.decorated_by(_PROPERTY)
        or not any(may_be(value, call) for value in function.returns)
    ):
        return False
    read = re.compile(rf"\.\s*{re.escape(function.name)}\b(?P<called>\s*\()?")
    modules = {each.module.path: each.module for each in linker.classes.mro(owner) if isinstance(each, ClassValue)}
    found = [match for module in modules.values() for match in read.finditer(module.code)]
    return bool(found) and all(match["called"] for match in found)
