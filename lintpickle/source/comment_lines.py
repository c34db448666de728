"""Lines with only a comment, and blank lines, which do not change the program.

They are found by a quick scan, not by a tokenizer. Where the scan is not sure (triple quotes in a comment or in another
string, lone carriage returns), no line counts as a comment line: that costs time, never a result.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

_QUOTES = re.compile(r'("""|\'\'\')')
_FILLER = re.compile(r"(?<!\\)\n[ \t\f]*(?=[#\n])(?:#[^\n]*)?(?=\n)")
_COMMENT = re.compile(r"(?<!\\)(\n[ \t\f]*)(#[^\n]*)(?=\n)")


class Filler(Struct, frozen=True, array_like=True):
    """Comment lines and blank lines that follow one another: the 0-based offset of the line break before them, their
    length with it, the 1-based row before them (0 at the start of a file), and how many they are."""

    start: int
    length: int
    row: int
    rows: int


def without_comment_lines(code: str) -> str:
    """The text with spaces in place of comment lines; of the same length."""
    if "#" not in code:
        return code
    return _mapped(code, lambda part: _COMMENT.sub(lambda line: line[1] + " " * len(line[2]), part)) or code


def only_statements(code: str) -> str:
    """The text without comment lines and blank lines: the same for two texts that differ only in such lines."""
    found = _mapped(code, lambda part: _FILLER.sub("", part))
    return code if found is None else found


def gaps(code: str) -> tuple[Filler, ...] | None:
    """The comment lines and blank lines of a text, in order; None if they cannot be told from strings. The text is
    taken to stand behind a line break, so that the offset before its first line is -1."""
    parts = _parts(code)
    found: list[Filler] = []
    offset, row = -1, 0
    for text, is_code in parts or ():
        counted = 0
        for match in _FILLER.finditer(text) if is_code else ():
            row += text.count("\n", counted, match.start())
            counted = match.end()
            rows = text.count("\n", match.start(), match.end())
            last = found[-1] if found else None
            if last is not None and last.start + last.length == offset + match.start():
                found[-1] = Filler(last.start, last.length + len(match[0]), last.row, last.rows + rows)
            else:
                found.append(Filler(offset + match.start(), len(match[0]), row, rows))
            row += rows
        row += text.count("\n", counted)
        offset += len(text)
    return tuple(found) if parts is not None else None


def _mapped(code: str, change: Callable[[str], str]) -> str | None:
    """The text with a change applied to everything outside strings in triple quotes; None if these cannot be found
    reliably."""
    parts = _parts(code)
    return None if parts is None else "".join(change(text) if is_code else text for text, is_code in parts)[1:-1]


def _parts(code: str) -> list[tuple[str, bool]] | None:
    """The text between two line breaks, in parts, each with whether it is outside of strings in triple quotes (the
    quotes count as inside); None if these cannot be found reliably."""
    if code.count("\r") != code.count("\r\n"):
        return None
    parts = _QUOTES.split(f"\n{code}\n")
    done: list[tuple[str, bool]] = []
    opened = ""
    for index, part in enumerate(parts):
        is_quote, is_code = index % 2 == 1, False
        if opened:
            opened = "" if is_quote and part == opened and not parts[index - 1].endswith("\\") else opened
        elif is_quote:
            if not _is_plain(parts[index - 1].rpartition("\n")[2]):
                return None
            opened = part
        else:
            is_code = True
        done.append((part, is_code))
    return None if opened else done


def _is_plain(before: str) -> bool:
    """Whether no comment and no other string is open before a quote on its line."""
    return "#" not in before and before.count('"') % 2 == 0 and before.count("'") % 2 == 0
