"""What a method reads of an object that has its class and nothing else, as when pickle puts the items into a dictionary
of a class of the program: that happens before it gets its attributes back.

The method is followed statement by statement, and only what it surely reads counts: anything unknown ends that."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator

from lintpickle.analyses.hierarchies import node_of
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.interpreter.protocols import Ancestor

FindMethod = Callable[[str], tuple[ClassValue, FunctionFacts] | None]

_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_ASKS = frozenset({"hasattr", "getattr", "setattr", "vars"})
_DEPTH = 3


def first_missing(
    owner: ClassValue, method: FunctionFacts, is_missing: Callable[[str], bool], find: FindMethod
) -> str | None:
    """The first attribute that a method surely reads of its object and that the class itself lacks (`is_missing`); None
    if it sets that before, or may not read any. `find` gives the methods of the object, which are followed."""
    return _Reading(is_missing, find).of(owner, method, 0)


def is_of_object(name: str, line: tuple[Ancestor, ...], path: str = "builtins.object") -> bool:
    """Whether no class of a hierarchy has an attribute of that name, so that only the object's state can hold it.
    `path` is that of the built-in class at its end."""
    own = (each for each in line if isinstance(each, ClassValue))
    is_of_class = any(
        name in each.facts.methods
        or name in each.facts.body
        or any(field.name == name and field.default is not None for field in each.facts.fields)
        for each in own
    )
    return not is_of_class and not hasattr(getattr(builtins, path.rpartition(".")[2]), name)


def refusal_while_empty(owner: ClassValue, lookup: FunctionFacts) -> str | None:
    """The error that a `__getattr__` raises for a name that is no item: KeyError where it is `return self[name]`, also
    under `if name in self`, and AttributeError where it raises that instead; None if it does something else."""
    found = node_of(owner.module, lookup)
    arguments = [each.arg for each in found[1].args.args] if found is not None else []
    if found is None or found[1].decorator_list or len(arguments) != 2:
        return None
    return _refusal([each for each in found[1].body if not _is_text(each)], *arguments)


def _refusal(body: list[ast.stmt], me: str, name: str) -> str | None:
    match body:
        case [ast.Raise(exc=ast.Call(func=ast.Name(id="AttributeError")) | ast.Name(id="AttributeError"))]:
            return "AttributeError"
        case [ast.Return(value=ast.Subscript() as value)] if _is_same(value, f"{me}[{name}]"):
            return "KeyError"
        case [ast.Try(body=tried, handlers=[handler], orelse=[], finalbody=[])]:
            return _refusal(handler.body, me, name) if _refusal(tried, me, name) is not None else None
        case [ast.If(test=test, orelse=[]), *rest] if _is_same(test, f"{name} in {me}"):
            return _refusal(rest, me, name)
        case _:
            return None


def _is_same(value: ast.expr, text: str) -> bool:
    return ast.unparse(value) == text


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Unclear(Exception):
    """What comes next is not known."""


class _Reading:
    def __init__(self, is_missing: Callable[[str], bool], find: FindMethod) -> None:
        self._is_missing = is_missing
        self._find = find
        self._set: set[str] = set()

    def of(self, owner: ClassValue, method: FunctionFacts, depth: int) -> str | None:
        found = node_of(owner.module, method)
        if found is None or found[1].decorator_list or not found[1].args.args or depth > _DEPTH:
            return None
        me = found[1].args.args[0].arg
        try:
            return self._in_block(found[1].body, me, depth)
        except _Unclear:
            return None

    def _in_block(self, statements: Iterable[ast.stmt], me: str, depth: int) -> str | None:
        for statement in statements:
            found = self._in_statement(statement, me, depth)
            if found is not None:
                return found
        return None

    def _in_statement(self, statement: ast.stmt, me: str, depth: int) -> str | None:
        match statement:
            case ast.If(test=test) | ast.While(test=test):
                found = self._in_expression(test, me, depth)
                if found is None and any(isinstance(each, _ENDS) for each in ast.walk(statement)):
                    raise _Unclear
                return found
            case ast.For(iter=value):
                return self._in_expression(value, me, depth)
            case ast.With(items=items, body=body):
                for item in items:
                    found = self._in_expression(item.context_expr, me, depth)
                    if found is not None:
                        return found
                return self._in_block(body, me, depth)
            case ast.Assign(targets=targets, value=value):
                found = self._in_expression(value, me, depth)
                for target in targets if found is None else ():
                    found = found or self._in_target(target, me, depth)
                return found
            case ast.AugAssign(target=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if name == me:
                return attribute if self._lacks(attribute) else None
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Pass() | ast.Global():
                return None
            case ast.Expr() | ast.AugAssign() | ast.AnnAssign() | ast.Assert() | ast.Delete():
                return self._in_expression(statement, me, depth)
            case ast.Return() | ast.Raise():
                found = self._in_expression(statement, me, depth)
                if found is None:
                    raise _Unclear
                return found
            case _:
                raise _Unclear

    def _in_target(self, target: ast.expr, me: str, depth: int) -> str | None:
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == me:
            self._set.add(target.attr)
            return None
        return self._in_expression(target, me, depth)

    def _in_expression(self, node: ast.AST, me: str, depth: int) -> str | None:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=first), *_]) if name in _ASKS and first == me:
                raise _Unclear
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if name == me:
                return self._in_parts([*node.args, *node.keywords], me, depth) or self._in_call(attribute, depth)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == me:
                if attribute == "__dict__":
                    raise _Unclear
                return attribute if self._lacks(attribute) else None
            case ast.BoolOp(values=[first, *_]) | ast.IfExp(test=first):
                return self._in_expression(first, me, depth)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._in_expression(node.generators[0].iter, me, depth)
            case ast.Lambda():
                return None
            case _:
                return self._in_parts(_parts(node), me, depth)

    def _in_parts(self, parts: Iterable[ast.AST], me: str, depth: int) -> str | None:
        for part in parts:
            found = self._in_expression(part, me, depth)
            if found is not None:
                return found
        return None

    def _in_call(self, name: str, depth: int) -> str | None:
        """What a method of the object reads that is called by its name."""
        if self._lacks(name):
            return name
        found = self._find(name)
        return self.of(*found, depth + 1) if found is not None else None

    def _lacks(self, attribute: str) -> bool:
        return attribute not in self._set and self._is_missing(attribute)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression as they are evaluated: what is subscripted before it is assigned to."""
    return ast.iter_child_nodes(node)
