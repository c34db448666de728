"""The text of a function at module level, made from that of a lambda or of a nested function."""

from __future__ import annotations

import ast
import copy

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.syntax import SourceTree, same, source_tree

LocalFunction = ast.FunctionDef | ast.AsyncFunctionDef


def defaults_of(args: ast.arguments) -> list[ast.expr]:
    """All default values of a function's parameters."""
    return [*args.defaults, *(each for each in args.kw_defaults if each is not None)]


def definition_of_lambda(source: SourceTree, node: ast.Lambda, name: str) -> str | None:
    """`def name(…)` that does what the lambda does; None if its text is too odd to be moved."""
    span = source.span(node)
    colon = _colon(source, node)
    args = source.text[span.start + len("lambda") : colon].strip(" \t\\\r\n")
    args += source.newline if "#" in args.rpartition(source.newline)[2] else ""
    body = _shifted(source, Span(colon + 1, span.end), source.row(span.start), source.indent)
    candidates = [f"{source.indent}return {body.strip()}"]
    deeper = _shifted(source, Span(colon + 1, span.end), source.row(span.start), source.indent * 2).strip()
    candidates.append(
        f"{source.indent}return ({source.newline}{source.indent * 2}{deeper}{source.newline}{source.indent})"
    )
    for candidate in candidates:
        code = f"def {name}({args}):{source.newline}{candidate}"
        parsed = source_tree(code)
        match parsed and parsed.tree.body:
            case [ast.FunctionDef(args=new, body=[ast.Return(value=ast.expr() as value)])]:
                if same(new, node.args) and same(value, node.body):
                    return code
    return None


def _colon(source: SourceTree, node: ast.Lambda) -> int:
    """The offset of the colon after the arguments: the first one after the last of them, comments aside."""
    args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    ends = [source.span(each).end for each in [*args, *defaults_of(node.args)] if each is not None]
    at = max(ends, default=source.span(node).start)
    while source.text[at] != ":":
        if source.text[at] == "#":
            at = source.starts[source.row(at) + 1]
        else:
            at += 1
    return at


def _shifted(source: SourceTree, span: Span, base_row: int, indent: str) -> str:
    """The text of `span`, its rows but for the first indented as if those of `base_row` began at `indent`."""
    base = source.indentation(base_row)
    kept = source.rows_in_strings(span)
    first, last = source.row(span.start), source.row(span.end)
    parts: list[str] = []
    for row in range(first, last + 1):
        start = max(span.start, source.starts[row])
        line = source.text[start : min(span.end, source.starts[row + 1])]
        if row > first and row not in kept and line.strip():
            white = source.indentation(row)
            line = indent + white.removeprefix(base) * white.startswith(base) + line[len(white) :]
        parts.append(line)
    return "".join(parts)


def block_of(source: SourceTree, node: LocalFunction) -> Span:
    """The rows of a function: comments above, decorators, body, and deeper indented comments below."""
    first = source.comments_above(source.first_row(node))
    last = row = source.last_row(node)
    white = source.indentation(source.first_row(node))
    while row + 1 < len(source.lines):
        row += 1
        line = source.lines[row]
        if line.lstrip().startswith("#") and line.startswith(white) and line[len(white)] in " \t":
            last = row
        elif line.strip():
            break
    return Span(source.starts[first], source.starts[last + 1])


def definition_of_nested(source: SourceTree, node: LocalFunction, renames: list[Edit], name: str) -> str | None:
    """The block of a function at module level, with `renames` (some of which may lie outside of it) applied;
    None if it does not read as the same function, which is now called `name`."""
    block = block_of(source, node)
    white = source.indentation(source.first_row(node))
    kept = source.rows_in_strings(block)
    edits = [each for each in renames if block.start <= each.span.start < block.end]
    for row in range(source.row(block.start), source.row(block.end - 1) + 1):
        if row in kept:
            continue
        start = source.starts[row]
        found = source.indentation(row)
        width = len(white) if found.startswith(white) else len(found)
        edits.append(Edit(Span(start, start + width), ""))
    moved = [Edit(Span(e.span.start - block.start, e.span.end - block.start), e.content) for e in edits]
    code = apply_edits(source.segment(block), moved).rstrip()
    return code if _is_same_function(code, node, name) else None


def removal_of(source: SourceTree, node: LocalFunction) -> Edit:
    """Takes the function out, with the blank rows on one side; puts `pass` where nothing is left."""
    block = block_of(source, node)
    siblings = source.siblings[node]
    first, last = source.row(block.start), source.row(block.end - 1)
    if len(siblings) == 1:
        end = source.newline if source.lines[last].endswith(("\n", "\r")) else ""
        return Edit(block, source.indentation(source.first_row(node)) + "pass" + end)
    if siblings[-1] is node:
        while source.is_blank(first - 1):
            first -= 1
    else:
        while last + 1 < len(source.lines) and source.is_blank(last + 1):
            last += 1
    return Edit(Span(source.starts[first], source.starts[last + 1]), "")


def _is_same_function(code: str, node: LocalFunction, name: str) -> bool:
    """Whether the moved text reads as the same function, but for its name."""
    parsed = source_tree(code)
    if parsed is None or len(parsed.tree.body) != 1:
        return False
    renamed = copy.deepcopy(node)
    renamed.name = name
    for each in ast.walk(renamed):
        if isinstance(each, ast.Name) and each.id == node.name:
            each.id = name
    return same(parsed.tree.body[0], renamed)
