"""The worker side of joblib's tasks: of those that run in new interpreters whatever the start method is, and of those
that processes of multiprocessing run."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.fresh_workers import lacking_under
from lintpickle.diagnostics import StartMethod
from lintpickle.parsing.main_guard import has_guard
from lintpickle.payload.imported_modules import imported_directly, imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.shipped import root_of
from lintpickle.payload.worker_reader import worker_code
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module
from lintpickle.source.file_kinds import PlaceKind

_TASKS = "joblib"


def task_codes(linker: Linker) -> tuple[WorkerCode, ...]:
    """What runs in the workers of each task of that kind. The functions of the script, which cross by value to new
    interpreters, and take the globals that they name along, stand apart. For `migrate` there are none: its start method
    changes nothing."""
    if linker.moving_to is not None:
        return ()
    return linker.remembered("codes of tasks", lambda: tuple(_find(linker)))


def functions_started_in(home: Module, linker: Linker) -> tuple[WorkerFunction, ...]:
    """All functions that run in the workers and tasks that a module starts, also those that are sent by value."""
    return linker.remembered(("functions started in", home.path), lambda: tuple(_started_in(home, linker)))


def _started_in(home: Module, linker: Linker) -> Iterator[WorkerFunction]:
    for code in (*linker.worker_codes(), *task_codes(linker)):
        if code.root.site.module is home:
            yield from (*code.functions, *code.by_value)


def _find(linker: Linker) -> Iterator[WorkerCode]:
    for boundary in linker.boundary_calls():
        is_task = boundary.spec.kind == _TASKS and bool(boundary.spec.functions)
        methods = lacking_under(boundary, linker.evaluator) if is_task else ()
        if methods:
            is_fresh = StartMethod.FORK in methods
            yield from linker.linked(boundary.site, _codes_of(boundary, is_fresh, linker))
            linker.evaluator.forget()


def _codes_of(boundary: BoundaryCall, is_fresh: bool, linker: Linker) -> Iterator[WorkerCode]:
    code = worker_code(root_of(boundary, linker), boundary, linker.shipped_by(boundary), linker)
    if not is_fresh:
        yield code
        return
    found: tuple[list[WorkerFunction], list[WorkerFunction]] = ([], [])
    for function in code.functions:
        found[_is_imported(function.module, boundary.site.module, linker)].append(function)
    yield replace(code, functions=tuple(found[True]), by_value=tuple(found[False]), is_fresh=True)


def _is_imported(module: Module, starting: Module, linker: Linker) -> bool:
    """Whether a module is surely not the script itself: the one that starts the workers imports it, or another one
    does, and it has no main guard."""
    if module is not starting and module in imported_with([starting], linker):
        return True
    if module.document.cells is not None or has_guard(module.code):
        return False
    naming = linker.first_party.naming(Words({module.name.rpartition(".")[2]}), starting.path)
    return any(
        module in imported_directly([each], linker)
        for each in naming
        if each is not module and linker.purposes.kind(each.path) is not PlaceKind.TESTS
    )
