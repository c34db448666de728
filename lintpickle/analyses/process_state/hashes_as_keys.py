"""Hashes that are only keys of what the process itself keeps: `key = hash(text)`, then `CACHE[key]`. Module globals and
attributes of functions cross to no other process: each one looks up what it has put there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import root_name, target_names
from lintpickle.payload.worker_side import WorkerFunction

_HASH = "hash"
_MADE = r"(?:\{|(?:\w+\.)?(?:dict|set|defaultdict|OrderedDict|Counter)\()"
"""How an expression begins that makes a dictionary or set."""
_LOOKING_UP = frozenset({"get", "pop", "setdefault"})


def are_own_keys(function: WorkerFunction) -> bool:
    """Whether all hashes that a function takes, and what it makes of them, serve as keys of containers of the module,
    and as nothing else."""
    nodes = list(within(function.frame.paths.tree))
    taken = [node for node in nodes if isinstance(node, ast.Call) and _is_name(node.func, _HASH)]
    stores = [node for node in nodes if isinstance(node, ast.Assign) and _is_hash_or_tuple(node.value)]
    named = frozenset(name for store in stores for target in store.targets for name in target_names(target))
    as_keys = {id(inner) for key in _keys(nodes, function) for inner in ast.walk(key)}
    in_values = {id(inner) for store in stores for inner in ast.walk(store.value)}
    are_keys = all(id(each) in as_keys or id(each) in in_values for each in taken)
    return bool(taken) and are_keys and all(id(each) in as_keys for each in nodes if _is_read(each, named))


def _is_hash_or_tuple(value: ast.expr) -> bool:
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return any(isinstance(each, ast.Call) and _is_name(each.func, _HASH) for each in parts)


def _keys(nodes: list[ast.AST], function: WorkerFunction) -> Iterator[ast.expr]:
    """What a function uses as keys of containers that are no variables of its own."""
    for node in nodes:
        match node:
            case ast.Subscript(value=container, slice=key):
                pass
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[container]):
                pass
            case ast.Call(func=ast.Attribute(value=container, attr=name), args=[key, *_]) if name in _LOOKING_UP:
                pass
            case _:
                continue
        if _is_of_module(container, function):
            yield key


def _is_of_module(container: ast.expr, function: WorkerFunction) -> bool:
    """Whether a container is a dictionary or set that the module makes at import, as a global or as an attribute of a
    function: it is not one that processes share, and no file."""
    root = root_name(container)
    if root is None or function.facts.is_local or root in function.facts.variables:
        return False
    made = re.compile(rf"^{re.escape(ast.unparse(container))}[ \t]*(?::[^=\n]+)?=[ \t]*{_MADE}", re.MULTILINE)
    return function.facts.parameter(root) is None and made.search(function.module.code) is not None


def _is_read(node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
