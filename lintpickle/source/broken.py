"""Explanations of syntax errors in texts that no Python 3 can parse: where they are, and what the text looks like."""

from __future__ import annotations

import re

from lintpickle.parsing.syntax import MAY_BE_NEWER, BrokenSyntax

_OLD = re.compile(
    r"""
    ^\s*(?:print|exec)\s+(?![=(.\[,:)])\S | ^\s*print\s*>> | ^\s*raise\s+[\w.]+\s*, | ^\s*except\s+[\w.]+\s*,\s*\w+\s*:
    | <> | `[^`]*` | ^\s*def\s+\w+\((?:[^()]*,)?\s*\(
    | \b0[0-7]+[lL]?\b | \b\d+[lL]\b | \b[uU][rR]['"] | \blambda\s*\(
    """,
    re.VERBOSE,
)
"""Matches rows that only Python 2 can parse."""
_OLD_ALONE = re.compile(r"""\b[uU][rR]['"]|<>|`[^`\n]+`|^\s*exec\s+[uUrRbB]*['"]""")
"""Matches those of them that nobody writes by mistake for Python 3."""
_OLD_REASONS = (
    "Missing parentheses in call to",
    "leading zeros in decimal",
    "inconsistent use of tabs",
    "Function parameters cannot be parenthesized",
    "Lambda expression parameters cannot be parenthesized",
)
_TEMPLATE = re.compile(r"\{%|%\}|\{\{|\}\}|\$\{|<%|\{#|@[A-Z][A-Z0-9_]+@|##\w+##")
_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7})(?: |$)")
_BLANK = re.compile(r"\s*\w[\w.]*\s*=\s*(?:#.*)?")
"""A row that assigns nothing."""
_COMMAND = re.compile(
    r"\s*(?:python3?|pip3?|cd|git|conda|bash|sh|ls|mkdir|wget|curl|export|[\w/.-]+\.(?:py|sh))\s+[-\w/.~]"
)
"""A row that is a command for a shell."""
_KEY = re.compile(r"\s*(?:-\s+)?(?:\"[^\"]*\"|'[^']*'|\w[\w.-]*)\s*:(?:\s|$)")
_STATEMENT = re.compile(
    r"\s*(?:(?:import|from|def|class|for|if|elif|else|while|with|return|print|try|except|lambda)\b|[\w.]+\s*=(?!=)|[\w.]+\()"
)
"""Rows of YAML and JSON that name a value, and rows of Python."""
_SHEBANG = re.compile(r"\ufeff?#![ \t]*(?P<words>[^\r\n]+)")
_PYTHONS = re.compile(r"py|sage")
_LOADED = re.compile(r"\s*#[ \t]*%load[ \t]+\S+\.(?!pyw?\b)\w+")
"""A first row that says of which file, of another language, a cell of a notebook shows the text."""
_PYTHON_2 = "Python 2"
_TO_BE_FILLED = "a template"
_SCRIPT = "a script for"
_CONFLICTING = "a merge conflict"
_LOOKS = re.compile(r"\(this (?:is|looks like) ([^()]+)\)\Z")
_POINTER = "version https://git-lfs.github.com/spec/"


def explained(text: str, error: BrokenSyntax) -> BrokenSyntax:
    """The error at the place where every Python fails, with what the text looks like."""
    if text.startswith(_POINTER):
        return BrokenSyntax("it is a pointer of Git LFS: the file itself has not been fetched", 1, 1)
    error = _behind_newer(text, error)
    row = _row(text, error.row)
    looks, interpreter = "", _interpreter(text)
    if interpreter and not _PYTHONS.search(interpreter):
        looks = f"{_SCRIPT} {interpreter}"
    elif _CONFLICT.match(row):
        looks = _CONFLICTING
    elif error.reason.startswith(_OLD_REASONS) or _OLD.search(row):
        looks = _PYTHON_2
    elif _TEMPLATE.search(row) or _BLANK.fullmatch(row):
        looks = _TO_BE_FILLED
    verb = "is" if looks == _PYTHON_2 and _OLD_ALONE.search(row.partition("#")[0]) else "looks like"
    return BrokenSyntax(f"{error.reason} (this {verb} {looks})", error.row, error.column) if looks else error


def _interpreter(text: str) -> str:
    """The interpreter that the first row names; "" if it names none."""
    named = _SHEBANG.match(text)
    words = [each for each in named["words"].split() if not each.startswith("-")] if named is not None else []
    names = [each.rpartition("/")[2] for each in words]
    return next((each for each in names if each != "env"), "")


def is_no_python_3(message: str) -> bool:
    """Whether a message about such an error says that the text is not meant to run by Python 3 as it stands: it looks
    like Python 2, a template, or a script for another interpreter."""
    looks = _LOOKS.search(message)
    return looks is not None and looks[1] != _CONFLICTING


def is_python_2(message: str) -> bool:
    """Whether a message about such an error says that the text is Python 2, and not Python 3 with a mistake."""
    return message.endswith(f"(this is {_PYTHON_2})")


def is_blank(text: str, error: BrokenSyntax) -> bool:
    """Whether the error is a value that readers have to fill in (`path = `)."""
    return _BLANK.fullmatch(_row(text, error.row)) is not None


def is_of_another_language(text: str, error: BrokenSyntax) -> bool:
    """Whether the text is YAML or JSON, is loaded from a file that is not of Python, or the error is a command for a
    shell: it is there to be read."""
    if _LOADED.match(text) or _COMMAND.match(_row(text, error.row)):
        return True
    rows = [row for row in text.splitlines() if row.strip() and not row.lstrip().startswith("#")]
    keys = sum(1 for row in rows if _KEY.match(row))
    return 2 * keys >= len(rows) > 1 and not any(map(_STATEMENT.match, rows))


def _behind_newer(text: str, error: BrokenSyntax) -> BrokenSyntax:
    """The error that libcst finds, where `ast` fails on newer syntax that comes before it."""
    if not MAY_BE_NEWER.search(_row(text, error.row).partition("#")[0]):
        return error
    from lintpickle.parsing.newer_syntax import first_error

    place = first_error(text)
    return error if place is None else BrokenSyntax("invalid syntax", *place)


def _row(text: str, row: int) -> str:
    rows = re.split(r"\r\n|\r|\n", text)
    return rows[row - 1] if 0 < row <= len(rows) else ""
