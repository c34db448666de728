"""What a terminal needs: whether to colour, styles, links, and how wide text is on the screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from msgspec import Struct

TAB_STOP = 4

_INVISIBLE = {"Mn", "Me", "Cf"}
BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the writing direction around."""


def wants_color(choice: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to colour what goes to `stream`.

    `choice` is "auto", "always" or "never" and wins; then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR
    count; then whether the stream is a terminal that knows colour.
    """
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if environ.get("CLICOLOR") == "0" or environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


class Style(Struct, frozen=True):
    """Paints text for a terminal, or leaves it alone when `color` is off."""

    color: bool
    links: bool = False

    def paint(self, text: str, *codes: int) -> str:
        if not self.color or not text:
            return text
        return f"\033[{';'.join(map(str, codes))}m{text}\033[0m"

    def bold(self, text: str) -> str:
        return self.paint(text, 1)

    def dim(self, text: str) -> str:
        return self.paint(text, 2)

    def error(self, text: str) -> str:
        return self.paint(text, 1, 31)

    def warning(self, text: str) -> str:
        return self.paint(text, 1, 33)

    def good(self, text: str) -> str:
        return self.paint(text, 32)

    def bad(self, text: str) -> str:
        return self.paint(text, 31)

    def accent(self, text: str) -> str:
        return self.paint(text, 36)

    def gutter(self, text: str) -> str:
        return self.paint(text, 1, 34)

    def heading(self, text: str) -> str:
        return self.paint(text, 1, 36)

    def link(self, text: str, url: str) -> str:
        """The text as a link (OSC 8), where colour and links are on."""
        if not (self.color and self.links):
            return text
        return f"\033]8;;{url}\033\\{text}\033]8;;\033\\"

    def file_link(self, text: str, path: str) -> str:
        """The text as a link to a file, an absolute path, where colour and links are on."""
        return self.link(text, Path(path).as_uri()) if self.color and self.links else text


def char_width(char: str) -> int:
    """The columns that a character takes on a terminal: 0, 1 or 2."""
    if " " <= char <= "~":
        return 1
    if unicodedata.category(char) in _INVISIBLE:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def text_width(text: str) -> int:
    """The columns that text without tabs takes on a terminal."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def visible(text: str, column: int = 0) -> str:
    """Text as it can be shown on one row of a terminal, starting at a display column (from 0).

    Tabs are expanded; control characters and those that turn the writing direction around are replaced, so
    that source text cannot steer the terminal or hide what it says.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = []
    for char in text:
        if char == "\t":
            char = " " * (TAB_STOP - column % TAB_STOP)
        elif char < " ":
            char = chr(0x2400 + ord(char))
        elif char == "\x7f" or "\x80" <= char < "\xa0" or char in BIDIRECTIONAL or char in "\u2028\u2029":
            char = "\ufffd"
        shown.append(char)
        column += text_width(char)
    return "".join(shown)
