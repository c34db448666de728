"""The functions of a class that libcst can parse separately from the class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.parsing.blocks import whole
from lintpickle.parsing.imports import imported_names
from lintpickle.parsing.syntax import BrokenSyntax, dotted, in_scope, names_bound, parse, rows

ACCESSORY_DECORATORS = frozenset({"setter", "deleter", "overload"})
"""Decorators, by their last names, with which a function does not define its name."""


class Member(Struct, frozen=True):
    """A function that stands directly in the body of a top-level class.

    `span` covers whole lines, decorators included. `accessory` says what it is if it does not define its name: the
    "setter" or "deleter" of a property, an "overload".
    """

    name: str
    span: Span
    accessory: str = ""


_MEMBER = re.compile(r"\n( +)(?:async +)?def ")
_STRANGE = ("\t", "\f", "\r")
"""Characters that may indent or end rows in ways that the patterns here do not know."""
_SIMPLE = r"[^()#'\"\\]*"
_PARAMETERS = rf"\({_SIMPLE}(?:(?:'[^'\\\n]*'|\"[^\"\\\n]*\"|\({_SIMPLE}\)){_SIMPLE})*\)"


def members(text: str, start: int) -> tuple[Member, ...]:
    """The functions of the class that is all of `text`, which begins at the offset `start` of a file; none if the text
    is anything else. A function is left out if it shares lines with other statements, or if its decorators or defaults
    read names that the class body binds. Raises BrokenSyntax, but rarely for errors in the body of a function, because
    most bodies are not parsed."""
    shorter, last_rows = _without_bodies(text)
    try:
        class_ = _only_class(shorter)
        certain = class_ is not None and last_rows.keys() <= {inner.lineno for inner in _functions(class_)}
    except BrokenSyntax:
        certain = False
    if not certain:
        class_, last_rows = _only_class(text), {}
    return tuple(_members(class_, text, start, last_rows)) if class_ is not None else ()


def _only_class(text: str) -> ast.ClassDef | None:
    body = parse(text).body
    return body[0] if len(body) == 1 and isinstance(body[0], ast.ClassDef) else None


def _functions(class_: ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (inner for inner in class_.body if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _without_bodies(text: str) -> tuple[str, dict[int, int]]:
    """The text of a class without the bodies of its functions, with the same number of rows; and the last row of each
    function by the row of its `def`. This is a guess, which is right if `ast` finds all of the functions in the
    class."""
    member = _MEMBER.search(text)
    if member is None or any(strange in text for strange in _STRANGE):
        return text, {}
    pieces: list[str] = []
    last_rows: dict[int, int] = {}
    at, row = 0, 1
    for match in _function(len(member.group(1))).finditer(text):
        head, body = match.group(1, 2)
        if body.count('"""') % 2 or body.count("'''") % 2 or body.endswith("\\"):
            return text, {}
        first = row + text.count("\n", at, match.start()) + 1
        row = first + head.count("\n", 1) + body.count("\n")
        last_rows[first] = row
        pieces += [text[at : match.end(1)], "...", "\n" * body.count("\n")]
        at = match.end()
    return "".join([*pieces, text[at:]]), last_rows


@cache
def _function(indent: int) -> re.Pattern[str]:
    """A pattern for functions whose `def` has this indentation, if their parameters are easy to read and their bodies
    are rows with deeper indentation. Its groups are the header, and the body from the end of the header to the end of
    the last statement."""
    head = rf"\n {{{indent}}}(?:async +)?def +\w+{_PARAMETERS}(?: *-> *[^\s:#'\"\\][^:#'\"\\\n]*)?:"
    blank = r" *(?:#[^\n]*)?\n"
    body = rf" *(?:#[^\n]*)?(?:\n(?:{blank})* {{{indent + 1},}}[^\s#][^\n]*)+"
    return re.compile(f"({head})({body})")


def _members(class_: ast.ClassDef, text: str, start: int, last_rows: dict[int, int]) -> Iterator[Member]:
    lines = whole(text)
    bound_here = frozenset(_bound_in_class(class_))
    above = class_.lineno
    for inner in class_.body:
        first, last = rows(inner)
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            last = last_rows.get(inner.lineno, last)
            if first > above and not (bound_here and _names_in_head(inner) & bound_here):
                decorators = (dotted(d.func if isinstance(d, ast.Call) else d) for d in inner.decorator_list)
                kinds = (name.rpartition(".")[2] for name in decorators)
                accessory = next((kind for kind in kinds if kind in ACCESSORY_DECORATORS), "")
                span = lines.span(first, last)
                yield Member(inner.name, Span(start + span.start, start + span.end), accessory)
        above = last


def _bound_in_class(class_: ast.ClassDef) -> Iterator[str]:
    for inner in in_scope(class_.body):
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            yield from (name for name, _ in imported_names(inner))
        elif not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from names_bound(inner)


def _names_in_head(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names that decorators and defaults read."""
    arguments = function.args
    heads = [*function.decorator_list, *arguments.defaults, *filter(None, arguments.kw_defaults)]
    return {node.id for head in heads for node in ast.walk(head) if isinstance(node, ast.Name)}
