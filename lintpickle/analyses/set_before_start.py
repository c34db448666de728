"""Whether a program is seen to set something before it starts workers."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.analyses.import_time import guard_of, is_of_main_process, outer_function
from lintpickle.analyses.main_setters import Setting, calls_by_main, modules_of_program
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_FURTHEST = 3
"""Through how many calls the two places are followed back to the function from which both are reached."""


class _Step(Struct, frozen=True):
    """A place in a function that is, or leads to, what is sought."""

    module: Module
    function: FunctionFacts
    span: Span


def is_set_before_start(setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether one function, itself or by what it calls, first sets something in any case and then starts the workers of
    that code; or a module of the program sets it when the main process imports it, and only then."""
    boundary, setter = code.boundary, setting.setter
    if boundary is None or setter is None:
        return False
    start = _Step(boundary.site.module, boundary.frame.function, boundary.site.span)
    starts = _ways_to(start, code, linker)
    changes = _ways_to(_Step(setting.site.module, setter, setting.site.span), code, linker)
    if any(_is_ahead(change, each) for each in starts for change in changes if each.function is change.function):
        return True
    there = modules_of_program(code, linker)
    return any(_is_imported_by_main(change) for change in changes if change.module.path in there)


def _is_imported_by_main(change: _Step) -> bool:
    """Whether the import of a module gets to a place in the main process alone."""
    guard = guard_of(change.span.start, change.module) if change.function.is_module_body else None
    return guard is not None and is_of_main_process(guard, change.module)


def _is_ahead(change: _Step, start: _Step) -> bool:
    return Paths(change.module, change.function.span).precedes(change.span.start, start.span.start)


def _ways_to(place: _Step, code: WorkerCode, linker: Linker) -> list[_Step]:
    """A place, and the calls that lead to it, each in the function around it."""
    found, newest, asker = [place], [place], code.root.site.module.path
    for _ in range(_FURTHEST):
        named = [outer_function(each.function, each.module) for each in newest if not each.function.is_module_body]
        calling = {id(each): each for each in named}
        newest = [
            _Step(root.frame.module, root.function, span)
            for function in calling.values()
            for root, span in calls_by_main(function, code, linker, asker)
        ]
        found += newest
    return found
