"""The functions of a class: what libcst parses apart from the class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.source.blocks import whole
from lintpickle.source.imports import imported_names
from lintpickle.source.syntax import bound, dotted, in_scope, parse, rows

ACCESSORY_DECORATORS = frozenset({"setter", "deleter", "overload"})
"""Last names of decorators by which a function does not define its name."""


class Member(Struct, frozen=True):
    """A function that stands directly in the body of a top-level class.

    `span` covers whole lines, decorators included. `accessory` says that it does not define its name: the setter or
    deleter of a property, an overload.
    """

    name: str
    span: Span
    accessory: bool


def members(text: str, start: int) -> tuple[Member, ...]:
    """The functions of the class that is all of `text`, which begins at the offset `start` of a file; none if it is
    anything else. Those are left out that share lines with other statements, or need others to be read: whose
    decorators and defaults name what the class body has bound.

    Raises BrokenSyntax.
    """
    body = parse(text).body
    return tuple(_members(body[0], text, start)) if len(body) == 1 and isinstance(body[0], ast.ClassDef) else ()


def _members(class_: ast.ClassDef, text: str, start: int) -> Iterator[Member]:
    lines = whole(text)
    bound_here = frozenset(_bound_in_class(class_))
    above = class_.lineno
    for inner in class_.body:
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first, last = rows(inner)
            if first > above and not (bound_here and _names_in_head(inner) & bound_here):
                decorators = (dotted(d.func if isinstance(d, ast.Call) else d) for d in inner.decorator_list)
                accessory = any(name.rpartition(".")[2] in ACCESSORY_DECORATORS for name in decorators)
                span = lines.span(first, last)
                yield Member(inner.name, Span(start + span.start, start + span.end), accessory)
        above = inner.end_lineno or inner.lineno


def _bound_in_class(class_: ast.ClassDef) -> Iterator[str]:
    for inner in in_scope(class_.body):
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            yield from (name for name, _ in imported_names(inner))
        elif not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from bound(inner)


def _names_in_head(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names that decorators and defaults read."""
    arguments = function.args
    heads = [*function.decorator_list, *arguments.defaults, *filter(None, arguments.kw_defaults)]
    return {node.id for head in heads for node in ast.walk(head) if isinstance(node, ast.Name)}
