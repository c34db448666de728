"""The Markdown of rule pages as text for a terminal: wrapped, without its marks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence

from lintpickle.terminal import Style, text_width

_CODE_INDENT = "    "
_FENCE = re.compile(r"(`{3,}|~{3,})\s*(.*)")
_HEADING = re.compile(r"#{1,6} +(.*)")
_ITEM = re.compile(r"([-*+]|[0-9]+[.)]) +")
_INLINE = re.compile(r"`([^`]+)`")
_MARKED = re.compile(
    r"(?P<code>`[^`]+`)"
    r"|\[(?P<text>(?:`[^`]*`|[^\[\]`])+)\]\((?P<url>[^()\s]*)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|(?<!\w)\*(?P<emphasis>[^*\s][^*]*)\*(?!\w)"
)
_BOUND = "\0"
"""Stands for a space at which a line must not be broken."""


def rendered(markdown: str, style: Style, width: int) -> str:
    """Markdown as text of at most `width` columns; code and tables keep their lines, however long."""
    lines = markdown.split("\n")
    shown: list[str] = []
    row = 0
    while row < len(lines):
        taken, block = _block(lines[row:], style, width)
        shown += block
        row += taken
    return "\n".join(shown).strip("\n") + "\n"


def _block(lines: Sequence[str], style: Style, width: int) -> tuple[int, list[str]]:
    """How many lines the first block has, and what is shown of it."""
    first = lines[0]
    if not first.strip():
        return _while(lines, lambda line: not line.strip()), [""]
    if match := _FENCE.match(first):
        end = next((row for row, line in enumerate(lines) if row and line.strip() == match[1]), len(lines))
        return end + 1, list(_code(lines[1:end], match[2], style))
    if match := _HEADING.match(first):
        return 1, [style.heading(match[1])]
    if first.startswith(_CODE_INDENT):
        taken = _while(lines, lambda line: line.startswith(_CODE_INDENT))
        return taken, list(lines[:taken])
    if first.startswith("|"):
        taken = _while(lines, lambda line: line.startswith("|"))
        return taken, _table(lines[:taken], style)
    marker = match[0] if (match := _ITEM.match(first)) else ""
    taken = 1 + _while(lines[1:], _continues)
    text = " ".join(line.strip() for line in lines[:taken]).removeprefix(marker)
    return taken, _wrapped(text, marker, style, width)


def _while(lines: Sequence[str], belongs: Callable[[str], bool]) -> int:
    return next((row for row, line in enumerate(lines) if not belongs(line)), len(lines))


def _continues(line: str) -> bool:
    """Whether a line belongs to the paragraph or the item above it."""
    return bool(line.strip()) and not any(form.match(line) for form in (_FENCE, _HEADING, _ITEM))


def _code(lines: Sequence[str], info: str, style: Style) -> Iterator[str]:
    kind = info.partition(" ")[2]
    if "=" in kind or kind == "proof":
        yield style.dim(f"{_CODE_INDENT}# {kind}")
    for line in lines:
        yield f"{_CODE_INDENT}{line}".rstrip()


def _table(lines: Sequence[str], style: Style) -> list[str]:
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    rows = [[_plain(cell.replace("\\|", "|")) for cell in row] for row in rows]
    widths = [max(text_width(row[at]) for row in rows if at < len(row)) for at in range(max(map(len, rows)))]

    def in_color(match: re.Match[str]) -> str:  # the marks stay, for columns are as wide as they are with them
        return style.accent(match[0])

    shown = []
    for number, row in enumerate(rows):
        line = "  ".join(cell + " " * (width - text_width(cell)) for cell, width in zip(row, widths, strict=False))
        shown.append(style.bold(line.rstrip()) if number == 0 else _INLINE.sub(in_color, line.rstrip()))
    return shown


def _wrapped(text: str, marker: str, style: Style, width: int) -> list[str]:
    bound = _INLINE.sub(lambda match: _held_together(match[0], width), _plain(text))
    lines = textwrap.wrap(
        bound,
        width,
        initial_indent=marker,
        subsequent_indent=" " * len(marker),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [_painted(line.replace(_BOUND, " "), style) for line in lines]


def _held_together(code: str, width: int) -> str:
    return code.replace(" ", _BOUND) if len(code) <= width * 2 // 3 else code


def _plain(text: str) -> str:
    """Text without the marks of links and emphasis; code is left alone."""
    return _MARKED.sub(_unmarked, text)


def _unmarked(match: re.Match[str]) -> str:
    if match["text"]:
        return f"{match['text']} ({match['url']})" if "://" in match["url"] else str(match["text"])
    return str(match["code"] or match["strong"] or match["emphasis"])


def _painted(text: str, style: Style) -> str:
    return _INLINE.sub(lambda match: style.accent(match[1]), text) if style.color else text
