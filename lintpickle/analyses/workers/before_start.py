"""What the main process does before it starts workers."""

from __future__ import annotations

import re

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import outer_function
from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_CALLERS = 4
"""How many calls lead at most from a place to the start of the workers."""
_FURTHEST = 3
"""Through how many calls a place is followed back to a function from which another one is reached, too."""


class LeadingPlace(Struct, frozen=True):
    """A place in a function that is, or leads to, what is sought."""

    module: Module
    function: FunctionFacts
    span: Span


def ways_to(place: LeadingPlace, code: WorkerCode, linker: Linker) -> list[LeadingPlace]:
    """A place, and the calls by the main process that lead to it, each in the function around it."""
    found, newest, asker = [place], [place], code.root.site.module.path
    for _ in range(_FURTHEST):
        named = [outer_function(each.function, each.module) for each in newest if not each.function.is_module_body]
        calling = {id(each): each for each in named}
        newest = [
            LeadingPlace(root.frame.module, root.function, span)
            for function in calling.values()
            for root, span in calls_by_main(function, code, linker, asker)
        ]
        found += newest
    return found


def ways_to_start(code: WorkerCode, linker: Linker) -> list[LeadingPlace]:
    """The start of the workers, and the calls that lead to it; none if they are not started by a call."""
    boundary = code.boundary
    if boundary is None:
        return []
    start = LeadingPlace(boundary.site.module, boundary.frame.function, boundary.site.span)
    return linker.remembered(("ways to start", code), lambda: ways_to(start, code, linker))


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
    inside = inside or [step.span.end for step in ways_to_start(code, linker) if step.function is function]
    if inside:
        last = max(inside)
        return span.end <= last and (ends is None or ends.search(module.code, span.end, last) is None)
    if function.is_module_body:
        return True
    return level < _CALLERS and any(
        comes_before_start(root.frame.module, root.function, at, code, linker, ends, level + 1)
        for root, at in calls_by_main(function, code, linker, code.root.site.module.path)
    )
