from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.analyses.at_import.failing_imports import is_behind_failing_import
from lintpickle.analyses.at_import.import_time import is_main_file
from lintpickle.analyses.at_import.imported_forked import is_imported_forked
from lintpickle.analyses.at_import.imported_late import (
    first_import,
    is_only_imported_by_main_files,
    is_only_imported_late,
    may_be_script,
    unpickled_first,
)
from lintpickle.analyses.at_import.missing_names import is_behind_missing_name
from lintpickle.analyses.at_import.named_scripts import is_loaded_by_name, is_run_by_name
from lintpickle.analyses.workers.worker_functions import sets_fork
from lintpickle.analyses.workers.worker_starts import is_top_level, starts_at_import, worker_count
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    Called,
    Doubt,
    Expr,
    Hazard,
    Hop,
    Implied,
    Iterated,
    Linker,
    Module,
    Rule,
    Site,
    Start,
    Words,
    excerpt,
    holds_tests,
    is_test_file,
    weaker,
)

BOOTSTRAPPING = (
    "RuntimeError: An attempt has been made to start a new process before the current process has finished its "
    "bootstrapping phase."
)
_BY_ITSELF = {"joblib": 1}
"""The number of workers for which a kind of runner does its tasks in its own process."""
_POOL = "pool"
_WORKERS, _SERVER = "worker processes", "its server process"
_REPLACED = " (the pool replaces each worker that fails so, for ever: the program hangs)"
"""What becomes of a pool of multiprocessing; measured with CPython 3.11 under spawn and forkserver."""
_IN_LIBRARY = "start them in a function that the script calls under its main guard: workers import this file, too"
_STARTED_OTHERWISE = Words({"Manager", "Parallel"})
_PAGES = Words({"streamlit"})


class UnguardedWorkerStart(Rule):
    """Worker processes that a script starts outside `if __name__ == "__main__":`."""

    code = "LP203"
    name = "unguarded-worker-start"
    message = '{what} starts {processes} without an `if __name__ == "__main__":` guard: {error}{outcome}'
    help = 'move the code of the script into a function, and call it under `if __name__ == "__main__":`'

    # The last one: scripts that only run what other files define.
    words = frozenset({"DataLoader", "Process", "Pool", "Manager", "spawn", "start_processes", "process_map", "import"})

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard]:
        # Nor is a notebook imported again.
        if module.document.cells is not None or is_main_file(module):
            return
        if _is_run_by_pytest(module) or not _has_processes(module, linker):
            return
        if linker.moving_to is None and sets_fork(module):
            return
        found: dict[Site, Hazard] = {}
        for hazard in _hazards(module, linker):
            if not (is_behind_missing_name(hazard.site, linker) or is_behind_failing_import(hazard.site, linker)):
                found.setdefault(hazard.site, hazard)
        if not found or is_only_imported_late(module, linker) or is_imported_forked(module, linker):
            return
        importing = _importing(module, linker)
        if importing:
            found = {site: _of_library(each, importing) for site, each in found.items()}
        least = _least(module, linker)
        yield from (replace(each, confidence=weaker(each.confidence or least, least)) for each in found.values())


def _least(module: Module, linker: Linker) -> Confidence:
    """How sure it is at most that workers import a module again: of one that only a `__main__.py`
    imports, those do that get something from there."""
    if not _is_script(module, linker):
        return Confidence.POSSIBLE
    return Confidence.LIKELY if is_only_imported_by_main_files(module, linker) else Confidence.CERTAIN


def _importing(module: Module, linker: Linker) -> tuple[Hop, ...]:
    """What has workers import a module that is no script: an import, what they get, or an import by way of that."""
    imported = first_import(module, linker)
    hops = (Hop("imported here, by workers as well", imported),) if imported is not None else ()
    if linker.moving_to is None or (imported is not None and may_be_script(imported.module)):
        return hops
    got = unpickled_first(module, linker)
    if got is None or got.site.module is module:
        return hops
    return (Hop(f"the workers that get `{got.name}` import `{got.home.name}`", got.site), *hops)


