"""Comments and logical lines of Python text, read by one tolerant scan.

`tokenize` is not used: it raises on the half-written code that editors send, and what it calls a comment
inside an f-string depends on the Python that runs it. This scan follows the grammar of Python 3.12 and
later, which reads all older valid f-strings the same way, and takes any text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import attrgetter

from msgspec import Struct

from lintpickle.diagnostics import Span


class Layout(Struct, frozen=True):
    """What one scan found; all offsets are into the scanned text.

    `comments` run from `#` to the end of the row. `logical_lines` run from their first code point that is not
    white space to the end of their last row, and include a comment there; rows without code belong to none.
    `open_ends` are the offsets at which a row's content ends and a comment may be appended: not behind a
    backslash, not inside a string.
    """

    comments: tuple[Span, ...]
    logical_lines: tuple[Span, ...]
    open_ends: frozenset[int]

    def logical_line(self, offset: int) -> Span | None:
        """The logical line around an offset, or None between logical lines."""
        index = bisect_right(self.logical_lines, offset, key=attrgetter("start")) - 1
        if index >= 0 and offset <= self.logical_lines[index].end:
            return self.logical_lines[index]
        return None

    def next_logical_line(self, offset: int) -> Span | None:
        """The first logical line that starts at the offset or behind it."""
        index = bisect_left(self.logical_lines, offset, key=attrgetter("start"))
        return self.logical_lines[index] if index < len(self.logical_lines) else None


def scan_layout(code: str, regions: Iterable[Span]) -> Layout:
    """Scan each region of `code` on its own (a notebook's cells; the whole text of a plain file)."""
    comments: list[Span] = []
    logical_lines: list[Span] = []
    open_ends: set[int] = set()
    for region in regions:
        offset = region.start
        while offset < region.end:
            line = read_logical_line(code, Span(offset, region.end))
            comments += line.comments
            if line.code is not None:
                logical_lines.append(line.code)
            open_ends.update(line.open_ends)
            offset = line.next_offset
    return Layout(tuple(comments), tuple(logical_lines), frozenset(open_ends))


class LogicalLine(Struct, frozen=True):
    """One logical line, or one blank or comment row (`code` is then None). `next_offset` is where the next
    starts.
    """

    code: Span | None
    comments: tuple[Span, ...]
    open_ends: tuple[int, ...]
    next_offset: int


# The scan's stack holds what is open: "(" for any bracket, "{" for a replacement field of an f-string, ":"
# for its format specification, and the quote ('"', "'''", ...) for the literal part of an f-string.
_BRACKET, _FIELD, _SPEC = "(", "{", ":"

_STRING = r"""(?:(?<!\w)(?P<prefix>[rRbBuUfFtT]{1,2}))?(?P<quote>\"{3}|'{3}|\"|')"""
_REST = r"(?P<comment>\#[^\r\n]*)|(?P<joined>\\(?:\r\n|\r|\n))|(?P<newline>\r\n|\r|\n)|(?P<open>[(\[{])"
_IN_CODE = re.compile(rf"{_STRING}|{_REST}|(?P<close>[)\]}}])")
_IN_FIELD = re.compile(rf"{_STRING}|{_REST}|(?P<close>[)\]}}])|(?P<colon>:)")
STRING_END = {
    '"': re.compile(r'[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*"', re.DOTALL),
    "'": re.compile(r"[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*'", re.DOTALL),
    '"""': re.compile(r'[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""', re.DOTALL),
    "'''": re.compile(r"[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''", re.DOTALL),
}
"""For each kind of opening quotes, a pattern for the rest of the string."""
_LITERAL_STOP = {
    quote: re.compile(rf"\\N\{{[^}}\r\n]*\}}|\\(?:\r\n|[^{{}}])|\{{\{{|(?P<stop>\{{|{quote}{newline})", re.DOTALL)
    for quote, newline in (('"', r"|\r|\n"), ("'", r"|\r|\n"), ('"""', ""), ("'''", ""))
}
_SPEC_STOP = {
    quote: re.compile(rf"\\(?:\r\n|[^{{}}])|(?P<stop>[{{}}]|{quote}{newline})", re.DOTALL)
    for quote, newline in (('"', r"|\r|\n"), ("'", r"|\r|\n"), ('"""', ""), ("'''", ""))
}
_NOT_SPACE = re.compile(r"\S")
_NEWLINE = re.compile(r"[\r\n]")


def read_logical_line(code: str, region: Span) -> LogicalLine:
    """Read the logical line that starts at `region.start`; unclosed strings and brackets end with the
    region.
    """
    offset, end = region.start, region.end
    stack: list[str] = []
    comments: list[Span] = []
    open_ends: list[int] = []
    while offset < end:
        top = stack[-1] if stack else ""
        if top in _LITERAL_STOP or top == _SPEC:
            offset = _read_literal(code, offset, end, stack)
            continue
        match = (_IN_FIELD if top == _FIELD else _IN_CODE).search(code, offset, end)
        if match is None:
            offset = end
            break
        offset = match.end()
        match match.lastgroup:
            case "comment":
                comments.append(Span(match.start(), offset))
            case "quote":
                offset = _read_string(code, match, end, stack)
            case "newline":
                if _FIELD not in stack:
                    open_ends.append(match.start())
                if not stack:
                    return _finish(code, region.start, match.start(), comments, open_ends, offset)
            case "open":
                stack.append(_BRACKET)
            case "close" if stack:
                stack.pop()
            case "colon":
                stack[-1:] = [_FIELD, _SPEC]
    if all(item == _BRACKET for item in stack) and code[end - 1 : end] not in ("\\", "\r", "\n"):
        open_ends.append(end)
    return _finish(code, region.start, end, comments, open_ends, end)


def _finish(
    code: str, start: int, end: int, comments: list[Span], open_ends: list[int], next_offset: int
) -> LogicalLine:
    first = _NOT_SPACE.search(code, start, end)
    has_code = first is not None and code[first.start()] != "#"
    span = Span(first.start(), end) if first is not None and has_code else None
    return LogicalLine(span, tuple(comments), tuple(open_ends), next_offset)


def _read_string(code: str, opening: re.Match[str], end: int, stack: list[str]) -> int:
    """Skip a plain string, or push an f-string (or t-string). Returns the offset after what was read."""
    quote = opening["quote"]
    if {"f", "F", "t", "T"} & set(opening["prefix"] or ""):
        stack.append(quote)
        return opening.end()
    closing = STRING_END[quote].match(code, opening.end(), end)
    if closing is not None:
        return closing.end()
    if len(quote) == 3:
        stack.append(quote)
        return end
    newline = _NEWLINE.search(code, opening.end(), end)
    return newline.start() if newline else end


def _read_literal(code: str, offset: int, end: int, stack: list[str]) -> int:
    """Read literal text of an f-string up to the next change of state. Returns the offset after it."""
    in_spec = stack[-1] == _SPEC
    quote = next(item for item in reversed(stack) if item in _LITERAL_STOP)
    stops = (_SPEC_STOP if in_spec else _LITERAL_STOP)[quote]
    for match in stops.finditer(code, offset, end):
        stop = match["stop"]
        if stop is None:
            continue
        if stop == "{":
            stack.append(_FIELD)
        elif stop == "}":
            del stack[-2:]
        else:
            while stack.pop() != quote:
                pass
            if stop != quote:
                return match.start()
        return match.end()
    return end
