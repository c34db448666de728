"""Boundaries that have no workers unless the user asks for some: their number is an option of the command line whose
default is 0 (`add_argument("--num_workers", type=int, default=0)`)."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Attribute, without_narrowing
from lintpickle.interpreter.abstract_values import Doubt, is_indefinite
from lintpickle.payload.components import Components
from lintpickle.prefilter.words import Words

_ADDED = r"""add_argument\([^()]*["']--{name}["'][^()]*?\bdefault\s*=\s*(?P<default>[^\s,)]+)"""
_SET = r"""\b{name}\b["']?\]?\s*[:=](?!=)\s*[1-9]|--{name}[= ]\s*[1-9]"""
"""What sets such a number elsewhere: in an object, in a dict, in a call, in what a command is given."""
_NONE = "0"


def has_no_workers_by_default(boundary: BoundaryCall, parts: Components) -> bool:
    """Whether the number of workers of a boundary is an attribute of which nothing is known, all options of that name
    in the program are 0 by default, and nothing in the program sets it to another number."""
    bound = boundary.arguments.get(boundary.spec.workers or "")
    if bound is None or bound.expr is None or bound.frame is None or Doubt.WORKERS not in boundary.doubts:
        return False
    option = without_narrowing(bound.expr)
    if not isinstance(option, Attribute) or not option.name.isascii():
        return False
    if any(not is_indefinite(traced.value) for traced in parts.evaluator.evaluate(option, bound.frame)):
        return False
    asker = boundary.site.module.path
    question = ("no workers by default", option.name, asker)
    return parts.remembered(question, lambda: _is_none_by_default(option.name, asker, parts))


def _is_none_by_default(name: str, asker: str, parts: Components) -> bool:
    words = Words({name, name.replace("_", "-")})
    written = name.replace("_", "[-_]")
    added = re.compile(_ADDED.format(name=written))
    texts = [text for _, text in parts.first_party.texts_naming(words, asker)]
    defaults = {found["default"] for text in texts for found in added.finditer(text)}
    set_otherwise = re.compile(_SET.format(name=written))
    return defaults == {_NONE} and not any(set_otherwise.search(text) for text in texts)
