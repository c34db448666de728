"""What a method reads of an object that has its class and nothing else, as when pickle puts the items into a dictionary
of a class of the program: that happens before it gets its attributes back.

The method is followed statement by statement, and only what it surely reads counts: anything unknown ends that."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.interpreter.protocols import Ancestor

FindMethod = Callable[[str], tuple[ClassValue, FunctionFacts] | None]

_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_DEPTH = 3
_MOST_PATHS = 16
_FILLS = frozenset({"__init__", "__setstate__", "__setattr__", "update"})
"""Methods of others that may give an object attributes."""
_ASKING = {
    "len": ("__len__",),
    "bool": ("__bool__", "__len__"),
    "iter": ("__iter__",),
    "list": ("__iter__", "__len__"),
    "tuple": ("__iter__", "__len__"),
    "set": ("__iter__",),
    "sorted": ("__iter__",),
    "reversed": ("__reversed__",),
    "isinstance": (),
    "id": (),
    "type": (),
}
"""Functions of Python's own that change nothing of the object that they are given, and the methods that they call."""


def first_missing(
    owner: ClassValue, method: FunctionFacts, is_missing: Callable[[str], bool], find: FindMethod
) -> str | None:
    """The first attribute that a method surely reads of its object and that the class itself lacks (`is_missing`); None
    if it sets that before, or may not read any. `find` gives the methods of the object, which are followed."""
    return _Reading(is_missing, find).of(owner, method, 0)


def missing_on_paths(
    owner: ClassValue, method: FunctionFacts, is_missing: Callable[[str], bool], find: FindMethod
) -> Iterator[str | None]:
    """The same for each way through a method, as far as the conditions on it do not ask the object."""
    found = node_of(owner.module, method)
    if found is None or found[1].decorator_list or not found[1].args.args:
        return
    me = found[1].args.args[0].arg
    for statements in islice(_paths(found[1].body, me), _MOST_PATHS):
        yield _Reading(is_missing, find).along(statements, me)


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


def _paths(statements: list[ast.stmt], me: str) -> Iterator[list[ast.stmt]]:
    for place, statement in enumerate(statements):
        if isinstance(statement, ast.If) and not _is_mentioned(me, statement.test):
            for branch in (statement.body, statement.orelse):
                for rest in _paths([*branch, *statements[place + 1 :]], me):
                    yield [*statements[:place], *rest]
            return
    yield statements


