"""A fast walk over a libcst tree: for each node class, an expander lists the children without whitespace and
punctuation.

`CSTNode.children` and `.visit` rebuild or revisit every node, including whitespace; a table of field names per class
gives the same nodes some forty times faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import libcst as cst

_TRIVIA = frozenset(
    {
        "annotation_indicator",
        "asterisk",
        "colon",
        "comma",
        "dot",
        "equal",
        "footer",
        "header",
        "indent",
        "leading_lines",
        "lines_after_decorators",
        "lines_after_module_docstring",
        "lbrace",
        "lbracket",
        "lpar",
        "rbrace",
        "rbracket",
        "rpar",
        "semicolon",
        "trailing_whitespace",
    }
)

_NO_NODES = (str, bool, type(None), cst.MaybeSentinel)
_expanders: dict[type[cst.CSTNode], tuple[str, ...]] = {}


def cst_children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The semantic children of a node, in source order of their fields."""
    names = _expanders.get(type(node))
    if names is None:
        names = _expanders[type(node)] = _semantic_fields(type(node))
    found: list[cst.CSTNode] = []
    for name in names:
        value = getattr(node, name)
        if isinstance(value, (list, tuple)):
            found += value
        elif not isinstance(value, _NO_NODES):  # asking for a CSTNode takes five times as long: it is an ABC
            found.append(value)
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The node and all its semantic descendants in pre-order, without recursion."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(cst_children(node)))


def _semantic_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(
        field.name for field in fields(kind) if field.name not in _TRIVIA and not field.name.startswith("whitespace_")
    )


class Dispatch(dict[type, "Callable[..., Any] | None"]):
    """By node class, the `visit_<NodeClass>` function of `owner` for the class or the first of its base classes that
    has one; None if there is none. Each lookup is done once."""

    def __init__(self, owner: type) -> None:
        self._owner = owner

    def __missing__(self, kind: type) -> Callable[..., Any] | None:
        found: Callable[..., Any] | None = next(
            (f for base in kind.__mro__ if (f := getattr(self._owner, f"visit_{base.__name__}", None))),
            None,
        )
        self[kind] = found
        return found
