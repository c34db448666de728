"""Names that a part of a file reads, on its `ast` alone: where they may lead, never what they mean."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from lintpickle.input_limits import NAME_LENGTH
from lintpickle.parsing.main_guard import is_main_guard

_NO_PART = "(=,[:{'\"#"
"""Characters that often come before an owner, and never occur in one."""
_OWNER = re.compile(r"(?:\)[\s\\]*\.[\s\\]*|(?<![.\d])\.[\s\\]*)?(?:[^\W\d]\w*[\s\\]*\.[\s\\]*)*$")
"""A dot after another dot (`...`) or a digit (`1.`) is no part of a chain, whatever is on the next row."""


class _NodeFields(dict[type, "tuple[str, ...] | None"]):
    """By class, the fields that may hold nodes; None for a class that is not a node or whose fields never hold
    nodes."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        names: tuple[str, ...] | None = None
        if issubclass(kind, ast.AST) and kind._fields:
            names = tuple(name for name in kind._fields if name not in _PLAIN) if kind is not ast.Constant else ()
        self[kind] = names
        return names


_node_fields = _NodeFields()


def children(node: ast.AST) -> list[ast.AST]:
    """The child nodes of a node that have fields of their own, in source order. (`ast.iter_child_nodes` visits
    contexts, operators and plain values too, and takes five times as long.)"""
    found: list[ast.AST] = []
    for name in _node_fields[type(node)] or ():
        value: Any = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if _node_fields[type(item)] is not None]
        elif _node_fields[type(value)] is not None:
            found.append(value)
    return found


def within(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all its descendants, as `children` finds them, parents first."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += children(node)


_PLAIN = frozenset(
    {"arg", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "n", "op", "ops", "simple"}
    | {"type_comment"}
)
"""Fields that never hold expressions or statements. (`name` may be a type parameter's, `names` holds aliases.)"""


def names_read(tree: ast.AST) -> frozenset[str]:
    """Every dotted name that is read or called anywhere in the tree, as written (`utils.train`). Of a chain on anything
    but a name, only the attributes, each after a dot (`.fit`)."""
    return _names([tree])


def names_used(tree: ast.AST) -> frozenset[str]:
    """As `names_read`, without what stands in annotations."""
    annotated = (getattr(node, field, None) for node in within(tree) for field in ("annotation", "returns"))
    return _names([tree], frozenset(node for node in annotated if isinstance(node, ast.AST)))


def names_run(tree: ast.Module) -> frozenset[str]:
    """Like `names_read`, without code under `if __name__ == "__main__":`."""
    return _names([_unguarded(statement) for statement in tree.body])


def _unguarded(statement: ast.stmt) -> ast.AST:
    """The statement; of a main guard, the parts that also run in other processes."""
    if isinstance(statement, ast.If) and is_main_guard(statement.test):
        conditions = [ast.Expr(statement.test)] if isinstance(statement.test, ast.BoolOp) else []
        return ast.Module([*conditions, *statement.orelse], [])
    return statement


def _names(stack: list[ast.AST], left_out: frozenset[ast.AST] = frozenset()) -> frozenset[str]:
    found: set[str] = set()
    while stack:
        node = stack.pop()
        if node in left_out:
            continue
        if isinstance(node, ast.Attribute):
            parts = [node.attr]
            while isinstance(base := node.value, ast.Attribute):
                parts.append(base.attr)
                node = base
            if isinstance(base, ast.Name):
                found.add(".".join([base.id, *reversed(parts)]))
            else:
                found.update(f".{part}" for part in parts)
                stack.append(base)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        else:
            stack.extend(children(node))
    return frozenset(found)


def dotted_names(text: str, last_names: frozenset[str]) -> frozenset[str]:
    """The dotted names in a text whose last part is one of `last_names`, without spaces (`torch.save`). A name after
    the end of a call begins with `()`; a name after anything else that is no name is left out. Names in comments and
    strings are included."""
    found: set[str] = set()
    for match in _longest_first(frozenset(name for name in last_names if name in text)).finditer(text):
        start, end = match.span()
        if not _is_part_of_name(text[start - 1 : start]) and not _is_part_of_name(text[end : end + 1]):
            before = _owner(text, start)
            found.add(f"{'()' if before.startswith(').') else ''}{before.lstrip(')')}{match.group()}")
    return frozenset(name for name in found if not name.startswith("."))


def _owner(text: str, end: int) -> str:
    """The text before a name at an offset, up to its dot, without spaces."""
    before = text[max(0, end - NAME_LENGTH.most) : end]
    last = before.rstrip()
    while last.endswith("\\"):
        last = last[:-1].rstrip()
    if not last.endswith("."):
        return ""
    owner = _OWNER.search(before, max(map(before.rfind, _NO_PART)) + 1)
    return re.sub(r"[\s\\]+", "", owner.group()) if owner is not None else ""


def _is_part_of_name(character: str) -> bool:
    return character != "" and f"_{character}".isidentifier()


@cache
def _longest_first(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))) or r"(?!)")
