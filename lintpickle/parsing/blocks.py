"""Top-level classes and functions, found by their lines, so that `ast` need not read their bodies to map a file.

The result is a guess until `ast` has read the rest (`Skeleton.text`): a line that only seems to begin or end a block
leaves brackets or indentation that do not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from io import StringIO
from itertools import accumulate

from lintpickle.diagnostics import Span

_TRIPLE = ('"""', "'''")
_ON_A_LINE = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|#")
_AT_MARGIN = re.compile(r"\n[^\s#)\]}]")
_NAME = re.compile(r"[ \t]+(\w+)")
_ASYNC = re.compile(r"async[ \t]+")
_INDENT = re.compile(r"[ \t]*")
_SPACES = (" ", "\t", "\f", "\\")
"""What may follow a word that begins a definition, other than its name."""
_CONTINUED = re.compile(r"\\\r?\n")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_CONTINUED_AT_MARGIN = re.compile(r"\\\r?\n(?=[^\s#)\]}])")
_FUNCTION = re.compile(r"(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\([ \t]*(?=[\w*)/\n#\r])")
_CLASS = re.compile(r"class[ \t]+\w+[ \t]*(?:\([^()#'\"\\:]*\))?[ \t]*:")


class Skeleton:
    """The text of a file in which each block is replaced by one short statement, with the decorators of the block and,
    for a class, with its name and bases. `starts` are the offsets in the file of the rows of `text`, and of the end of
    the file."""

    def __init__(self, text: str, starts: list[int]) -> None:
        self.text = text
        self.starts = starts

    def span(self, first: int, last: int) -> Span:
        """The span in the file of whole rows (1-based) of the skeleton. The row of a block stands for the whole
        block."""
        return Span(self.starts[first - 1], self.starts[min(last, len(self.starts) - 1)])


def whole(text: str) -> Skeleton:
    """A skeleton in which nothing is replaced."""
    starts = [*accumulate(map(len, StringIO(text, newline="")), initial=0), len(text)]
    return Skeleton(text, starts)


def skeleton(text: str) -> Skeleton | None:
    """The skeleton of a text; None if its classes and functions cannot be found by lines."""
    if _has_strange_break(text) or _continues_string(text):
        return None
    pieces: list[str] = []
    starts = [0]
    at = 0
    for head, end in _blocks(text):
        stub = _stub(text, head)
        if stub is None:
            continue
        pieces += [text[at:head], stub]
        _note_rows(text, at, head, starts)
        starts += [head] * stub.count("\n")
        starts[-1] = end
        at = end
    pieces.append(text[at:])
    _note_rows(text, at, len(text), starts)
    starts.append(len(text))
    return Skeleton("".join(pieces), starts)


def _has_strange_break(text: str) -> bool:
    """Whether Python ends rows or resets indentation in ways that the patterns here do not know, or a statement
    continues at the margin."""
    return "\f" in text or bool(_LONE_RETURN.search(text) or _CONTINUED_AT_MARGIN.search(text))


def _continues_string(text: str) -> bool:
    """Whether a string without triple quotes may continue on the next row, after a backslash."""
    for match in _CONTINUED.finditer(text):
        row = text[text.rfind("\n", 0, match.start()) + 1 : match.start() + 1]
        left = _ON_A_LINE.sub("", row)
        if "'" in left or '"' in left:
            return True
    return False


def _note_rows(text: str, start: int, end: int, starts: list[int]) -> None:
    """Add the starts of the rows in a part of the text."""
    at = text.find("\n", start, end)
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1, end)


def _stub(text: str, head: int) -> str | None:
    """A statement of whole rows that binds the same name as a block."""
    function = _FUNCTION.match(text, head)
    if function is not None:
        return f"def {function.group(1)}(): ...\n"
    class_ = _CLASS.match(text, head)
    return f"{class_.group()} ...\n" if class_ is not None else None


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """For each block, the offsets of its `class` or `def` and of the end of its last row that is not blank."""
    head, last_string = -1, 0
    for at, string_end in _rows(text, _AT_MARGIN):
        if string_end:
            last_string = string_end
            continue
        if head >= 0:
            yield head, _trimmed(text, at, max(head, last_string))
        head = at if text.startswith(("class ", "def ", "async "), at) else -1


