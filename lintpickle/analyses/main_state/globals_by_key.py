"""Globals that functions of workers read by the dict of their module: `globals().get("NAME")`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.main_state.main_setters import Met
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.payload.worker_side import WorkerFunction

UNSET = Met("there it is not set")
_GLOBALS = r"\bglobals\(\)"
_NAME = r"""["'](?P<name>[^\W\d]\w*)["']"""
_GET = re.compile(rf"{_GLOBALS}\s*\.\s*get\(\s*{_NAME}")
_ITEM = re.compile(rf"{_GLOBALS}\s*\[\s*{_NAME}\s*\](?!\s*(?:[-+*/|&%]?=(?!=)))")
_ASKED = re.compile(rf"{_NAME}\s+(?:not\s+)?in\s+{_GLOBALS}")


class ReadByKey(Struct, frozen=True):
    """A global that is read, where, and what a worker meets if its module does not have it."""

    name: str
    span: Span
    lacking: Met


def globals_by_key(function: WorkerFunction) -> Iterator[ReadByKey]:
    """The globals that a function reads by the dict of its module, each once."""
    code, span = function.module.code, function.facts.span
    if code.find("globals()", span.start, span.end) < 0:
        return
    told: set[str] = set()
    for form in (_ASKED, _GET, _ITEM):
        for found in form.finditer(code, span.start, span.end):
            name = found["name"]
            is_code = outside_comments(form, code, found.start(), found.end()) is not None
            if is_code and name not in told and owns(function.facts, found.start()):
                told.add(name)
                yield ReadByKey(name, Span(*found.span()), _lacking(form, name, found.start(), function))


def _lacking(form: re.Pattern[str], name: str, place: int, function: WorkerFunction) -> Met:
    if form is not _ITEM:
        return UNSET
    tree, row = function.frame.paths.in_tree(place)
    return UNSET if is_ready_for("KeyError", tree, row) else Met(f"KeyError: '{name}'", error=f"KeyError: '{name}'")
