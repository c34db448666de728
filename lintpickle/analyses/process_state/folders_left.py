"""The current folder of workers: a pool's have that of the time when the pool is made, under each start method.

Measured with CPython 3.11 under fork, spawn and forkserver: where the main process changes its folder behind `Pool(…)`,
tasks that are sent then run in the folder of before. (An executor starts its workers with its first task.)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.relative_paths import is_relative
from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.analyses.process_state.contexts_around import entered_at
from lintpickle.analyses.process_state.folder_at_start import (
    CHDIR,
    CHDIR_CONTEXTS,
    NAMES_CHDIR,
    changes_folder_anywhere,
)
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Expr
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_OPENS = frozenset({"builtins.open", "io.open", "os.makedirs", "os.mkdir", "os.listdir"})
_METHODS = frozenset({"open", "write_text", "write_bytes", "read_text", "read_bytes", "touch", "mkdir"})
"""Methods of paths that reach files."""
_POOLS = frozenset({"mp-pool", "multiprocess-pool"})
_RENEWED = "maxtasksperchild"


class FolderLeft(Struct, frozen=True):
    """A path that a function of workers opens from the current folder, where the main process changes that, and where
    it had made the pool."""

    function: WorkerFunction
    opened: Site
    change: Site
    made: Site


def folders_left(code: WorkerCode, linker: Linker) -> Iterator[FolderLeft]:
    """The first path of each function that workers open in another folder than that of the time when they get the
    task."""
    boundary = code.boundary
    if boundary is None or boundary.spec.path.rpartition(".")[0] not in _POOLS:
        return
    if not changes_folder_anywhere(boundary.site.module.path, linker):
        return
    functions = [each for each in code.functions if each.module.first_party]
    if any(_goes_itself(each) for each in functions):
        return
    makers = linker.makers_of(boundary)
    change = _change(boundary, makers[0], linker) if len(makers) == 1 and _RENEWED not in makers[0].arguments else None
    if change is None:
        return
    for function in functions:
        opened = (at for path, at in _opened(function, linker) if is_relative(path, function.frame, boundary))
        first = next(opened, None)
        if first is not None:
            yield FolderLeft(function, Site(function.module, first), change, makers[0].site)


def _goes_itself(function: WorkerFunction) -> bool:
    return NAMES_CHDIR.search(function.module.code, function.facts.span.start, function.facts.span.end) is not None


def _change(boundary: BoundaryCall, maker: BoundaryCall, linker: Linker) -> Site | None:
    """Where the function that has a boundary changes the folder between the making of the pool and the boundary; None
    if it may be changed back."""
    frame = boundary.frame
    is_here = maker.frame.function is frame.function
    if not is_here and maker.frame.function.name != "__init__":
        return None
    begins = maker.call.span.end if is_here else frame.function.span.start
    found = [
        each.around
        for each in entered_at(boundary.site, linker)
        if each.path in CHDIR_CONTEXTS and each.around is not None and begins <= each.around.span.start
    ]
    called = [
        event.span
        for event in frame.function.events
        if isinstance(event, Called) and resolves_to(event.call.function, frame, linker, {CHDIR})
    ]
    behind = [each for each in called if begins <= each.start < boundary.call.span.start]
    if len(behind) == 1 and not found and frame.paths.is_followed_by(behind[0].start, boundary.call.span.start):
        return Site(frame.module, behind[0])
    return found[0] if len(found) == 1 and not behind else None


def _opened(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Expr, Span]]:
    """The paths that a function opens, each with the call that does."""
    for event in function.facts.events:
        if not isinstance(event, Called):
            continue
        match event.call.function:
            case Attribute(base=base, name=name) if name in _METHODS:
                yield base, event.call.span
            case _:
                pass
        given = event.call.positional() or ()
        if given and resolves_to(event.call.function, function.frame, linker, _OPENS):
            yield given[0], event.call.span
