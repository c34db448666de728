"""What stands before an expression that is kept in a variable."""

from __future__ import annotations

import re

from lintpickle.diagnostics import Span
from lintpickle.input_limits import NAME_LENGTH

_ASSIGNED = re.compile(r"(?:^|\n)[ \t]*([^\W\d]\w*)[ \t]*=[ \t]*$")


def variable_of(code: str, value: Span, start: int = 0) -> str | None:
    """The variable that is given the value at a place, in the code from `start` on: `name = value`."""
    found = _ASSIGNED.search(code, max(start, value.start - NAME_LENGTH.most), value.start)
    return found[1] if found is not None else None
