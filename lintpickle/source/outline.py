"""The map of one file: where things are, never what they mean. Read by `ast`, eleven times cheaper than libcst."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from lintpickle.diagnostics import Position, Span
from lintpickle.source.lines import LineIndex

ACCESSORY_DECORATORS = frozenset({"setter", "deleter", "overload"})
"""Last names of decorators by which a function does not define its name."""


class BrokenSyntax(Exception):
    """The text is not Python that this interpreter's `ast` reads: `row` and `column` are 1-based."""

    def __init__(self, reason: str, row: int, column: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.row = row
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.reason, self.row, self.column), self.__dict__)


class ImportedName(Struct, frozen=True):
    """What an import binds: `from {level dots}{module} import {name}`, or a module itself when `name` is None."""

    module: str
    name: str | None = None
    level: int = 0

    def path(self, rest: str = "") -> str:
        """The dotted name of what is imported, or of the attribute `rest` of it; leading dots are left out."""
        return ".".join(part for part in (self.module, self.name, rest) if part)


class ClassHeader(Struct, frozen=True):
    """The head of a class: dotted names of its bases and decorators, where they are plain."""

    name: str
    bases: tuple[str, ...]
    decorators: tuple[str, ...]


class Member(Struct, frozen=True):
    """A function that stands directly in the body of a top-level class: what libcst parses apart from the class.

    `span` covers whole lines, decorators included. `accessory` says that it does not define its name: the setter or
    deleter of a property, an overload.
    """

    name: str
    span: Span
    accessory: bool


class Plot(Struct, frozen=True):
    """Top-level statements that share lines: the unit that libcst parses as a room.

    `span` covers whole lines, decorators included. `names` are what it binds at module level. `bare` says that
    it holds nothing but imports, a docstring or constants: a room that no visitor would learn anything from.
    `classes` are the classes that it defines at module level; `defines_function` says that it is a function.
    `members` are the functions of its class, if it is one class and nothing else.
    """

    span: Span
    row: int
    names: tuple[str, ...]
    bare: bool
    classes: tuple[ClassHeader, ...] = ()
    defines_function: bool = False
    members: tuple[Member, ...] = ()


class Outline(Struct, frozen=True):
    """The map of a module.

    `imports` maps names bound at module level (in `if`/`try` blocks too) to what they import; later ones win.
    `stars` lists modules imported with `*`. `exports` is a literal `__all__`, if there is one.
    `lambdas` are module-level names that are bound to lambdas.
    """

    plots: tuple[Plot, ...]
    imports: dict[str, ImportedName]
    stars: tuple[ImportedName, ...]
    exports: tuple[str, ...] | None
    lambdas: frozenset[str] = frozenset()

    def binding(self, name: str) -> tuple[Plot, ...]:
        """The plots that bind `name` at module level, in file order."""
        return tuple(plot for plot in self.plots if name in plot.names)


def outline(text: str, lines: LineIndex) -> Outline:
    """Map the decoded text of a file. Raises `BrokenSyntax`; never anything else, whatever the text."""
    tree = parse(text)
    imports: dict[str, ImportedName] = {}
    stars: list[ImportedName] = []
    for node in _module_level(tree.body):
        match node:
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")], level=level):
                stars.append(ImportedName(module or "", None, level))
            case ast.Import() | ast.ImportFrom():
                imports.update(imported_names(node))
            case _:
                pass
    plots = tuple(_plots(tree.body, text, lines))
    lambdas = frozenset(_lambda_names(tree.body))
    return Outline(plots, imports, tuple(stars), _exports(tree.body), lambdas)


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, ImportedName]]:
    """What an import binds: each name, and what it stands for."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, ImportedName(node.module or "", alias.name, node.level)
        elif alias.asname:
            yield alias.asname, ImportedName(alias.name)
        else:
            top = alias.name.split(".")[0]
            yield top, ImportedName(top)


def parse(text: str) -> ast.Module:
    """`ast.parse` that raises `BrokenSyntax` and nothing else."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise BrokenSyntax(error.msg or "invalid syntax", error.lineno or 1, error.offset or 1) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BrokenSyntax(str(error) or type(error).__name__, 1, 1) from None


def _plots(body: Sequence[ast.stmt], text: str, lines: LineIndex) -> Iterator[Plot]:
    groups: list[tuple[int, int, list[ast.stmt]]] = []
    for statement in body:
        first, last = _rows(statement)
        if groups and first <= groups[-1][1]:
            start, _, members = groups[-1]
            groups[-1] = (start, max(last, groups[-1][1]), [*members, statement])
        else:
            groups.append((first, last, [statement]))
    for first, last, members in groups:
        names: list[str] = []
        for member in members:
            names.extend(_bound(member))
        bare = all(_is_bare(member) for member in members)
        classes = [s for s in _module_level(members) if isinstance(s, ast.ClassDef)] if not bare else []
        is_function = any(isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)) for s in members)
        headers = tuple(_header(class_) for class_ in classes)
        functions = tuple(_members(members[0], text, lines)) if len(members) == 1 else ()
        yield Plot(
            _span(first, last, text, lines), first, tuple(dict.fromkeys(names)), bare, headers, is_function, functions
        )


