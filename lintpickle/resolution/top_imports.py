"""Which top-level names a module imports, anywhere in it, according to its text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STATEMENT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))", re.MULTILINE)


def imported_top_levels(code: str) -> Iterator[str]:
    """The first components of absolute imports, in the order of the text; a name can occur more than once. A line of a
    docstring that looks like an import counts too, so use the names to search for packages, not to decide anything."""
    for match in _STATEMENT.finditer(code):
        modules = [match[1]] if match[1] else [part.split()[0] for part in match[2].split(",") if part.split()]
        for module in modules:
            top = module.partition(".")[0]
            if top.isidentifier():
                yield top
