"""A parsed text as fixes need it: code-point offsets, lines, and where statements begin."""

from __future__ import annotations

import ast
import bisect
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cached_property, lru_cache

from lintpickle.diagnostics import Edit, Span
from lintpickle.parsing import syntax

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_NEWLINE = re.compile(r"\r\n|\r|\n")

Placed = ast.expr | ast.stmt | ast.arg | ast.alias | ast.excepthandler | ast.pattern
"""The nodes that know their position."""


FunctionOrClass = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class SourceTree:
    """A text with its tree. Rows are 0-based indexes into `lines`; offsets count code points."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.text = text
        self.tree = tree
        self.lines: list[str] = _LINE.findall(text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self._within: dict[Span, tuple[Placed, ...]] = {}

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes, outer ones before inner ones."""
        return list(ast.walk(self.tree))

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """The imports at top level."""
        return [each for each in self.tree.body if isinstance(each, ast.Import | ast.ImportFrom)]

    @cached_property
    def class_values(self) -> frozenset[ast.expr]:
        """What is assigned to names in the bodies of classes."""
        owners = (each for each in self.nodes if isinstance(each, ast.ClassDef))
        assigned = (each for owner in owners for each in owner.body if isinstance(each, ast.Assign | ast.AnnAssign))
        return frozenset(each.value for each in assigned if each.value is not None)

    @cached_property
    def names_with_attributes_set(self) -> frozenset[str]:
        """The names of which an attribute is set or deleted somewhere (`name.attribute = …`)."""
        attributes = (each for each in self.nodes if isinstance(each, ast.Attribute))
        owners = (each.value for each in attributes if not isinstance(each.ctx, ast.Load))
        return frozenset(owner.id for owner in owners if isinstance(owner, ast.Name))

    @cached_property
    def calls_by_keyword(self) -> dict[str, list[ast.Call]]:
        """The calls that give an argument by a name, by that name."""
        found: dict[str, list[ast.Call]] = {}
        for call in (each for each in self.nodes if isinstance(each, ast.Call)):
            for keyword in call.keywords:
                if keyword.arg is not None:
                    found.setdefault(keyword.arg, []).append(call)
        return found

    @cached_property
    def compared(self) -> frozenset[str]:
        """All that is compared with something, as `ast.dump` writes it; of a literal of several, each."""
        compares = (each for each in self.nodes if isinstance(each, ast.Compare))
        sides = (side for each in compares for side in (each.left, *each.comparators))
        parts = (side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side] for side in sides)
        return frozenset(ast.dump(part) for each in parts for part in each)

    @cached_property
    def siblings(self) -> dict[ast.stmt, list[ast.stmt]]:
        """The block that each statement stands in."""
        bodies = (body for node in self.nodes for _, body in ast.iter_fields(node) if isinstance(body, list))
        return {each: body for body in bodies for each in body if isinstance(each, ast.stmt)}

    @cached_property
    def _last_rows(self) -> list[int]:
        """The last rows of the statements at top level, in order."""
        return [self.last_row(each) for each in self.tree.body]

    @cached_property
    def _nodes_by_row(self) -> dict[int, list[tuple[int, int, Placed]]]:
        """The nodes that begin in a row, each with the statement at top level and its place in `ast.walk` of that."""
        found: dict[int, list[tuple[int, int, Placed]]] = {}
        for index, statement in enumerate(self.tree.body):
            for place, node in enumerate(ast.walk(statement)):
                if isinstance(node, Placed):
                    found.setdefault(node.lineno - 1, []).append((index, place, node))
        return found

    @cached_property
    def newline(self) -> str:
        """The newline of the file: that of its first line."""
        found = _NEWLINE.search(self.text)
        return found.group() if found else "\n"

    @cached_property
    def indent(self) -> str:
        """One level of indentation, as the file's first indented block has it; else four spaces."""
        for node in self.nodes:
            body = getattr(node, "body", None)
            if isinstance(node, ast.stmt) and isinstance(body, list) and node.col_offset == 0:
                white = self.indentation(body[0].lineno - 1)
                if body[0].lineno > node.lineno and white:
                    return white
        return "    "

    def offset(self, lineno: int, column: int) -> int:
        """The offset of ast's 1-based line and its column in UTF-8 bytes."""
        if lineno > len(self.lines):
            return len(self.text)
        line = self.lines[lineno - 1]
        if not line.isascii():
            column = len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))
        return self.starts[lineno - 1] + column

    def span(self, node: Placed) -> Span:
        """The range of a node, without decorators and without parentheses around it."""
        end_line = node.end_lineno or node.lineno
        end_column = node.end_col_offset if node.end_col_offset is not None else node.col_offset
        return Span(self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column))

    def segment(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]

    def row(self, offset: int) -> int:
        """The row in which `offset` lies."""
        return max(0, min(bisect.bisect_right(self.starts, offset) - 1, len(self.lines) - 1))

    def indentation(self, row: int) -> str:
        """The white space that row begins with."""
        line = self.lines[row]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def is_blank(self, row: int) -> bool:
        """Whether a row (from 0) holds nothing but white space."""
        return not self.lines[row].strip()

    def first_row(self, statement: ast.stmt) -> int:
        """The row of the first decorator or of the statement itself."""
        decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
        return min([statement.lineno, *(each.lineno for each in decorators)]) - 1

    def last_row(self, statement: ast.stmt) -> int:
        """The last row (from 0) of the statement."""
        return (statement.end_lineno or statement.lineno) - 1

    def comments_above(self, row: int) -> int:
        """The first of the comment rows that stand directly above `row` at its indentation (`row` if none).

        The comments with which a file begins belong to the file, and `# %%` begins a cell.
        """
        white = self.indentation(row)
        first = row
        while first > 0:
            line = self.lines[first - 1]
            if not line.startswith(white + "#") or line.startswith("# %%"):
                break
            first -= 1
        return row if all(self.is_blank(above) for above in range(first)) else first

    def top_index(self, offset: int) -> int | None:
        """The index of the top-level statement that holds `offset` or is the next one after it. Of statements
        that share a line, the first."""
        body = self.tree.body
        row = self.row(offset)
        for index in range(bisect.bisect_left(self._last_rows, row), len(body)):
            statement = body[index]
            if self.span(statement).end > offset or self.first_row(statement) > row:
                while index and self.last_row(body[index - 1]) == self.first_row(body[index]):
                    index -= 1
                return index
        return None

    def insertion_point(self, offset: int) -> int | None:
        """Where code goes that must stand before the top-level statement at `offset`: before the statement's
        decorators and the comments that belong to it."""
        index = self.top_index(offset)
        if index is None:
            return None
        return self.starts[self.comments_above(self.first_row(self.tree.body[index]))]

    def blank_rows_before(self, offset: int) -> int:
        """How many blank rows stand directly before the row at `offset`; 2 at the top of the file."""
        row = bisect.bisect_left(self.starts, offset)
        count = 0
        while row > 0 and self.is_blank(row - 1):
            row, count = row - 1, count + 1
        return count if row else 2

    def find_lambda(self, span: Span) -> ast.Lambda | None:
        """The outermost lambda within `span`, if nothing but parentheses and white space is around it."""
        for node in self.nodes_within(span):
            if isinstance(node, ast.Lambda):
                where = self.span(node)
                around = self.text[span.start : where.start] + self.text[where.end : span.end]
                return node if not around.strip("() \t\r\n") and self._is_read_rightly(node) else None
        return None

    def find_function(self, span: Span, name: str) -> ast.FunctionDef | None:
        """The outermost function of that name within `span`, if it is defined by `def`."""
        for node in self.nodes_within(span):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
        return None

    def call_at(self, span: Span) -> ast.Call | None:
        """The call that stands at a span."""
        calls = (each for each in self.nodes_within(span) if isinstance(each, ast.Call))
        return next((each for each in calls if self.span(each) == span), None)

    def nodes_within(self, span: Span) -> Iterator[Placed]:
        """All nodes that lie within the span, outer ones before inner ones. They are sought once: many rules ask about
        one function."""
        if span not in self._within:
            self._within[span] = tuple(self._find_within(span))
        return iter(self._within[span])

    def _find_within(self, span: Span) -> Iterator[Placed]:
        first, last = self.row(span.start), self.row(span.end)
        body = self.tree.body
        rows = (self._nodes_by_row.get(row, ()) for row in range(first, last + 1))
        for index, _, node in sorted((each for row in rows for each in row), key=lambda each: each[:2]):
            # The nodes of f-strings may be said to be in rows of others.
            if self.last_row(body[index]) >= first and self.first_row(body[index]) <= last:
                where = self.span(node)
                if span.contains(where):
                    yield node

    def _is_read_rightly(self, node: ast.Lambda) -> bool:
        """False inside of f-strings, whose positions were wrong before Python 3.12."""
        again = source_tree(f"({self.segment(self.span(node))}\n)")
        match again and again.tree.body:
            case [ast.Expr(value=value)]:
                return same(value, node)
        return False

    def replacement(self, span: Span, content: str) -> Edit:
        """An edit that puts `content` in place of `span`, set off from words that touch it."""
        before = " " if span.start and self.text[span.start - 1].isalnum() else ""
        after = " " if self.text[span.end : span.end + 1].isalnum() else ""
        return Edit(span, before + content + after)

    def rows_in_strings(self, span: Span) -> frozenset[int]:
        """The rows within `span` that begin inside of a string literal: their white space has meaning. (What is newer
        than this Python's strings is a tuple in the tree.)"""
        rows: set[int] = set()
        for node in self.nodes_within(span):
            if isinstance(node, ast.Constant | ast.JoinedStr | ast.Tuple) and node.end_lineno != node.lineno:
                literal = self.segment(self.span(node))
                rows.update(node.lineno - 1 + row for row in _rows_in_strings(literal))
        return frozenset(rows)


@lru_cache(maxsize=8)
def source_tree(text: str) -> SourceTree | None:
    """The text with its tree (shared: do not change it), or None when this Python cannot read the text."""
    try:
        return SourceTree(text, syntax.parse(text))
    except syntax.BrokenSyntax:
        return None


def same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two trees are equal but for positions."""
    return ast.dump(one) == ast.dump(other)


def _rows_in_strings(literal: str) -> set[int]:
    """Rows, counted from the first of `literal`, that begin inside of one of its string tokens."""
    text = _NEWLINE.sub("\n", literal)
    every = set(range(1, text.count("\n") + 1))
    rows: set[int] = set()
    opened: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
            kind = tokenize.tok_name[token.type]
            if kind.endswith("STRING_START"):
                opened.append(token.start[0])
            elif kind.endswith("STRING_END"):
                rows.update(range(opened.pop(), token.end[0]))
            elif token.type == tokenize.STRING:
                rows.update(range(token.start[0], token.end[0]))
    except (tokenize.TokenError, SyntaxError, IndexError):
        return every
    return rows
