"""What the tests of the fix engine share."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from lintpickle.diagnostics import (
    Applicability,
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Location,
    Position,
    Severity,
    Span,
)

SAFE = (Applicability.SAFE,)


def span_of(text: str, part: str, start: int = 0) -> Span:
    at = text.index(part, start)
    return Span(at, at + len(part))


def diagnostic(
    span: Span,
    edits: Sequence[Edit] = (),
    *,
    code: str = "LP101",
    message: str = "stored",
    applicability: Applicability = Applicability.SAFE,
) -> Diagnostic:
    """A diagnostic at `span`, with a fix if there are `edits`."""
    return Diagnostic(
        code=code,
        name="toy",
        message=message,
        severity=Severity.ERROR,
        confidence=Confidence.CERTAIN,
        location=Location("/toy.py", Position(1, 1), Position(1, 2)),
        span=span,
        noqa_row=1,
        fix=Fix("Mend it", applicability, tuple(edits)) if edits else None,
    )


def lambda_spans(text: str) -> Iterator[Span]:
    """Where lambdas are, found by ast in text that is ASCII up to each of them."""
    starts = [0]
    for line in re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Lambda):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            yield Span(starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset)
