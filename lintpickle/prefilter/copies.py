"""Copies of a function's arguments, found on the `ast`: nothing is known about what they contain. Those of models are
another matter: by their names, which is what programs copy that cannot be copied."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import FUNCTIONS, Function, dotted

_MODEL = re.compile(
    r"(?:\w+_)?(?:model|module|net|network|student|teacher|backbone|encoder|decoder|policy|actor|critic|agent|trainer)"
)
"""What parameters are called that are given models, or what has them."""
_ANYTHING = ""
"""What a name gets that is neither given nor got from what is."""


def is_called_like_model(parameter: str) -> bool:
    """Whether a parameter is given a model, by its name."""
    return _MODEL.fullmatch(parameter) is not None


def copies_more(tree: ast.AST, copiers: frozenset[str]) -> bool:
    """Whether a function that makes copies, known by the dotted names `copiers`, is used in the tree for anything else
    than to copy what the function around it was given (see `_given`)."""
    stack: list[tuple[ast.AST, Function | None, bool]] = [(tree, None, False)]
    methods: set[Function] = set()
    given: dict[Function, frozenset[str]] = {}
    while stack:
        node, around, in_class = stack.pop()
        if isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) in copiers:
            return True
        if isinstance(node, ast.Call) and dotted(node.func) in copiers:
            if around is None or len(node.args) != 1 or node.keywords:
                return True
            if around not in given:
                given[around] = _given(around, copiers, around in methods)
            if _root(node.args[0], copiers) not in given[around]:
                return True
            stack.append((node.args[0], around, False))
        elif isinstance(node, FUNCTIONS):
            if in_class:
                methods.add(node)
            body = set(map(id, node.body))
            stack += ((child, node if id(child) in body else None, False) for child in children(node))
        else:
            around = None if isinstance(node, ast.Lambda) else around
            stack += ((child, around, in_class or isinstance(node, ast.ClassDef)) for child in children(node))
    return False


def _given(function: Function, copiers: frozenset[str], is_method: bool) -> frozenset[str]:
    """The names of a function of whose values only a caller could tell what they are: parameters without a default but
    a constant, but not the instance of a method, and what gets nothing but attributes, items and elements of these, or
    copies."""
    positional = [*function.args.posonlyargs, *function.args.args]
    defaults = [*(None for _ in positional[len(function.args.defaults) :]), *function.args.defaults]
    pairs = [*zip(positional, defaults, strict=True)][is_method:]
    pairs += zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    given = {parameter.arg for parameter, default in pairs if isinstance(default, ast.Constant | None)}
    given = {name for name in given if not is_called_like_model(name)}
    origins: dict[str, set[str]] = defaultdict(set, {name: set() for name in given})
    for name, origin in _bindings(function, copiers):
        origins[name].add(origin)
    for parameter in ast.walk(function.args):
        if isinstance(parameter, ast.arg) and parameter.arg not in given:
            origins[parameter.arg].add(_ANYTHING)
    found = set(origins)
    while more := {name for name in found if not origins[name] <= found}:
        found -= more
    return frozenset(found)


def _bindings(function: Function, copiers: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The names that get a value in the function, or in one in it, each with the root of that value."""
    known: set[int] = set()
    for node in within(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                origin = _root(value, copiers)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
            ):
                targets, origin = [target], _root(value, copiers)
            case _:
                yield from ((name, _ANYTHING) for name in _bound_otherwise(node) if id(node) not in known)
                continue
        for stored in (each for target in targets for each in within(target)):
            if isinstance(stored, ast.Name) and isinstance(stored.ctx, ast.Store):
                known.add(id(stored))
                yield stored.id, origin


def _bound_otherwise(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=name, asname=alias):
            yield alias or name.partition(".")[0]
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case _:
            pass


def _root(value: ast.expr, copiers: frozenset[str]) -> str:
    """The name that attributes and items are got from, or copies made of; `_ANYTHING` for anything else."""
    while True:
        match value:
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                pass
            case ast.Call(func=callee, args=[argument], keywords=[]) if dotted(callee) in copiers:
                value = argument
            case _:
                return value.id if isinstance(value, ast.Name) else _ANYTHING
