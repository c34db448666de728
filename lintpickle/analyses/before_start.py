"""What the main process does before it starts workers."""

from __future__ import annotations

import re

from lintpickle.analyses.main_setters import calls_by_main
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_CALLERS = 4
"""How many calls lead at most from a place to the start of the workers."""


def comes_before_start(
    module: Module,
    function: FunctionFacts,
    span: Span,
    code: WorkerCode,
    linker: Linker,
    ends: re.Pattern[str] | None = None,
    level: int = 0,
) -> bool:
    """Whether the main process comes to a place of a function, and then to the start of the workers. What `ends` what
    it does at that place does not stand in between."""
    inside = [
        site.span.end
        for site in code.way
        if site.module is module and function.span.start <= site.span.start < function.span.end
    ]
    if inside:
        last = max(inside)
        return span.end <= last and (ends is None or ends.search(module.code, span.end, last) is None)
    if function.is_module_body:
        return True
    return level < _CALLERS and any(
        comes_before_start(root.frame.module, root.function, at, code, linker, ends, level + 1)
        for root, at in calls_by_main(function, code, linker, code.root.site.module.path)
    )
