"""What `ast` says about statements: which run at module level, and what they bind."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
INNER_SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
"""What has a scope of its own in a function; comprehensions, which have one too, run where they stand."""
PUTTING_METHODS = {"append": 0, "add": 0, "insert": 1, "appendleft": 0, "put": 0, "setdefault": 1}
"""Methods that add one of their arguments to a container, with the position of that argument."""
MERGING_METHODS = frozenset({"extend", "update"})
"""Methods that add the items of one container to another."""
MAY_BE_NEWER = re.compile(
    r"""
    \b(?:def|class)\s+\w+\s*\[ | \btype\s+\w+\s*[\[=\\] | \bexcept\b[^:\n]*, | \bexcept\s*\*
    | \b[rR]?[fFtT][rR]?['"] | \blazy\s+(?:from|import)\b | [\[({,:]\s*\*
    """,
    re.VERBOSE,
)
"""Matches in every text with syntax of Python 3.11 or later, and in some others."""
_NEWEST = (3, 16)
"""The first Python whose syntax is not known here."""
_TOO_MUCH = ("too many", "maximum", "expected at most")
_WITHOUT_BLOCKS = (
    *(*FUNCTIONS, ast.ClassDef),
    *(ast.Import, ast.ImportFrom, ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Raise, ast.Pass),
)
"""Statements that contain no other statements, or only statements of another scope."""


class BrokenSyntax(Exception):
    """The text is not Python that this interpreter's `ast` reads: `row` and `column` are 1-based."""

    def __init__(self, reason: str, row: int, column: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.row = row
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.reason, self.row, self.column), self.__dict__)


@contextmanager
def unwarned() -> Iterator[None]:
    """A context in which parsing does not print Python's warnings about the code (an invalid escape in a string)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parse(text: str) -> ast.Module:
    """`ast.parse`, which raises only `BrokenSyntax` and does not warn. Newer syntax is rewritten first
    (`lintpickle.parsing.newer_syntax`)."""
    return parse_in_older_words(text)[0]


def parse_in_older_words(text: str) -> tuple[ast.Module, str]:
    """Like `parse`, with the text that was parsed: another one, of the same length, if newer syntax is rewritten."""
    try:
        return parse_here(text), text
    except BrokenSyntax as error:
        older = _in_older_words(text, error)
        if older is None:
            raise
    return parse_here(older), older


def parse_here(text: str) -> ast.Module:
    """Like `parse`, for the syntax of the running Python only."""
    with _broken_syntax():
        return ast.parse(text)


def _in_older_words(text: str, error: BrokenSyntax) -> str | None:
    if sys.version_info >= _NEWEST or error.reason.startswith(_TOO_MUCH) or not MAY_BE_NEWER.search(text):
        return None
    from lintpickle.parsing.quick_libcst import import_libcst

    import_libcst()
    from lintpickle.parsing.newer_syntax import in_older_words

    return in_older_words(text)


def parse_expression(text: str) -> ast.expr:
    """Like `parse`, for a text that is one expression."""
    with _broken_syntax():
        return ast.parse(text, mode="eval").body


def expression_in(text: str) -> ast.expr | None:
    """The expression that a text is; None if it is none, or this Python cannot parse it."""
    try:
        return parse_expression(text)
    except BrokenSyntax:
        return None


@contextmanager
def _broken_syntax() -> Iterator[None]:
    try:
        with unwarned():
            yield
    except SyntaxError as error:
        raise BrokenSyntax(error.msg or "invalid syntax", error.lineno or 1, error.offset or 1) from None
    except RecursionError as error:
        if "during" not in str(error):
            raise  # The text is not to blame: what asked for it had come near the limit.
        raise BrokenSyntax(str(error), 1, 1) from None
    except (ValueError, MemoryError) as error:
        raise BrokenSyntax(str(error) or type(error).__name__, 1, 1) from None


def rows(statement: ast.stmt) -> tuple[int, int]:
    """The first (with decorators) and last row of a statement, 1-based."""
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
    return first, statement.end_lineno or statement.lineno


def in_scope(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement that runs in the scope of `body`, in file order: those in its blocks, but not those in nested
    scopes."""
    for statement in body:
        yield statement
        if isinstance(statement, _WITHOUT_BLOCKS):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from in_scope(getattr(statement, field, ()))
        for handler in getattr(statement, "handlers", ()):
            yield from in_scope(handler.body)
        for case in getattr(statement, "cases", ()):
            yield from in_scope(case.body)


def names_bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds in its scope."""
    for inner in in_scope([statement]):
        match inner:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from target_names(target)
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
                yield from target_names(target)
            case ast.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield from target_names(item.optional_vars)
            case _:
                pass


def filled_names(statement: ast.stmt) -> Iterator[str]:
    """The variables to whose objects a statement itself adds something: by attributes, items, `setattr`, or methods of
    containers."""
    match statement:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _owners(target)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            yield from _owners(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))):
            if method in PUTTING_METHODS or method in MERGING_METHODS:
                yield name
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=name), *_])):
            yield name
        case _:
            pass


def touched_names(statement: ast.stmt) -> Iterator[str]:
    """The variables whose objects a statement itself may change by a call (of their methods, of methods of what their
    attributes hold, or of a function that is given them), or of which it may change parts; and those whose objects it
    puts into a container."""
    match statement:
        case ast.For(iter=iterable):
            yield from (node.id for node in ast.walk(iterable) if isinstance(node, ast.Name))
            return
        case ast.Assign(targets=targets, value=value):
            yield from (_begins_with(target) for target in targets if isinstance(target, ast.Attribute))
            yield from map(_begins_with, _elements(value))
        case _:
            pass
    if not isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)) or statement.value is None:
        return
    for node in ast.walk(statement.value):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield _begins_with(node.func)
            for given in arguments_of(node):
                yield _begins_with(given)
                yield from map(_begins_with, _elements(given))


def _elements(value: ast.expr) -> Iterable[ast.expr]:
    match value:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements) | ast.Dict(values=elements):
            return elements
        case _:
            return ()


def _begins_with(value: ast.expr) -> str:
    return dotted(value).partition(".")[0]


def _owners(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            yield name
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="__dict__")):
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from _owners(element)
        case _:
            pass


def stored(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], ast.expr]]:
    """The assignments of statements to module-level names: the names, and the expression that the value comes from."""
    for statement in in_scope(tree.body):
        match statement:
            case ast.Assign(targets=targets, value=value):
                yield tuple(name for target in targets for name in target_names(target)), value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield tuple(target_names(target)), value
            case ast.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield tuple(target_names(item.optional_vars)), item.context_expr
            case _:
                pass


def target_names(target: ast.expr) -> Iterator[str]:
    """The names that an assignment to a target binds."""
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from target_names(element)
        case ast.Starred(value=value):
            yield from target_names(value)
        case _:
            pass


def is_special_name(name: str) -> bool:
    """Whether a name is one of those with which Python means something (`__init__`): what uses it need not name it."""
    return name.startswith("__") and name.endswith("__")


def last_name(node: ast.expr) -> str:
    """The last component of a name or chain of attributes, whatever that is on; "" if it is neither."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """What a call is given, by place and by whatever name, as it is written (a `*rows` with its star)."""
    return [*call.args, *(each.value for each in call.keywords)]


def arguments_in_order(call: ast.Call) -> list[ast.expr]:
    """The same in the order in which they stand: `*rows` may come behind what is given by name."""
    return sorted(arguments_of(call), key=lambda each: (each.lineno, each.col_offset))


def with_owners(name: str) -> Iterator[str]:
    """A dotted name, and what it is a part of: `a.b.c`, `a.b`, `a`."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def dotted(node: ast.expr) -> str:
    """The dotted name of an expression, "" if it has none. Subscripts are ignored (`Dataset[int]`)."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=base, attr=name):
            owner = dotted(base)
            return f"{owner}.{name}" if owner else ""
        case ast.Subscript(value=base):
            return dotted(base)
        case _:
            return ""


def root_name(node: ast.expr) -> str | None:
    """The name with which attributes begin (`self.pool.size`), or which the expression is; None of all else."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
