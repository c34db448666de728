"""Making a module, or a name of it, available at module level."""

from __future__ import annotations

import ast

from msgspec import Struct

from lintpickle.builtin_names import BUILTINS
from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.names import NameUses, analyse
from lintpickle.fixes.syntax import SourceTree

_MAX_LINE = 88
"""An import line is not extended beyond this length (Black's, the shortest of the common limits but one)."""


def import_edit(
    text: str, module: str, name: str | None, *, before: int | None = None
) -> tuple[Edit | None, str] | None:
    """How to reach `name` of `module` (or with None: `module` itself) anywhere in `text`.

    Returns the edit, or None in its place when a top-level, unconditional import is there already; and the
    expression for it ("partial", "functools.partial", "F"). With `before`, the import must have run before
    the code at that offset. Two calls for the same import give the same edit. Returns None when this Python
    cannot read `text`, so that the caller offers no fix.
    """
    names = analyse(text)
    if names is None:
        return None
    limit = len(text) if before is None else before
    present = _present(names, module, name, limit)
    if present is not None:
        return None, present
    wanted = _wanted(names, module, name)
    extended = _extension(names.source, module, wanted, limit) if name is not None else None
    return extended or _new_line(names.source, wanted.statement, limit), wanted.expression


class _Wanted(Struct, frozen=True):
    """An import statement that could be added: the name that it binds, to what, and the wanted value."""

    statement: str
    bound: str
    target: str
    expression: str


def _present(names: NameUses, module: str, name: str | None, limit: int) -> str | None:
    target = module if name is None else f"{module}.{name}"
    found: list[str] = []
    for statement in names.source.imports:
        if names.source.span(statement).end > limit:
            continue
        for alias in statement.names:
            expression = alias.asname or alias.name
            value = _target(statement, alias)
            targets = _targets(names, expression.partition(".")[0])
            if None in targets or len(targets) > 1:
                continue
            if value == target:
                return expression
            if value == module:
                found.append(f"{expression}.{name}")
    return found[0] if found else None


def _target(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    if isinstance(statement, ast.Import):
        return alias.name
    return "." * statement.level + (f"{statement.module}." if statement.module else "") + alias.name


def _targets(names: NameUses, name: str) -> set[str | None]:
    """What imports bind `name` to, in any scope; None stands for all other bindings."""
    return {use.target for use in names.bindings(name)}


def _wanted(names: NameUses, module: str, name: str | None) -> _Wanted:
    top = module.partition(".")[0]
    if name is None:
        plain = _Wanted(f"import {module}", top, top, module)
        stem, options = module.rpartition(".")[2], [plain]
    else:
        plain = _Wanted(f"from {module} import {name}", name, f"{module}.{name}", name)
        stem = name
        options = [plain, _Wanted(f"import {module}", top, top, f"{module}.{name}")]
    for option in options:
        if option.bound not in BUILTINS and (
            option.bound not in names.identifiers or _targets(names, option.bound) == {option.target}
        ):
            return option
    alias = names.free_name(stem)
    statement = f"import {module} as {alias}" if name is None else f"from {module} import {name} as {alias}"
    return _Wanted(statement, alias, "", alias)


def _extension(source: SourceTree, module: str, wanted: _Wanted, limit: int) -> Edit | None:
    """`, name` at the end of a plain one-line `from module import …`."""
    start = f"from {module} import "
    if not wanted.statement.startswith(start):
        return None
    addition = ", " + wanted.statement.removeprefix(start)
    for statement in source.imports:
        if not isinstance(statement, ast.ImportFrom) or statement.module != module or statement.level:
            continue
        span = source.span(statement)
        row = source.row(span.start)
        line = source.lines[row].rstrip()
        is_plain = line == source.segment(span) and line.startswith(start) and not line.endswith((")", "*"))
        if is_plain and span.end <= limit and len(line) + len(addition) <= _MAX_LINE:
            return Edit(Span(span.end, span.end), addition)
    return None


def _new_line(source: SourceTree, statement: str, limit: int) -> Edit:
    anchor = _anchor(source, limit)
    newline = source.newline
    row = _first_row_for_code(source) if anchor is None else _last_row_of_line(source, anchor) + 1
    after_imports = anchor is not None and _is_import(source.tree.body[anchor])
    point = source.starts[row] if row < len(source.lines) else len(source.text)
    content = statement + newline
    if not after_imports:
        if source.blank_rows_before(point) == 0:
            content = newline + content
        content += newline * _blank_rows_wanted(source, row)
    if point and not source.text[:point].endswith(("\n", "\r")):
        content = newline + content.removesuffix(newline)
    return Edit(Span(point, point), content)


def _anchor(source: SourceTree, limit: int) -> int | None:
    """The index of the statement after which a new import goes; None for the top of the module.

    That is the last statement of the first run of imports, if it begins before the first definition, or else
    the last `__future__` import, or else the docstring.
    """
    body = source.tree.body
    anchor: int | None = None
    for index, statement in enumerate(body):
        if _end_of_line(source, index) > limit:
            break
        if _is_import(statement):
            anchor = index
        elif anchor is not None and _is_import(body[anchor]):
            break
        elif _is_future(statement) or (index == 0 and _is_docstring(statement)):
            anchor = index
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            break
    return anchor


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom) and not _is_future(statement)


def _is_docstring(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _last_row_of_line(source: SourceTree, index: int) -> int:
    """The last row of the logical line of a top-level statement, with all that shares it by semicolons."""
    body = source.tree.body
    while index + 1 < len(body) and source.first_row(body[index + 1]) == source.last_row(body[index]):
        index += 1
    return source.last_row(body[index])


def _end_of_line(source: SourceTree, index: int) -> int:
    row = _last_row_of_line(source, index)
    body = source.tree.body
    last = index
    while last + 1 < len(body) and source.first_row(body[last + 1]) <= row:
        last += 1
    return source.span(body[last]).end


def _first_row_for_code(source: SourceTree) -> int:
    """The row of the first statement and its comments, after the comments with which the file begins."""
    if source.tree.body:
        return source.comments_above(source.first_row(source.tree.body[0]))
    return len(source.lines)


def _blank_rows_wanted(source: SourceTree, row: int) -> int:
    """How many blank rows to put between a new import and what stands from `row` on."""
    present = 0
    while row < len(source.lines) and source.is_blank(row):
        row, present = row + 1, present + 1
    if row == len(source.lines):
        return 0
    following = source.lines[row]
    return max(0, (2 if following.startswith(("def ", "async ", "class ", "@")) else 1) - present)
