"""Syntax that is newer than the running Python, rewritten in older syntax, so that `ast` can parse it.

libcst parses the syntax of any Python. If the standard parser refuses a text and libcst does not, the new syntax is
replaced by older syntax of the same length in the same rows, so all offsets stay valid. Only outlines, which say where
something is, are made from this text; the meaning is read from the original.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.input_limits import CHAINED_ROWS, ROW
from lintpickle.parsing.nesting import is_absurd
from lintpickle.parsing.parsed_blocks import TEMPLATE_PREFIX, Spans, read_block
from lintpickle.parsing.walk import walk

_CHAIN = re.compile(rf"(?:\n[ \t]*(?:[-+*/%|&^@<>=.]|and\b|or\b)[^\n]*){{{CHAINED_ROWS.most}}}")
_LAZY = {
    "LazyImport": re.compile(r"\blazy[ \t\\\r\n]+import\b"),
    "LazyImportFrom": re.compile(r"\blazy[ \t\\\r\n]+from\b"),
}
_PLACE = re.compile(r"error at (\d+):(\d+):")
"""The place that a libcst error names: the end of the unexpected word. `raw_line` is that of the enclosing rule."""
_ROW_END = re.compile(r"\r\n|\r|\n")
_NEXT_ROW = r"(?:\r\n|\r|\n)[ \t\f]*"
"""The break between the rows of a node. libcst writes a node by itself without the indentation of its block."""
_LAST_WORD = re.compile(r"(?:\w+|\S)\Z")
_EMPTY = cst.Module([])


class NotOlder(Exception):
    """The text cannot be written in older syntax."""


def in_older_words(text: str) -> str | None:
    """The text in the syntax of Python 3.10, with the same length and rows. None if libcst cannot or must not parse it,
    or if no equivalent is known."""
    if _is_absurd(text):
        return None
    text = TEMPLATE_PREFIX.sub(r"\1f\2", text)
    block = read_block(text, 0)
    if block is None or not block.exact:
        return None
    rewriter = _Rewriter(text, block.spans)
    try:
        for node in walk(block.tree):
            rewriter.rewrite(node)
    except (NotOlder, ValueError):
        return None
    return "".join(rewriter.pieces)


def first_error(text: str) -> tuple[int, int] | None:
    """The row and column (1-based) of the syntax error that libcst finds. None if it finds none, does not say where, or
    must not parse the text."""
    if _is_absurd(text):
        return None
    try:
        cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        place = _PLACE.search(error.message)
        if place is not None:
            row, end = map(int, place.groups())
            rows = _ROW_END.split(text)
            before = rows[row - 1][:end] if row <= len(rows) else ""
            return min(row, len(rows)), len(_LAST_WORD.sub("", before)) + 1
    except (cst.CSTLogicError, cst.CSTValidationError, RecursionError):
        pass
    return None


def _is_absurd(text: str) -> bool:
    is_long = any(len(row) > ROW.most for row in text.split("\n"))
    return is_long or text.count("elif") > CHAINED_ROWS.most or _CHAIN.search(text) is not None or is_absurd(text)


class _Rewriter:
    """Rewrites a text in place; outer nodes come before inner ones."""

    def __init__(self, text: str, spans: Spans) -> None:
        self.pieces = list(text)
        self._text = text
        self._spans = spans
        self._joined: set[int] = set()

    def rewrite(self, node: cst.CSTNode) -> None:
        """Replace new syntax of a node, but not of its children."""
        match node:
            case (
                cst.FunctionDef(type_parameters=cst.TypeParameters() as new)
                | cst.ClassDef(type_parameters=cst.TypeParameters() as new)
            ):
                start = self._span(node.name).end + len(_written(node.whitespace_after_name))
                self._forget_parameters(self._exactly(start, new))
            case cst.TypeAlias():
                self._forget_alias(node)
            case cst.ExceptHandler(type=cst.Tuple(lpar=[], elements=elements)):
                self._unite(elements)
            case cst.ExceptStarHandler(type=starred):
                self._drop_star(starred)
                if isinstance(starred, cst.Tuple) and not starred.lpar:
                    self._unite(starred.elements)
            case cst.Index(star="*", value=starred):
                self._drop_star(starred)
            case cst.Annotation(annotation=cst.StarredElement(value=starred)):
                self._drop_star(starred)
            case (
                cst.ListComp(elt=cst.StarredElement(value=starred))
                | cst.SetComp(elt=cst.StarredElement(value=starred))
                | cst.GeneratorExp(elt=cst.StarredElement(value=starred))
            ):
                self._drop_star(starred)
            case cst.FormattedString() | cst.TemplatedString() | cst.ConcatenatedString():
                self._rewrite_string(node)
            case _:
                self._rewrite_others(node)

    def _rewrite_others(self, node: cst.CSTNode) -> None:
        """Nodes that older versions of libcst do not know."""
        kind = type(node).__name__
        if kind == "StarredDictComp":
            self._drop_star(node.value, 2)  # type: ignore[attr-defined]
        elif kind in _LAZY:
            name = self._span(node.names[0].name)  # type: ignore[attr-defined]
            *_, word = _LAZY[kind].finditer(self._text, 0, name.start)
            self.pieces[word.start() : word.start() + 4] = "0;  "

    def _span(self, node: cst.CSTNode) -> Span:
        span = self._spans.get(node)
        if span is None:
            raise NotOlder
        return span

    def _exactly(self, start: int, node: cst.CSTNode) -> Span:
        """The span of a node for which only the start is known."""
        rows = [re.escape(row.lstrip() if index else row) for index, row in enumerate(_written(node).split("\n"))]
        found = re.compile(_NEXT_ROW.join(rows)).match(self._text, start)
        if found is None:
            raise NotOlder
        return Span(*found.span())

    def _blank(self, span: Span) -> None:
        """Replace a part of the text by spaces."""
        for offset in range(span.start, span.end):
            if self._text[offset] not in "\r\n":
                self.pieces[offset] = " "

    def _drop_star(self, starred: cst.CSTNode, width: int = 1) -> None:
        star = self._text.rindex("*" * width, 0, self._span(starred).start)
        self._blank(Span(star, star + width))

    def _unite(self, elements: Sequence[cst.BaseElement]) -> None:
        """`except A, B:` becomes `except A| B:`."""
        for element in elements:
            if isinstance(element.comma, cst.Comma):
                comma = self._text.index(",", self._span(element.value).end)
                self.pieces[comma] = "|" if element is not elements[-1] else " "

    def _forget_alias(self, node: cst.TypeAlias) -> None:
        """`type X = …` becomes `(0)`: its value is only evaluated on demand."""
        start = self._span(node.name).start - len(_written(node.whitespace_after_type)) - len("type")
        span = self._exactly(start, node)
        if isinstance(node.semicolon, cst.Semicolon):
            span = Span(start, span.end - len(_written(node.semicolon)))
        self._blank(span)
        self.pieces[start : start + 2] = "(0"
        self.pieces[span.end - 1] = ")"

    def _forget_parameters(self, span: Span) -> None:
        """`def f[T](x):` becomes `def f(   x):`, and so do classes."""
        behind = re.compile(r"[ \t\\]*\(").match(self._text, span.end)
        self._blank(Span(span.start, span.end if behind is None else behind.end()))
        self.pieces[span.start] = "("
        if behind is None:
            self.pieces[span.end - 1] = ")"

    def _rewrite_string(self, node: cst.FormattedString | cst.TemplatedString | cst.ConcatenatedString) -> None:
        """An f-string that this Python cannot parse becomes a tuple of the values in its replacement fields."""
        if id(node) in self._joined:
            return
        inner = list(_strings(node))
        self._joined.update(id(each) for each in inner)
        span = self._span(node)
        written = self._text[span.start : span.end]
        if _is_read_here(written):
            return
        parts = [part for each in inner for part in getattr(each, "parts", ()) if hasattr(part, "expression")]
        holes = [self._hole(part.expression) for part in parts]
        self._blank(span)
        starts, ends = [span.start, *(hole.end for hole in holes)], [*(hole.start for hole in holes), span.end]
        if not all(self._text[start:end].isascii() for start, end in zip(starts, ends, strict=True)):
            self._fill(span)
            return
        for hole in holes:
            self.pieces[hole.start : hole.end] = self._text[hole.start : hole.end]
            behind = next(at for at in range(hole.end, span.end) if self._text[at] not in "\r\n")
            self.pieces[behind] = ","
        self.pieces[span.start], self.pieces[span.end - 1] = "(", ")"
        self._joined.update(id(each) for part in parts for each in _written_in_format(part))

    def _hole(self, expression: cst.BaseExpression) -> Span:
        """The span of the expression of a replacement field, with its parentheses."""
        inner = self._span(expression)
        start, end = inner.start, inner.end
        for _ in expression.lpar:
            start = self._text.rindex("(", 0, start)
        for _ in expression.rpar:
            end = self._text.index(")", end) + 1
        return Span(start, end)

    def _fill(self, span: Span) -> None:
        """Replace a string with multi-byte characters by one without replacement fields: `ast` counts in bytes."""
        text = self._text[span.start : span.end]
        quotes = '"""' if "\n" in text or "\r" in text else '"'
        for offset in range(span.start, span.end):
            if not self._text[offset].isascii():
                self.pieces[offset] = self._text[offset]
        width = len(quotes)
        if len(text) < 2 * width or not (text[:width] + text[-width:]).isascii():
            raise NotOlder
        self.pieces[span.start : span.start + width] = quotes
        self.pieces[span.end - width : span.end] = quotes


def _written(node: cst.CSTNode) -> str:
    return _EMPTY.code_for_node(node)


def _strings(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The string, and the strings of which it consists."""
    yield node
    if isinstance(node, cst.ConcatenatedString):
        yield from _strings(node.left)
        yield from _strings(node.right)


def _written_in_format(part: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes in the format specification of a replacement field (`{x:>{width}}`)."""
    for each in getattr(part, "format_spec", None) or ():
        yield from walk(each)


def _is_read_here(expression: str) -> bool:
    try:
        ast.parse(f"({expression}\n)")
    except (SyntaxError, ValueError):
        return False
    return True