def _rows(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The offsets of rows outside long strings that match the pattern, then the end of the text; between them the start
    and end of each long string."""
    at = 0
    for start, end in _long_strings(text):
        yield from ((row, 0) for row in _found(text, pattern, at, start + 1))
        yield start, end
        at = end
    yield from ((row, 0) for row in _found(text, pattern, at, len(text)))
    yield len(text), 0


def _found(text: str, pattern: re.Pattern[str], start: int, end: int) -> Iterator[int]:
    """The offsets of rows in a part of the text that match the pattern, which includes the line break before the row:
    patterns that begin with a plain character are many times faster in `re` than those that begin with `^`."""
    if start == 0 and pattern.match("\n" + text[:end].partition("\n")[0]):
        yield 0
    for match in pattern.finditer(text, max(start - 1, 0), end):
        yield match.start() + 1


def methods(text: str) -> list[tuple[str, Span]]:
    """The functions of a class, found by their lines: the name of each, and its span in `text` with its decorators.
    Like `skeleton`, this is a guess: a function that is missed looks like code between the others."""
    found = [(at, indent, _NAME.match(text, behind)) for at, indent, behind in heads(text, "def") if indent]
    defined = {at: (indent, name.group(1)) for at, indent, name in found if name is not None}
    if not defined or "\f" in text:
        return []
    indent = min((indent for indent, _ in defined.values()), key=len)
    names = {at: name for at, (width, name) in defined.items() if width == indent}
    pattern = _not_deeper(len(indent))
    if _alias_strings(text, names):
        rows = [at for at, string_end in _rows(text, pattern) if not string_end]
    else:
        rows = [*_found(text, pattern, 0, len(text)), len(text)]
    return list(_methods(text, rows, indent, names))


def heads(text: str, word: str) -> Iterator[tuple[int, str, int]]:
    """The rows that begin with `def` or `class`, possibly after `async`: their offset, their indentation, and the
    offset after the word. Rows in strings may be among them."""
    at = text.find(word)
    while at >= 0:
        row, behind = text.rfind("\n", 0, at) + 1, at + len(word)
        first = text[row:at].lstrip(" \t")
        if (not first or _ASYNC.fullmatch(first)) and text[behind : behind + 1] in _SPACES:
            yield row, text[row : at - len(first)], behind
        at = text.find(word, behind)


def _methods(text: str, rows: list[int], indent: str, names: Mapping[int, str]) -> Iterator[tuple[str, Span]]:
    head, decorators, name = -1, -1, ""
    for at in rows:
        if head >= 0:
            yield name, Span(head, at)
            head = -1
        if at in names:
            head, name = decorators if decorators >= 0 else at, names[at]
            decorators = -1
        elif not text.startswith(f"{indent}@", at):
            decorators = -1
        elif decorators < 0:
            decorators = at


def _alias_strings(text: str, offsets: Iterable[int]) -> bool:
    """Whether any of the offsets may be in a string in triple quotes: an odd number of triple quotes comes before
    it."""
    before = quotes = apostrophes = 0
    for at in offsets:
        quotes += text.count('"""', before, at)
        apostrophes += text.count("'''", before, at)
        if quotes % 2 or apostrophes % 2:
            return True
        before = at
    return False


def without_methods(text: str, spans: Iterable[Span]) -> str:
    """The text of a class without some of its methods. `spans` are in order, as `methods` returns them."""
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces.append(text[at : span.start])
        if at == 0:
            indent = _INDENT.match(text, span.start)
            pieces.append(f"{indent.group() if indent else ''}pass\n")
        at = span.end
    return "".join([*pieces, text[at:]])


@cache
def _not_deeper(indent: int) -> re.Pattern[str]:
    """A pattern for rows that begin a statement at this indentation or further left."""
    return re.compile(rf"\n[ \t]{{0,{indent}}}[^\s#)\]}}]")


def _long_strings(text: str) -> Iterator[tuple[int, int]]:
    """The spans of strings in triple quotes, in order."""
    at = 0
    following = {quotes: text.find(quotes) for quotes in _TRIPLE}
    while True:
        for quotes, start in following.items():
            if 0 <= start < at:
                following[quotes] = text.find(quotes, at)
        start, quotes = min(((start, quotes) for quotes, start in following.items() if start >= 0), default=(-1, ""))
        if start < 0:
            return
        row = max(at, text.rfind("\n", 0, start) + 1)
        behind = _behind_short_string(text, row, start)
        at = _end_of_string(text, quotes, start + 3) if behind is None else behind
        if behind is None:
            yield start, at


def _behind_short_string(text: str, row: int, quotes: int) -> int | None:
    """The end of the string or comment around an offset, if it begins after `row` in the same row."""
    at = row
    while (found := _ON_A_LINE.search(text, at)) is not None and found.start() < quotes:
        if found.group() == "#":
            newline = text.find("\n", quotes)
            return newline if newline >= 0 else len(text)
        if found.end() > quotes:
            return found.end()
        at = found.end()
    return None


def _end_of_string(text: str, quotes: str, start: int) -> int:
    end = text.find(quotes, start)
    while end >= 0:
        escapes = end - len(text[start:end].rstrip("\\")) - start
        if escapes % 2 == 0:
            return end + 3
        end = text.find(quotes, end + 1)
    return len(text)


def _trimmed(text: str, end: int, least: int) -> int:
    """`end` without the blank and commented rows in front of it, but not below `least`."""
    while end > least:
        row = text.rfind("\n", 0, end - 1) + 1
        if row <= least or text[row:end].lstrip()[:1] not in ("", "#"):
            return end
        end = row
    return end
