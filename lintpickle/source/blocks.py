"""Top-level classes and functions, found by their lines: so that `ast` need not read their bodies to map a file.

What is found is a guess until `ast` has read what is left (`Skeleton.text`): a line that only seems to begin or to end
a block leaves brackets or indentation there that do not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from io import StringIO
from itertools import accumulate

from lintpickle.diagnostics import Span

_TRIPLE = re.compile(r"\"\"\"|'''")
_ON_A_LINE = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|#")
_AT_MARGIN = re.compile(r"^[^\s#)\]}]", re.MULTILINE)
_MEMBER = re.compile(r"^([ \t]+)(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_INDENT = re.compile(r"[ \t]*")
_CONTINUED = re.compile(r"^.*\\\r?$", re.MULTILINE)
_STRANGE_BREAK = re.compile(r"\f|\r(?!\n)|\\\r?\n(?=[^\s#)\]}])")
"""What ends rows for Python, or sets back their indentation, in other ways than the patterns here know; and statements
that are continued at the margin."""
_FUNCTION = re.compile(r"(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\([ \t]*(?=[\w*)/\n#\r])")
_CLASS = re.compile(r"class[ \t]+\w+[ \t]*(?:\([^()#'\"\\:]*\))?[ \t]*:")


class Skeleton:
    """The text of a file in which one short statement stands for each block: with the decorators of the block and, if
    it is a class, with its name and bases.

    `starts` are the offsets into the file of the rows of `text`, and of the end of the file.
    """

    def __init__(self, text: str, starts: list[int]) -> None:
        self.text = text
        self.starts = starts

    def span(self, first: int, last: int) -> Span:
        """The span in the file of whole rows (1-based) of the skeleton; of a block's row, that of the block."""
        return Span(self.starts[first - 1], self.starts[min(last, len(self.starts) - 1)])


def whole(text: str) -> Skeleton:
    """The skeleton in which nothing is left out."""
    starts = [*accumulate(map(len, StringIO(text, newline="")), initial=0), len(text)]
    return Skeleton(text, starts)


def skeleton(text: str) -> Skeleton | None:
    """The skeleton of a text without its classes and functions; None if they cannot be found by lines."""
    if _STRANGE_BREAK.search(text) or _continues_string(text):
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


def _continues_string(text: str) -> bool:
    """Whether a row may end within a string of one row, by a backslash."""
    if "\\\n" not in text and "\\\r" not in text:
        return False
    for match in _CONTINUED.finditer(text):
        left = _ON_A_LINE.sub("", match.group())
        if "'" in left or '"' in left:
            return True
    return False


def _note_rows(text: str, start: int, end: int, starts: list[int]) -> None:
    """Add the starts of the rows that begin within a part of the text."""
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
    """The offsets of the `class` or `def` of each block, and of the end of its last row that is not blank."""
    head, last_string = -1, 0
    for at, string_end in _rows(text, _AT_MARGIN):
        if string_end:
            last_string = string_end
            continue
        if head >= 0:
            yield head, _trimmed(text, at, max(head, last_string))
        head = at if text.startswith(("class ", "def ", "async "), at) else -1


def _rows(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The offsets of rows that the pattern matches, outside of long strings, the end of the text last; and between them
    start and end of each long string."""
    at = 0
    for start, end in _long_strings(text):
        for match in pattern.finditer(text, at, start + 1):
            yield match.start(), 0
        yield start, end
        at = end
    for match in pattern.finditer(text, at):
        yield match.start(), 0
    yield len(text), 0


def methods(text: str) -> list[tuple[str, Span]]:
    """The functions of a class, by their lines: name, and the span in `text` of each with its decorators. As with
    `skeleton`, that is a guess: what is left out of one may be seen as standing between them."""
    heads = [(match.start(), match.group(1)) for match in _MEMBER.finditer(text)]
    if not heads or "\f" in text:
        return []
    indent = min((indent for _, indent in heads), key=len)
    pattern = _not_deeper(len(indent))
    if _stand_in_strings(text, [at for at, width in heads if width == indent]):
        rows = [at for at, string_end in _rows(text, pattern) if not string_end]
    else:
        rows = [*(match.start() for match in pattern.finditer(text)), len(text)]
    return list(_methods(text, rows, indent))


def _methods(text: str, rows: list[int], indent: str) -> Iterator[tuple[str, Span]]:
    head, decorators, name = -1, -1, ""
    for at in rows:
        if head >= 0:
            yield name, Span(head, at)
            head = -1
        match = _MEMBER.match(text, at)
        if match is not None and match.group(1) == indent:
            head, name = decorators if decorators >= 0 else at, match.group(2)
            decorators = -1
        elif not text.startswith(f"{indent}@", at):
            decorators = -1
        elif decorators < 0:
            decorators = at


def _stand_in_strings(text: str, offsets: list[int]) -> bool:
    """Whether any of the offsets may lie in a string with triple quotes: an odd number of these is in front of it."""
    before = quotes = apostrophes = 0
    for at in offsets:
        quotes += text.count('"""', before, at)
        apostrophes += text.count("'''", before, at)
        if quotes % 2 or apostrophes % 2:
            return True
        before = at
    return False


def without(text: str, spans: Iterable[Span]) -> str:
    """The text of a class without some of its methods, `spans` as `methods` gives them, in order."""
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
    """Finds rows that begin a statement at the indentation or to the left of it."""
    return re.compile(rf"^[ \t]{{0,{indent}}}[^\s#)\]}}]", re.MULTILINE)


def _long_strings(text: str) -> Iterator[tuple[int, int]]:
    """Where strings in triple quotes stand, in order."""
    at = 0
    while (quotes := _TRIPLE.search(text, at)) is not None:
        row = max(at, text.rfind("\n", 0, quotes.start()) + 1)
        behind = _behind_short_string(text, row, quotes.start())
        if behind is not None:
            at = behind
            continue
        end = _end_of_string(text, quotes.group(), quotes.end())
        yield quotes.start(), end
        at = end


def _behind_short_string(text: str, row: int, quotes: int) -> int | None:
    """Where the string or comment ends that an offset lies in, if it begins in the part of a row from `row` on."""
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
