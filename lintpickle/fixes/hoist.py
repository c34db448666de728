"""Moving a lambda or a nested function to module level, where pickle finds it by its name.

Behaviour stays the same: what depends on its surroundings (captured names, defaults that are computed anew
each time, private names of a class) is refused. The moved text is the original text, comments included.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.builtin_names import BUILTINS
from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.definitions import (
    LocalFunction,
    block_of,
    defaults_of,
    definition_of_lambda,
    definition_of_nested,
    removal_of,
)
from lintpickle.fixes.names import NameUses, analyse, captured_names
from lintpickle.fixes.scopes import NameScope, Use
from lintpickle.fixes.syntax import SourceTree

_KEYWORDS = re.compile(r"(?:async\b[\s\\]*)?def\b[\s\\]*")
_FRAME_READERS = frozenset({"locals", "vars", "dir", "eval", "exec"})


class Hoisted(Struct, frozen=True):
    """The sorted edits that move a function to module level, and its name there."""

    edits: tuple[Edit, ...]
    name: str


def hoist_lambda(
    text: str, lambda_span: Span, *, hint: str, insert_before: int | None = None
) -> tuple[Edit, Edit, str] | None:
    """Turn a lambda into a module-level function `_hint` (`_hint_2`, … if that is taken).

    Returns the insertion of the function, the replacement of the lambda by its name, and the name. The
    function goes before the top-level statement at the offset `insert_before` (by default: the lambda's own).
    Two fixes on the same text may choose the same name for different lambdas: `edits.choose` then takes one
    per round. Returns None when the lambda is not found, or hoisting would change what it does.
    """
    names = analyse(text)
    node = names.source.find_lambda(lambda_span) if names else None
    if names is None or node is None:
        return None
    source = names.source
    span = source.span(node)
    point = source.insertion_point(span.start if insert_before is None else insert_before)
    if point is None or point > span.start or captured_names(text, span) or _is_bound_to_place(node):
        return None
    if not all(_is_fixed(each) and names.available(each, point) for each in defaults_of(node.args)):
        return None
    name = names.free_name(hint)
    code = definition_of_lambda(source, node, name)
    if code is None:
        return None
    return _insertion(source, point, code), source.replacement(span, name), name


def define_lambda(text: str, lambda_span: Span) -> tuple[Edit, str] | None:
    """Turn the module-level statement `name = lambda …` into `def name(…)`: the edit, and the name.

    Returns None where the statement is another one, or the name is bound again: the lambda of the first binding may
    then be used under another one.
    """
    names = analyse(text)
    node = names.source.find_lambda(lambda_span) if names else None
    if names is None or node is None:
        return None
    source = names.source
    match _statement_around(source.tree.body, node):
        case ast.Assign(targets=[ast.Name(id=name)], value=value) as statement if value is node:
            if len(names.bindings(name)) != 1:
                return None
            code = definition_of_lambda(source, node, name)
            return (_with_gaps(source, statement, code), name) if code is not None else None
        case _:
            return None


def _statement_around(statements: Sequence[ast.stmt], node: ast.Lambda) -> ast.stmt | None:
    """The last statement that does not begin behind a lambda. A file has many of both."""
    place = bisect_right(statements, (node.lineno, node.col_offset), key=lambda each: (each.lineno, each.col_offset))
    return statements[place - 1] if place else None


def _with_gaps(source: SourceTree, statement: ast.stmt, code: str) -> Edit:
    """A definition in the place of a statement, with two blank rows around it."""
    first, last = source.first_row(statement), source.last_row(statement)
    is_first = first == 0 or source.lines[first - 1].lstrip().startswith("#")
    above = 0 if is_first else 2 - source.blank_rows_before(source.starts[first])
    blank = 0
    while last + blank + 1 < len(source.lines) and source.is_blank(last + blank + 1):
        blank += 1
    below = 0 if last + blank + 1 >= len(source.lines) else 2 - blank
    edit = source.replacement(source.span(statement), code)
    return Edit(edit.span, source.newline * max(0, above) + edit.content + source.newline * max(0, below))


def hoist_function(text: str, def_span: Span, *, insert_before: int | None = None) -> Hoisted | None:
    """Move the nested function at `def_span` to module level, with its decorators and comments.

    The span may begin at the decorators or at `def`. The function keeps its name unless that means something
    else out there; then it and all references to it are renamed. `insert_before` is as for `hoist_lambda`.
    Returns None when the span is not that of a function nested in a function, or hoisting would change what
    it does.
    """
    names = analyse(text)
    node = _find_function(names.source, def_span) if names else None
    if names is None or node is None:
        return None
    source = names.source
    uses = _uses_of(names, node)
    point = source.insertion_point(source.span(node).start if insert_before is None else insert_before)
    if point is None or uses is None or not _can_move(names, node, point):
        return None
    home = uses[0].scope
    name = names.free_name(node.name) if _clashes(names, home, node.name) else node.name
    renames = _renames(source, node, uses, name)
    if renames is None:
        return None
    block = block_of(source, node)
    code = definition_of_nested(source, node, renames, name)
    if code is None:
        return None
    edits = [each for each in renames if not block.start <= each.span.start < block.end]
    edits += [_insertion(source, point, code), removal_of(source, node)]
    return Hoisted(tuple(sorted(edits)), name)


def moved_definition(names: NameUses, def_span: Span, name: str) -> Edit | None:
    """The insertion of a nested function at module level under another name, without what it leaves behind; None if
    it would mean something else there, or is used by its own name inside of itself."""
    node = _find_function(names.source, def_span)
    if node is None:
        return None
    source = names.source
    point = source.insertion_point(source.span(node).start)
    if point is None or not _can_move(names, node, point):
        return None
    keywords = _KEYWORDS.match(source.text, source.span(node).start)
    word = keywords.end() if keywords else 0
    code = definition_of_nested(source, node, [Edit(Span(word, word + len(node.name)), name)], name)
    return _insertion(source, point, code) if code is not None else None


def _insertion(source: SourceTree, point: int, code: str) -> Edit:
    newline = source.newline
    before = newline * max(0, 2 - source.blank_rows_before(point))
    return Edit(Span(point, point), before + code + newline * 3)


def _is_bound_to_place(node: ast.AST) -> bool:
    """Whether code means something else elsewhere: `yield`, `await`, `:=` and private names of a class."""
    for each in ast.walk(node):
        if isinstance(each, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr):
            return True
    return _has_private_names(node)


def _has_private_names(node: ast.AST) -> bool:
    nodes = (each for each in ast.walk(node) if not isinstance(each, ast.Constant))
    fields = (value for each in nodes for _, value in ast.iter_fields(each))
    words = (word for value in fields for word in (value if isinstance(value, list) else [value]))
    return any(
        isinstance(word, str) and word.startswith("__") and not word.endswith("__") and word.isidentifier()
        for word in words
    )


def _is_fixed(node: ast.expr) -> bool:
    """Whether evaluating a default once is the same as evaluating it at each definition."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_fixed(value)
        case ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Tuple(elts=parts):
            return all(_is_fixed(part) for part in parts)
    return False


def _find_function(source: SourceTree, span: Span) -> LocalFunction | None:
    """The outermost function whose `def` is within the span."""
    return next((each for each in source.nodes_within(span) if isinstance(each, LocalFunction)), None)


def _uses_of(names: NameUses, node: LocalFunction) -> list[Use] | None:
    """All uses of a nested function's name, its definition first; None if other code binds the name too."""
    definition = next(use for use in names.of(node) if use.binds and use.name == node.name)
    home = definition.scope
    if home.kind != "function" or node.name in home.global_names | home.nonlocal_names:
        return None
    uses = [use for use in names.named(node.name) if use.scope.resolve(use.name) is home]
    if any(use.binds for use in uses if use is not definition):
        return None
    return [definition, *(use for use in uses if use is not definition)]


def _can_move(names: NameUses, node: LocalFunction, point: int) -> bool:
    source = names.source
    if point > source.span(node).start or captured_names(names.source.text, source.span(node)) - {node.name}:
        return False
    around = [*node.decorator_list, *_annotations(node), *defaults_of(node.args)]
    if _has_private_names(node) or not all(names.available(each, point) for each in around):
        return False
    owners = [use.scope for use in names.of(node) if use.binds and use.name == node.name]
    readers = {use.scope for name in _FRAME_READERS for use in names.named(name)}
    return (
        all(_is_fixed(each) for each in defaults_of(node.args))
        and not _has_attributes_set(source, node.name)
        and not getattr(node, "type_params", [])
        and not any(owner in readers for owner in owners)
    )


def _annotations(node: LocalFunction) -> Iterator[ast.expr]:
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg) and each.annotation is not None:
            yield each.annotation
    if node.returns is not None:
        yield node.returns


def _has_attributes_set(source: SourceTree, name: str) -> bool:
    """Whether `name.attribute` is set somewhere: each function made by the outer one then has its own."""
    return name in source.names_with_attributes_set


def _clashes(names: NameUses, home: NameScope, name: str) -> bool:
    """Whether `name` means something else at module level, or between there and the scope `home`."""
    others = [use for use in names.named(name) if use.scope.resolve(name) is names.module]
    return bool(others) or name in BUILTINS or any(name in scope.bound for scope in home.ancestors())


def _renames(source: SourceTree, node: LocalFunction, uses: list[Use], name: str) -> list[Edit] | None:
    if name == node.name:
        return []
    keywords = _KEYWORDS.match(source.text, source.span(node).start)
    word = keywords.end() if keywords else 0
    spans = [Span(word, word + len(node.name))]
    for use in uses[1:]:
        if not isinstance(use.node, ast.Name):
            return None
        spans.append(source.span(use.node))
    if any(source.segment(span) != node.name for span in spans):
        return None
    return [Edit(span, name) for span in spans]
