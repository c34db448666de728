"""Whether a text can have to do with process boundaries at all: a scan of its bytes, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lintpickle.catalog.reading import builtin_rows
from lintpickle.catalog.rows import Row

_COMMENTS = rb"lintpickle|noqa\s*:[^\n]*\bLP\d"


def mentions_boundaries(data: bytes) -> bool:
    """Whether the text names a library, or a kind of class, that the catalog knows to cross (or has comments
    for lintpickle). If no file of a program does, there is nothing to report."""
    return _pattern().search(data) is not None


@cache
def _pattern() -> re.Pattern[bytes]:
    words = {word for row in builtin_rows() for word in _words(row)}
    named = "|".join(map(re.escape, sorted(words))).encode()
    return re.compile(rb"(?:" + named + rb")\b|" + _COMMENTS, re.IGNORECASE)


def _words(row: Row) -> Iterator[str]:
    match row.table:
        case "boundary" if not row.names("of"):
            # Methods that cross belong to objects which these calls make.
            yield from (path.partition(".")[0] for path in row.paths("call"))
        case "class":
            yield from (path.partition(".")[0] for path in row.paths("name"))
        case "base":
            yield from (*row.names("is"), *row.names("ends"))
        case "decorator":
            yield from (path.rpartition(".")[2] for path in row.paths("name"))