def _is_mentioned(name: str, node: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


class _Unclear(Exception):
    """What comes next is not known."""


class _Returned(Exception):
    """The method is at its end."""


class _Reading:
    def __init__(self, is_missing: Callable[[str], bool], find: FindMethod) -> None:
        self._is_missing = is_missing
        self._find = find
        self._set: set[str] = set()
        self._key: str | None = None

    def of(self, owner: ClassValue, method: FunctionFacts, depth: int) -> str | None:
        found = node_of(owner.module, method)
        if found is None or found[1].decorator_list or not found[1].args.args or depth > _DEPTH:
            if depth:
                raise _Unclear
            return None
        me = found[1].args.args[0].arg
        if depth:
            return self._in_method(found[1].body, me, depth)
        self._key = _new_key(found[1])
        return self.along(found[1].body, me)

    def along(self, statements: list[ast.stmt], me: str) -> str | None:
        """What the statements read of an object that is called `me` in them."""
        try:
            return self._in_method(statements, me, 0)
        except _Unclear:
            return None

    def _in_method(self, statements: list[ast.stmt], me: str, depth: int) -> str | None:
        try:
            return self._in_block(statements, me, depth)
        except _Returned:
            return None

    def _in_block(self, statements: Iterable[ast.stmt], me: str, depth: int) -> str | None:
        for statement in statements:
            found = self._in_statement(statement, me, depth)
            if found is not None:
                return found
        return None

    def _in_statement(self, statement: ast.stmt, me: str, depth: int) -> str | None:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse) if (has := self._is_had(test, me, depth)) is not None:
                return self._in_block(body if has else orelse, me, depth)
            case ast.If(test=test) | ast.While(test=test):
                found = self._in_expression(test, me, depth)
                if found is None:
                    self._pass_by(statement, me)
                return found
            case ast.For(iter=value):
                found = self._in_expression(value, me, depth)
                if found is None:
                    self._pass_by(statement, me)
                return found
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
            case ast.AnnAssign(target=target, value=value):
                found = self._in_expression(value, me, depth) if value is not None else None
                return found or (self._in_target(target, me, depth) if value is not None else None)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Pass() | ast.Global():
                return None
            case ast.Expr() | ast.AugAssign() | ast.Assert() | ast.Delete():
                return self._in_expression(statement, me, depth)
            case ast.Return() | ast.Raise():
                found = self._in_expression(statement, me, depth)
                if found is None:
                    raise _Returned if isinstance(statement, ast.Return) else _Unclear
                return found
            case _:
                raise _Unclear

    def _pass_by(self, statement: ast.stmt, me: str) -> None:
        """Note what a statement may do that is not followed."""
        nodes = list(ast.walk(statement))
        if any(isinstance(each, _ENDS) or _is_name(each, "super") for each in nodes):
            raise _Unclear
        owners = [each for each in nodes if isinstance(each, ast.Attribute) and _is_name(each.value, me)]
        called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
        if len(owners) < sum(_is_name(each, me) for each in nodes):
            raise _Unclear
        if any(id(each) in called or each.attr == "__dict__" for each in owners):
            raise _Unclear
        self._set.update(each.attr for each in owners if isinstance(each.ctx, ast.Store))

    def _in_target(self, target: ast.expr, me: str, depth: int) -> str | None:
        match target:
            case ast.Attribute(value=value, attr=attribute) if _is_name(value, me):
                if attribute == "__dict__":
                    raise _Unclear
                self._set.add(attribute)
                return None
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                found = (self._in_target(each, me, depth) for each in targets)
                return next((each for each in found if each is not None), None)
            case ast.Starred(value=value):
                return self._in_target(value, me, depth)
            case _:
                return self._in_expression(target, me, depth)

    def _in_expression(self, node: ast.AST, me: str, depth: int) -> str | None:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _FILLS and _may_fill(node, value, me):
                raise _Unclear
            case ast.Call(func=ast.Name(id=called), args=[*given]) if any(_is_name(each, me) for each in given):
                if called not in _ASKING or any(map(self._find, _ASKING[called])):
                    raise _Unclear
                return self._in_parts(given, me, depth)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if name == me:
                return self._in_parts([*node.args, *node.keywords], me, depth) or self._in_call(attribute, depth)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == me:
                if attribute == "__dict__":
                    raise _Unclear
                return attribute if self._lacks(attribute) else None
            case ast.BoolOp(op=connective, values=parts):
                for part in parts:
                    has = self._is_had(part, me, depth)
                    if has is None:
                        return self._in_expression(part, me, depth)
                    if has is isinstance(connective, ast.Or):
                        break
                return None
            case ast.IfExp(test=first):
                return self._in_expression(first, me, depth)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._in_expression(node.generators[0].iter, me, depth)
            case ast.Lambda():
                return None
            case _:
                return self._in_parts(_parts(node), me, depth)

    def _is_had(self, test: ast.expr, me: str, depth: int) -> bool | None:
        """Whether the key of an item is in the object already, if that is what is asked: pickle sets each once."""
        match test:
            case ast.Compare(left=ast.Name(id=key), ops=[ast.In() | ast.NotIn() as operator], comparators=[holder]):
                if depth == 0 and key == self._key and _is_name(holder, me) and self._find("__contains__") is None:
                    return isinstance(operator, ast.NotIn)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                answer = self._is_had(inner, me, depth)
                return None if answer is None else not answer
            case _:
                pass
        return None

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


def _new_key(method: ast.FunctionDef) -> str | None:
    """What a `__setitem__` calls the key of the item that it sets, if it never gives the name another value."""
    if method.name != "__setitem__" or len(method.args.args) != 3:
        return None
    key = method.args.args[1].arg
    names = (each for each in ast.walk(method) if isinstance(each, ast.Name) and each.id == key)
    return key if all(isinstance(each.ctx, ast.Load) for each in names) else None


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _may_fill(call: ast.Call, owner: ast.expr, me: str) -> bool:
    """Whether a method of another, or of a parent, is called for the object."""
    is_parents = isinstance(owner, ast.Call) and _is_name(owner.func, "super")
    return is_parents or any(_is_name(each, me) for each in call.args)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression as they are evaluated: what is subscripted before it is assigned to."""
    return ast.iter_child_nodes(node)
