"""Lines with only a comment, and blank lines, which do not change the program.

They are found by a quick scan, not by a tokenizer. Where the scan is not sure (triple quotes in a comment or in another
string, lone carriage returns), no line counts as a comment line: that costs time, never a result.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_QUOTES = re.compile(r'("""|\'\'\')')
_FILLER = re.compile(r"(?<!\\)\n[ \t\f]*(?=[#\n])(?:#[^\n]*)?(?=\n)")
_COMMENT = re.compile(r"(?<!\\)(\n[ \t\f]*)(#[^\n]*)(?=\n)")


def without_comment_lines(code: str) -> str:
    """The text with spaces in place of comment lines; of the same length."""
    if "#" not in code:
        return code
    return _mapped(code, lambda part: _COMMENT.sub(lambda line: line[1] + " " * len(line[2]), part)) or code


def only_statements(code: str) -> str:
    """The text without comment lines and blank lines: the same for two texts that differ only in such lines."""
    found = _mapped(code, lambda part: _FILLER.sub("", part))
    return code if found is None else found


def _mapped(code: str, change: Callable[[str], str]) -> str | None:
    """The text with a change applied to everything outside strings in triple quotes; None if these cannot be found
    reliably."""
    if code.count("\r") != code.count("\r\n"):
        return None
    parts = _QUOTES.split(f"\n{code}\n")
    done: list[str] = []
    opened = ""
    for index, part in enumerate(parts):
        is_quote = index % 2 == 1
        if opened:
            opened = "" if is_quote and part == opened and not parts[index - 1].endswith("\\") else opened
        elif is_quote:
            if not _is_plain(parts[index - 1].rpartition("\n")[2]):
                return None
            opened = part
        else:
            part = change(part)
        done.append(part)
    return None if opened else "".join(done)[1:-1]


def _is_plain(before: str) -> bool:
    """Whether no comment and no other string is open before a quote on its line."""
    return "#" not in before and before.count('"') % 2 == 0 and before.count("'") % 2 == 0
