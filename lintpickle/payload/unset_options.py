"""Boundaries behind options of a dict that nothing in the program sets: `if variant.get("save_buffers", False): …`.

Options may also come from documents, which are not read. So this counts only where the program is seen to write the
dict's options in Python: it sets several others that the same function reads from it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.claims import tests_in
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.payload.components import Components
from lintpickle.prefilter.words import Words

_OTHERS = 3
"""So many other options that the program sets show that it is the one who does."""
_MOST_SOUGHT = 12
_READ = r"(?<![\w.]){name}(?:\.(?:get|pop)\(|\[)\s*['\"](\w+)['\"]"
_SET = r"['\"]{key}['\"]\s*:|['\"]{key}['\"]\]\s*=(?!=)|\b{key}\s*=(?!=)"
_MENTIONED = r"(?<!\bget\(['\"])\b{key}\b"
"""All but `options.get("key")`."""


def is_behind_unset_option(boundary: BoundaryCall, parts: Components) -> bool:
    """Whether a condition on the way to a boundary reads an option from a dict that is off by default, which no module
    of the program sets, while it sets others of that dict."""
    asker = boundary.site.module.path
    for place, frame in boundary.way:
        for name, key in _asked(place, frame, parts):
            is_set = parts.first_party.is_anywhere(Words({key}), asker, re.compile(_MENTIONED.format(key=key)))
            if not is_set and _sets_others(name, key, frame, asker, parts):
                return True
    return False


def _asked(place: Span, frame: Frame, parts: Components) -> Iterator[tuple[str, str]]:
    """The variables and keys of the options that have to be on for the code at a place to run."""
    for test, holds in parts.conditions.tests_before(place, frame):
        for part, answer in tests_in(test, holds):
            match part:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="get"),
                    args=[ast.Constant(value=str() as key), *default],
                    keywords=[],
                ) if answer and key.isidentifier() and key.isascii() and all(map(_is_off, default)):
                    yield name, key
                case _:
                    pass


def _is_off(default: ast.expr) -> bool:
    return isinstance(default, ast.Constant) and not default.value


def _sets_others(name: str, key: str, frame: Frame, asker: str, parts: Components) -> bool:
    """Whether the program sets several other options that a function reads from a variable."""
    span = frame.function.span
    reads = re.compile(_READ.format(name=re.escape(name))).finditer(frame.module.code, span.start, span.end)
    others = sorted({found[1] for found in reads if found[1].isascii()} - {key})[:_MOST_SOUGHT]
    count = 0
    for other in others:
        form = re.compile(_SET.format(key=re.escape(other)))
        count += parts.first_party.is_anywhere(Words({other}), asker, form)
        if count == _OTHERS:
            return True
    return False
