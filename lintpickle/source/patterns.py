"""Patterns as in `.gitignore`, matched one entry at a time, as git does.

pathspec is not used here: with it, `!b` includes everything below a folder `b`, while git only includes `b` itself and
asks again for each entry in it; and importing it takes longer than a warm run of lintpickle.

Patterns come from repositories, so no path may take long to match: for each star except the last, the shortest match is
taken and kept, because nothing after it could need a longer one. Groups that keep their match are written
`(?=(?P<g>...))(?P=g)`, because Python 3.10 has no possessive groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from msgspec import Struct

from lintpickle.input_limits import PATTERN


class Pattern(Struct, frozen=True):
    """One line: `takes_in` for a negated pattern, `only_folders` for one with a slash at its end, `only_name` for one
    that is matched against the last part of a path."""

    regex: re.Pattern[str]
    takes_in: bool
    only_folders: bool
    only_name: bool


class Patterns:
    """The patterns of one file, in order. Blank lines and comments are skipped, and so are lines that are no
    pattern (a lone `!`, a backslash at the end, a class without its bracket), as git does: see `invalid`.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._patterns: list[Pattern] = []
        self.invalid: list[str] = []
        for line in lines:
            text = _significant(line)
            if not text:
                continue
            pattern = _compile(text)
            if pattern is None:
                self.invalid.append(line)
            else:
                self._patterns.append(pattern)
        self._patterns.reverse()

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """What the last matching pattern says about an entry: True for excluded, False for included, None if none
        matches. `path` is relative to the folder of the patterns, with `/` between its parts and none at its ends. The
        folders above the entry are not checked: a caller that walks has done so."""
        name = path[path.rfind("/") + 1 :]
        for pattern in self._patterns:
            if (is_folder or not pattern.only_folders) and pattern.regex.fullmatch(name if pattern.only_name else path):
                return not pattern.takes_in
        return None


_TOKEN = re.compile(
    r"(?P<inside>/\*\*\Z)|(?P<between>/\*\*(?:/\*\*)*/)|(?P<above>\A(?:\*\*/)+)|(?P<any>\*+)|(?P<one>\?)"
    r"|\[(?P<negated>[!^]?)(?P<members>\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]|\\(?P<escaped>.)|(?P<bad>[\[\\])|(?P<text>.)",
    re.DOTALL,
)
_POSIX_CLASSES = {
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:blank:]": r"\ \t",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:punct:]": re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "[:space:]": r"\s",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-fA-F",
}
_MEMBER = re.compile(r"(?P<posix>\[:\w+:\])|\\(?P<escaped>.)|(?P<range>-)|(?P<text>.)", re.DOTALL)


def _significant(line: str) -> str:
    """The line without what git ignores: a comment, the newline, spaces at the end."""
    text = line.rstrip("\r\n")
    if text.startswith("#"):
        return ""
    plain = text.rstrip(" ")
    is_escaped = (len(plain) - len(plain.rstrip("\\"))) % 2 == 1
    return text[: len(plain) + 1] if is_escaped else plain


def _compile(text: str) -> Pattern | None:
    takes_in = text.startswith("!")
    body = text.removeprefix("!")
    only_folders = body.endswith("/")
    body = body.removesuffix("/")
    anchored = "/" in body
    body = body.removeprefix("/")
    if not body or len(body) > PATTERN.most:
        return None
    sections: list[list[str]] = [[]]
    for token in _TOKEN.finditer(body):
        regex = _translate(token)
        if regex is None:
            return None
        if token.lastgroup == "between":
            sections[-1].append("/")
        if token.lastgroup in ("between", "above"):
            sections.append([])
        else:
            sections[-1].append(regex)
    try:
        return Pattern(re.compile(_joined(sections), re.DOTALL), takes_in, only_folders, not anchored)
    except (re.error, OverflowError, RecursionError):
        return None


_ANY = "[^/]*"
_FOLDERS = "(?:[^/]+/)*"


def _joined(sections: Sequence[Sequence[str]]) -> str:
    """The regular expression of a pattern. Any number of folders may be between its sections; each section consists of
    expressions for one character each, and of `_ANY`."""
    numbers = count()
    parts: list[str] = []
    for index, section in enumerate(sections):
        is_last = index == len(sections) - 1
        regex = _section(section, is_last, numbers)
        if index and is_last:
            regex = f"{_FOLDERS}{regex}"
        elif index:
            regex = _kept(f"{_FOLDERS}?{regex}", numbers)
        parts.append(regex)
    return "".join(parts)


def _section(section: Sequence[str], is_last: bool, numbers: Iterator[int]) -> str:
    runs = [""]
    for each in section:
        if each == _ANY:
            runs.append("")
        else:
            runs[-1] += each
    starred = [f"{_ANY}?{run}" for run in runs[1:]]
    free = starred.pop() if starred and is_last else ""
    return runs[0] + "".join(_kept(each, numbers) for each in starred) + free


def _kept(regex: str, numbers: Iterator[int]) -> str:
    name = f"g{next(numbers)}"
    return f"(?=(?P<{name}>{regex}))(?P={name})"


def _translate(token: re.Match[str]) -> str | None:
    match token.lastgroup:
        case "inside":
            return "/.+"
        case "between" | "above":
            return ""
        case "any":
            return _ANY
        case "one":
            return "[^/]"
        case "members":
            members = "".join(_translate_member(member) for member in _MEMBER.finditer(token["members"]))
            return f"(?!/)[{'^' if token['negated'] else ''}{members}]"
        case "escaped" | "text":
            return re.escape(token[token.lastgroup])
    return None


def _translate_member(member: re.Match[str]) -> str:
    if member["posix"]:
        return _POSIX_CLASSES.get(member["posix"], "")
    return "-" if member["range"] else re.escape(member["escaped"] or member["text"])
