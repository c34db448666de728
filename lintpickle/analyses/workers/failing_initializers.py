"""Reads by which the initializer of a pool fails in each worker.

Measured with CPython 3.11 under spawn and forkserver: a worker of `multiprocessing.Pool` whose initializer raises ends,
and the pool starts another one in its place, for ever; the program hangs. An executor breaks instead."""

from __future__ import annotations

import re

from lintpickle.diagnostics import Span
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_MAKING = ".Pool"
_KEY = re.compile(r"\s*\[\s*(\"[^\"\n]*\"|'[^'\n]*')\s*\](?!\s*(?:[-+*/|&]|//)?=(?!=))")


def failing_initializer(span: Span, error: str | None, function: WorkerFunction, code: WorkerCode) -> str | None:
    """The error by which the initializer of a pool surely ends that reads a global at a place, which workers find empty
    or, with an `error`, missing; None if none is seen."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "pool" or not boundary.spec.path.endswith(_MAKING):
        return None
    facts, text = function.facts, function.module.code
    is_caught = text.find("except", facts.span.start, facts.span.end) >= 0
    if not function.entry or is_caught or function.frame.paths.has_condition_before(span):
        return None
    if error is not None:
        return error
    key = _KEY.match(text, span.end)
    return f"KeyError: {key[1]!s}".replace('"', "'") if key is not None else None