def _of_library(hazard: Hazard, importing: tuple[Hop, ...]) -> Hazard:
    """The hazard of a module that workers import: no guard of its own would do."""
    return replace(hazard, hops=(*importing, *hazard.hops), help=_IN_LIBRARY)


def _is_script(module: Module, linker: Linker) -> bool:
    """Whether a file may be run as a script; one among the tests, that has none, if a test runs it by its name."""
    if linker.purposes.is_run_itself(module.path, module.code):
        return not is_loaded_by_name(module, linker)
    return not holds_tests(module.code) and is_run_by_name(module, linker)


def _is_run_by_pytest(module: Module) -> bool:
    """Whether pytest runs the file: its workers import pytest, not the file."""
    return is_test_file(module.path) and holds_tests(module.code)


def _has_processes(module: Module, linker: Linker) -> bool:
    """Whether the program has any boundary with workers, or the text of a manager or of joblib's tasks."""
    return linker.has_workers(module) or linker.first_party.is_anywhere(_STARTED_OTHERWISE, module.path)


def _hazards(module: Module, linker: Linker) -> Iterator[Hazard]:
    for start, event in starts_at_import(module, linker):
        hazard = _hazard(start, module, event, linker)
        if hazard is not None:
            yield hazard


def _hazard(start: Start, module: Module, event: Called | Implied | Iterated, linker: Linker) -> Hazard | None:
    top = Site(module, event.iterable.span if isinstance(event, Iterated) else event.span)
    confidence = Confidence.CERTAIN
    site, what = top, f"`{excerpt(module, Expr(top.span), 40)}`"
    is_server = start.kind == "manager"
    starting = Hop("its process starts here" if is_server else "workers start here", start.site)
    made_at = () if start.boundary is not None else start.making
    hops = (*start.hops, *(Hop("the process is made here", each) for each in made_at if each != top), starting)
    if start.boundary is not None:
        workers = worker_count(start.boundary, module, linker)
        if workers is not None and workers in (0, _BY_ITSELF.get(start.kind)):
            return None
        confidence = Confidence.CERTAIN if workers is not None else Confidence.LIKELY
    if start.boundary is not None and start.kind == "dataloader":
        made = next((each for each in reversed(start.making) if _is_made_at(each, module)), top)
        hops = (*start.hops, Hop("the DataLoader is iterated here", start.site))
        if made != top:
            site, what = made, "iterating this DataLoader"
        elif isinstance(event, Iterated) or not start.hops:
            what = f"iterating `{excerpt(module, Expr(top.span), 40)}`"
    who = "its process imports" if is_server else "its workers import" if site != top else "the workers import"
    return Hazard(
        site=site,
        noun=f"{who} this file again",
        error=BOOTSTRAPPING,
        data={
            "what": what,
            "processes": _WORKERS if not is_server else _SERVER,
            "outcome": _REPLACED if start.kind == _POOL else "",
        },
        hops=hops,
        cause=module.path,
        confidence=Confidence.POSSIBLE if _is_asked_for(event, module) else _doubted(confidence, start),
    )


def _is_asked_for(event: Called | Implied | Iterated, module: Module) -> bool:
    """Whether a page of Streamlit comes to a start under a condition: who presses its buttons does so in the main
    process; where a worker imports the page, `st.button(…)` is False (measured with Streamlit under spawn)."""
    return event.conditional and _PAGES.are_in(module.lexicon)


def _is_made_at(site: Site, module: Module) -> bool:
    """Whether code that runs at import makes something at a place: a name alone does not (`renew = renew_loader`)."""
    return "(" in module.code[site.span.start : site.span.end] and is_top_level(site, module)


def _doubted(confidence: Confidence, start: Start) -> Confidence:
    """How sure it is that workers start: less if this is only one of several possible calls."""
    match start.doubt:
        case None:
            return confidence
        case Doubt.BRANCH:
            return Confidence.POSSIBLE
        case _:
            return Confidence.LIKELY