def _members(statement: ast.stmt, text: str, lines: LineIndex) -> Iterator[Member]:
    """The functions of a class, unless they share lines with other statements, or need others to be read: their
    decorators and defaults name what the class body has bound."""
    if not isinstance(statement, ast.ClassDef):
        return
    bound = frozenset(_bound_in_class(statement))
    above = statement.lineno
    for inner in statement.body:
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first, last = _rows(inner)
            if first > above and not (bound and _names_in_head(inner) & bound):
                decorators = (_dotted(d.func if isinstance(d, ast.Call) else d) for d in inner.decorator_list)
                accessory = any(name.rpartition(".")[2] in ACCESSORY_DECORATORS for name in decorators)
                yield Member(inner.name, _span(first, last, text, lines), accessory)
        above = inner.end_lineno or inner.lineno


def _bound_in_class(class_: ast.ClassDef) -> Iterator[str]:
    for inner in _module_level(class_.body):
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            yield from (name for name, _ in imported_names(inner))
        elif not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _bound(inner)


def _names_in_head(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names that decorators and defaults read."""
    arguments = function.args
    heads = [*function.decorator_list, *arguments.defaults, *filter(None, arguments.kw_defaults)]
    return {node.id for head in heads for node in ast.walk(head) if isinstance(node, ast.Name)}


def _rows(statement: ast.stmt) -> tuple[int, int]:
    """The first (with decorators) and last row of a statement, 1-based."""
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
    return first, statement.end_lineno or statement.lineno


def _span(first: int, last: int, text: str, lines: LineIndex) -> Span:
    """The span of whole rows, newline of the last one included."""
    end = lines.offset(Position(last + 1, 1)) if last < lines.row_count else len(text)
    return Span(lines.offset(Position(first, 1)), end)


def _lambda_names(body: Sequence[ast.stmt]) -> Iterator[str]:
    for statement in _module_level(body):
        match statement:
            case ast.Assign(targets=targets, value=ast.Lambda()):
                for target in targets:
                    yield from _target_names(target)
            case _:
                pass


def _header(class_: ast.ClassDef) -> ClassHeader:
    bases = (_dotted(base) for base in class_.bases)
    decorators = (_dotted(d.func if isinstance(d, ast.Call) else d) for d in class_.decorator_list)
    return ClassHeader(class_.name, tuple(b for b in bases if b), tuple(d for d in decorators if d))


def _dotted(node: ast.expr) -> str:
    """The dotted name of an expression, "" if it is none; what is subscripted counts (`Dataset[int]`)."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=base, attr=name):
            owner = _dotted(base)
            return f"{owner}.{name}" if owner else ""
        case ast.Subscript(value=base):
            return _dotted(base)
        case _:
            return ""


def _is_bare(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(value=ast.Constant()):
            return True
        case _:
            return False


def _module_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement that runs in the module's own scope, in file order: blocks are entered, scopes are not."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from _module_level(getattr(statement, field, ()))
        for handler in getattr(statement, "handlers", ()):
            yield from _module_level(handler.body)
        for case in getattr(statement, "cases", ()):
            yield from _module_level(case.body)


def _bound(statement: ast.stmt) -> Iterator[str]:
    for inner in _module_level([statement]):
        match inner:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from _target_names(target)
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
                yield from _target_names(target)
            case ast.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield from _target_names(item.optional_vars)
            case _:
                pass


def stored(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], ast.expr]]:
    """What statements store in names at module level: the names, and the expression that their value comes from."""
    for statement in _module_level(tree.body):
        match statement:
            case ast.Assign(targets=targets, value=value):
                yield tuple(name for target in targets for name in _target_names(target)), value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield tuple(_target_names(target)), value
            case ast.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield tuple(_target_names(item.optional_vars)), item.context_expr
            case _:
                pass


def _target_names(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from _target_names(element)
        case ast.Starred(value=value):
            yield from _target_names(value)
        case _:
            pass


def _exports(body: Sequence[ast.stmt]) -> tuple[str, ...] | None:
    found: list[str] | None = None
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items) | ast.Tuple(elts=items)):
                found = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            case ast.AugAssign(target=ast.Name(id="__all__"), value=ast.List(elts=items)) if found is not None:
                found += [
                    item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
                ]
            case ast.AugAssign(target=ast.Name(id="__all__")):
                return None
            case _:
                pass
    return None if found is None else tuple(found)
