"""Caches: containers that a function asks for a key before it puts something there.

Each worker fills its own. That only costs time where other code does the same, but code that asks for the whole of it
(counts it, writes it out, gives it back) finds nothing of what workers have put there. Measured with CPython 3.11 under
every start method: `json.dump(CACHE)`, `len(CACHE)` and a method that returns `len(self.store)`, after `pool.map`."""

from __future__ import annotations

import ast
import re

from lintpickle.diagnostics import Span
from lintpickle.parsing.names_read import within

_ASKING = frozenset({"get", "__contains__", "__getitem__", "move_to_end"})
"""Methods that ask for one key."""
_OF_ONE_KEY = re.compile(
    rf"\s*(?:\[|\.\s*(?:{'|'.join(sorted(_ASKING))}|pop|popitem|clear|reset|cache_clear|setdefault|update)\s*\()"
)
_IN = re.compile(r"(?:\bfor\b[^\n]*)?\bin\s*$")
_TESTED = re.compile(r"(?:\b(?:if|while|and|or)|\bnot)\s+$")
_IS_TRUTH = re.compile(r"\s*(?::|and\b|or\b|else\b|\)|is\b|$)", re.MULTILINE)


def key_lookups(names: tuple[str, ...], tree: ast.AST) -> frozenset[tuple[int, int]]:
    """Where a chain of names is asked for one key (row, column), or how many it has."""
    asked = set[int]()
    for node in within(tree):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[root]):
                asked.add(id(root))
            case ast.Subscript(value=root, ctx=ast.Load()):
                asked.add(id(root))
            case ast.Call(func=ast.Attribute(value=root, attr=method)) if method in _ASKING:
                asked.add(id(root))
            case ast.Call(func=ast.Name(id="len"), args=[root]):
                asked.add(id(root))
            case _:
                pass
    written = ".".join(names)
    return frozenset(
        (node.lineno, node.col_offset)
        for node in within(tree)
        if id(node) in asked and isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == written
    )


def asks_for_all(code: str, name: Span) -> bool:
    """Whether code asks for more than one key of the container that stands at a place, and for more than whether it has
    any."""
    line = code[code.rfind("\n", 0, name.start) + 1 : name.start]
    if _OF_ONE_KEY.match(code, name.end):
        return False
    membership = _IN.search(line)
    if membership is not None:
        return membership[0].startswith("for")
    return not (_TESTED.search(line) and _IS_TRUTH.match(code, name.end))
