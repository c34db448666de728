"""Source that libcst must not parse, because its parser recurses for every nesting: too much nesting overflows the
stack and ends the process, and less can take time that grows with a power of the nesting.

Measured with libcst 1.9: on a stack of 8 MB it crashes on 800 nested brackets, on chains of 4 000 `and`, and on 10 000
`elif`; operator chains and nested brackets take quadratic time, and each level of a nested `case` pattern doubles the
time. Trees of `ast` do not show this, because `a and a and a` is flat there. Therefore tokens are counted.
"""

from __future__ import annotations

import re

from msgspec import Struct

from lintpickle.input_limits import CODE_NESTING, PATTERN_NESTING

FREE_COST = 2_000_000
COST_OF_CHARACTER = 60
"""The cost that a source may have, in levels of nesting that the parser visits at each token: a fixed amount (about
half a second), and this much per character. Ordinary code costs about 8 per character."""

_BRACKET = 10
_BLOCK = 14

_QUIET = bytes(sorted(set(range(256)) - set(b"([{:+-*/%@&|^~<>.='\"!")))
"""Bytes that neither open anything nor continue a chain."""
_WORDS = (" and ", " or ", "not ", " if ", " else ", " in ", " is ", "await ", " for ", "lambda", "elif")
_KEYWORDS = "and|or|not|if|else|in|is|await|for|lambda|elif"
_TOKEN = re.compile(
    rf"(?: [ \t]+ | (?! (?: {_KEYWORDS}|case ) \b | [A-Za-z]{{1,2}}[\"'] ) \w+ ){{0,64}}"
    r"""
    (?: (?P<row> (?: \r\n? | \n ) (?: [ \t\f]* (?: \#[^\r\n]* )? (?: \r\n? | \n ) )* (?P<indent> [ \t\f]* ) )
    | (?P<opening> [(\[{] )
    | (?P<closing> [)\]}] )
    | (?P<fence> [,;] )
    | (?P<colon> : )
    | (?P<link> [-+*/%@&|^~<>.=!] | (?: \b [rRbBuU]{1,2} )? (?: "(?!"")[^"\\\r\n]*" | '(?!'')[^'\\\r\n]*' ) )
    | (?: \b (?P<prefix> [A-Za-z]{1,2} ) )? (?P<quotes> \"\"\" | ''' | " | ' )
    | \b (?P<word> """
    + _KEYWORDS
    + r""" | case (?=[ \t]*[^\s=.,:)\]]) ) \b
    | \#[^\r\n]* | \\(?: \r\n? | \n ) | \w+ | . | \Z )
    """,
    re.VERBOSE,
)
_QUOTES = ('"""', "'''", '"', "'")
_END_OF_ROW = r"|(?=[\r\n])"
_IN_STRING = {
    quotes: re.compile(rf"\\(?:\r\n|.)|(?P<end>{quotes}{_END_OF_ROW * (len(quotes) == 1)})", re.DOTALL)
    for quotes in _QUOTES
}
_IN_F_STRING = {
    quotes: re.compile(rf"\\.|(?P<quotes>{quotes})|\{{\{{|(?P<opening>\{{)|(?P<closing>\}})", re.DOTALL)
    for quotes in _QUOTES
}


def is_absurd(source: str) -> bool:
    """Whether libcst could crash on the source, or take very long."""
    return _may_be(source) and _Scan(source).is_absurd()


def _may_be(source: str) -> bool:
    """Whether the source contains enough of the characters involved, wherever they are."""
    loud = source.encode("utf-8", "replace").translate(None, _QUIET)
    openings = sum(map(loud.count, (b"(", b"[", b"{"))) + source.count("lambda")
    most = len(loud) + _BRACKET * openings + _BLOCK * loud.count(b":") + sum(map(source.count, _WORDS))
    return most > CODE_NESTING.most or (openings > PATTERN_NESTING.most and "case" in source)


class _Level(Struct):
    """Something open: a bracket, a `lambda` before its colon, an f-string, or a replacement field in one. `nesting` is
    the parser's nesting at its start."""

    kind: str
    nesting: int
    in_format: bool = False
    """Whether that is the format of a value in an f-string, which is read as such a string is."""


class _Block(Struct):
    """A block by its indentation, and the number of `elif` branches so far."""

    indent: int
    elifs: int = 0


