"""Globals that the main process reads once workers have started, and that only code of workers changes."""

from __future__ import annotations

import re
from functools import lru_cache

from lintpickle.analyses.calls_and_values.function_objects import names_called
from lintpickle.analyses.calls_and_values.written_elsewhere import stands_outside
from lintpickle.analyses.lost_changes.caches import asks_for_all
from lintpickle.analyses.lost_changes.container_methods import ADDING
from lintpickle.analyses.main_state.global_setters import changing
from lintpickle.analyses.workers.reads_after_start import after_start, reading_functions
from lintpickle.analyses.workers.task_workers import functions_started_in
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.parsing.syntax import is_special_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


def read_afterwards(
    name: str, home: Module, is_cache: bool, boundary: BoundaryCall, linker: Linker
) -> tuple[Frame, Site] | None:
    """The function of the main process that reads a global after the start of workers, and where; of a cache, that asks
    for all that is in it."""
    form = _reads(name)
    for frame, behind in after_start(boundary):
        for inner, start, end, place in reading_functions(frame, behind, form, linker):
            for found in form.finditer(inner.module.code, start, end):
                span, at = Span(*found.span(1)), place if place is not None else found.start()
                if is_cache and not asks_for_all(inner.module.code, span):
                    continue
                is_read = found[1].partition(".")[0] in inner.function.reads
                if not is_read or frame.paths.exclude_each_other(behind - 1, at):
                    continue
                if leads_to(found[1], inner.module, name, home, linker):
                    return inner, Site(inner.module, span)
    return None


def is_changed_in_workers(
    function: WorkerFunction, name: str, is_cache: bool, boundary: BoundaryCall, linker: Linker
) -> bool:
    """Whether no other code changes a global of the module of a function, only workers call that, and no other code of
    workers reads the global, unless it is a cache."""
    home, facts = function.module, function.facts
    running = functions_started_in(boundary.frame.module, linker)
    if not is_cache and is_read_in_workers(function, name, boundary, linker):
        return False
    if any(each is not facts for each in changing(name, home)) or _is_changed_abroad(name, home, linker):
        return False
    called_as = names_called(function, linker)
    if facts.is_local and len(called_as) == 1:
        return False
    if is_special_name(facts.name):
        return True  # Python calls it.
    inside = [Site(each.module, each.facts.span) for each in running]
    return not any(
        stands_outside(inside, re.compile(rf"(?<!def )\b{re.escape(each)}\s*\("), each, home.path, linker)
        for each in called_as
    )


def is_read_in_workers(function: WorkerFunction, name: str, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether another function of workers has a global of that name."""
    others = (each.facts for each in functions_started_in(boundary.frame.module, linker))
    return any(name in each.reads or name in each.globals_declared for each in others if each is not function.facts)


def leads_to(written: str, module: Module, name: str, home: Module, linker: Linker) -> bool:
    """Whether a name, or a chain of names, as written in a module is that of a global of another one, or its own."""
    if module is home and written == name:
        return True
    homes = {id(each): each for each, _ in linker.own_places.of_name(module, written)}
    return len(homes) == 1 and id(home) in homes


@lru_cache(maxsize=512)
def _reads(name: str) -> re.Pattern[str]:
    """Finds a global where it is named, on its own or by way of its module, other than to bind it or to add to it."""
    word = re.escape(name)
    unread = rf"\s*(?:[-+*/|&]?=(?!=)|\.\s*(?:{ADDING})\(|['\"])"
    return re.compile(rf"(?<![\w.'\"])((?:\w+\.)*{word})\b(?!{unread})")


def _is_changed_abroad(name: str, home: Module, linker: Linker) -> bool:
    """Whether a module that imports the global, or its home, changes it."""
    word = re.escape(name)
    form = re.compile(
        rf"(?<![\w.'\"])((?:\w+\.)*{word})\s*(?:\[[^\n]*\]\s*[-+*|&]?=(?!=)|[-+*|&]?=(?!=)|\.\s*(?:{ADDING})\()"
    )
    return any(
        leads_to(found[1], module, name, home, linker)
        for module in linker.first_party.naming_in_text(Words({name}), home.path, form)
        for found in (form.finditer(module.code) if module is not home else ())
    )
