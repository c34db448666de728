"""Whether a program is seen to set something before it starts workers."""

from __future__ import annotations

from lintpickle.analyses.at_import.import_time import guard_of, is_of_main_process
from lintpickle.analyses.main_state.main_setters import Setting, modules_of_program
from lintpickle.analyses.workers.before_start import LeadingPlace, ways_to, ways_to_start
from lintpickle.control_flow.paths import Paths
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode


def is_set_before_start(setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether one function, itself or by what it calls, first sets something in any case and then starts the workers of
    that code; or a module of the program sets it when the main process imports it, and only then."""
    setter = setting.setter
    if code.boundary is None or setter is None:
        return False
    changes = ways_to(LeadingPlace(setting.site.module, setter, setting.site.span), code, linker)
    starts = ways_to_start(code, linker)
    if any(_is_ahead(change, each) for each in starts for change in changes if each.function is change.function):
        return True
    there = modules_of_program(code, linker)
    return any(_is_imported_by_main(change) for change in changes if change.module.path in there)


def _is_imported_by_main(change: LeadingPlace) -> bool:
    """Whether the import of a module gets to a place in the main process alone."""
    guard = guard_of(change.span.start, change.module) if change.function.is_module_body else None
    return guard is not None and is_of_main_process(guard, change.module)


def _is_ahead(change: LeadingPlace, start: LeadingPlace) -> bool:
    return Paths(change.module, change.function.span).precedes(change.span.start, start.span.start)