class _Scan:
    """One pass over the tokens. Text that is not valid Python is scanned too."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._levels: list[_Level] = []
        self._blocks = [_Block(0)]
        self._start = 0
        """The nesting in which the statement begins."""
        self._nesting = 0
        self._cost = 0
        self._deepest = 0
        self._most_cost = FREE_COST + COST_OF_CHARACTER * len(source)
        self._row = True
        """Whether no token has come yet in the statement."""
        self._in_pattern = False
        self._has_deep_pattern = False

    def is_absurd(self) -> bool:
        """Whether the source exceeds the limits anywhere."""
        at: int | None = 0
        while at is not None and not self._is_over:
            within = self._levels[-1].kind if self._levels else ""
            at = self._next_in_f_string(at, within) if within in _IN_F_STRING else self._read_code(at)
        return self._is_over

    @property
    def _is_over(self) -> bool:
        return self._deepest > CODE_NESTING.most or self._cost > self._most_cost or self._has_deep_pattern

    def _read_code(self, at: int) -> int | None:
        """Read tokens of code up to the end of one behind which something else is read: a string, or the end of a
        replacement field. Returns that end; None at the end of the source."""
        for found in _TOKEN.finditer(self._source, at):
            kind = found.lastgroup
            if kind == "link":
                self._link()
            elif kind == "row":
                if self._is_over:
                    return None
                self._new_row(len(found["indent"]))
            elif kind == "opening":
                self._open(found.group())
            elif kind == "closing":
                self._close()
                if self._levels and self._levels[-1].kind in _IN_F_STRING:
                    return found.end()
            elif kind == "fence":
                self._fence(found.group())
            elif kind == "colon":
                self._colon()
                if self._levels and self._levels[-1].kind in _IN_F_STRING:
                    return found.end()
            elif kind == "quotes":
                return self._string(found["prefix"] or "", found["quotes"], found.end())
            elif kind == "word":
                self._word(found["word"])
        return None

    def _next_in_f_string(self, at: int, quotes: str) -> int | None:
        found = _IN_F_STRING[quotes].search(self._source, at)
        if found is None:
            return None
        if found.lastgroup == "quotes":
            self._close()
        elif found.lastgroup == "opening":
            self._open("f{")
        elif found.lastgroup == "closing" and self._levels[-1].in_format:
            self._close()
            self._close()
        return found.end()

    def _new_row(self, indent: int) -> None:
        if self._levels:
            return
        blocks = self._blocks
        while len(blocks) > 1 and blocks[-1].indent > indent:
            blocks.pop()
        if blocks[-1].indent < indent:
            blocks.append(_Block(indent))
        self._statement()

    def _statement(self) -> None:
        self._start = sum(_BLOCK + block.elifs for block in self._blocks)
        self._nesting = self._start
        self._row, self._in_pattern = True, False

    def _deeper(self, units: int) -> None:
        self._nesting += units
        self._cost += self._nesting
        if self._nesting > self._deepest:
            self._deepest = self._nesting
        self._row = False

    def _link(self) -> None:
        self._deeper(1)

    def _open(self, kind: str) -> None:
        self._levels.append(_Level(kind, self._nesting))
        self._deeper(_BRACKET)
        if self._in_pattern and len(self._levels) > PATTERN_NESTING.most:
            self._has_deep_pattern = True

    def _close(self) -> None:
        while self._levels:
            level = self._levels.pop()
            if level.kind != "lambda":
                self._nesting = level.nesting
                break
        self._link()

    def _fence(self, sign: str) -> None:
        if self._levels:
            self._nesting = self._levels[-1].nesting + _BRACKET
        elif sign == ";":
            self._statement()
        else:
            self._nesting = self._start

    def _colon(self) -> None:
        level = self._levels[-1] if self._levels else None
        if level is not None and level.kind == "lambda":
            self._levels.pop()
            self._nesting = level.nesting + _BRACKET
        elif level is not None and level.kind == "f{":
            self._levels.append(_Level(self._quotes_around(), self._nesting, in_format=True))
        elif level is None:
            self._in_pattern = False
            self._nesting = self._start

    def _quotes_around(self) -> str:
        """The quotes of the f-string around a replacement field."""
        return next(level.kind for level in reversed(self._levels) if level.kind in _QUOTES)

    def _string(self, prefix: str, quotes: str, at: int) -> int | None:
        if "f" in prefix.lower() or "t" in prefix.lower():
            self._levels.append(_Level(quotes, self._nesting))
            self._deeper(_BRACKET)
            return at
        self._link()
        for found in _IN_STRING[quotes].finditer(self._source, at):
            if found.lastgroup == "end":
                return found.end()
        return None

    def _word(self, word: str) -> None:
        first = self._row
        block = self._blocks[-1]
        if first and not self._levels:
            block.elifs = block.elifs + 1 if word == "elif" else block.elifs if word == "else" else 0
            self._start = self._nesting = sum(_BLOCK + each.elifs for each in self._blocks)
            self._in_pattern = word == "case"
        if word == "lambda":
            self._open("lambda")
        else:
            self._link()
