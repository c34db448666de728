"""Files that several workers change while they hold a lock of `threading`, of which each process has its own.

Measured with CPython 3.11: of 400 numbers that two workers of a pool add up in a JSON file (read, changed, written
again) under a lock of the module, 346, 339 and 292 are left under fork, spawn and forkserver. Of rows that are
appended, none is lost on Linux, but long ones run into each other: of 2,000 rows of 20 KB, 12 under fork and 10 under
spawn; none of 9 KB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.lost_changes.file_accesses import FileAccess, file_accesses
from lintpickle.analyses.lost_changes.lost_increments import is_done_by_one
from lintpickle.analyses.lost_changes.names_of_files import FileNames
from lintpickle.analyses.waiting.locks_entered import HeldIn, entered_locks
from lintpickle.analyses.waiting.locks_perhaps import may_hold_lock, may_take_inside
from lintpickle.analyses.workers.at_once import run_at_once
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.interpreter.abstract_values import ProductValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_OF_ONE_PROCESS = ("threading.", "_thread.")
_MAY_LOCK = re.compile(r"acquire|\bwith\b")
_RELEASES = re.compile(r"\.\s*release\s*\(")
_LOCKS_FILES = re.compile(
    r"(?i)flock|lockf|file_?lock|portalocker|fasteners|interprocess|msvcrt\.locking|O_EXCL|sqlite"
)
"""What stands in code that locks the file itself."""
_PROCESS = "process"


class ChangeUnderOwnLock(Struct, frozen=True):
    """Where a function takes a lock of its process, what that is, what the file is called and where it is written, and
    the start methods under which that is so, if not all. Rows that are only appended are `appended`."""

    function: WorkerFunction
    site: Site
    lock: ProductValue
    file: str
    written: Site
    is_appended: bool
    only: tuple[StartMethod, ...] | None


def changes_under_own_locks(code: WorkerCode, linker: Linker) -> Iterator[ChangeUnderOwnLock]:
    """The changes of files that workers make at once, each under a lock of its own process."""
    boundary = code.boundary
    if boundary is None or not boundary.frame.module.first_party:
        return
    found: list[tuple[WorkerFunction, HeldIn]] = []
    for function in code.functions:
        module, span = function.module, function.facts.span
        if module.first_party and _MAY_LOCK.search(module.code, span.start, span.end):
            found += [(function, each) for each in entered_locks(function.frame, linker) if _is_own(each)]
    if not found or not run_at_once(code, linker):
        return
    if any(each.module.first_party and each.module.has(_LOCKS_FILES) for each in code.functions):
        return
    crossing = {id(each.value.call) for each in linker.shipped_by(boundary) if isinstance(each.value, ProductValue)}
    names = FileNames(code, linker)
    for function, held in found:
        is_sent = held.lock.call is not None and id(held.lock.call) in crossing
        if is_sent and boundary.spec.kind != _PROCESS:
            continue  # It cannot be pickled: that is told of it.
        if is_done_by_one(held.site.span, function) or may_hold_lock(function, held.site.span, code, linker, held.site):
            continue
        span = _until_released(held, function)
        change = _change(file_accesses(function.frame, span, linker), names)
        if change is not None and not may_take_inside(span, function, linker):
            access, is_appended = change
            only = (StartMethod.FORK,) if is_sent else None
            written = Site(access.frame.module, access.call.span)
            yield ChangeUnderOwnLock(function, held.site, held.lock, _as_written(access), written, is_appended, only)


def _is_own(held: HeldIn) -> bool:
    name = held.lock.path.rpartition(".")[2]
    return held.lock.path.startswith(_OF_ONE_PROCESS) and name in {"Lock", "RLock", "allocate_lock"}


def _until_released(held: HeldIn, function: WorkerFunction) -> Span:
    """The part in which a lock is held: what follows `acquire()` may release it."""
    released = _RELEASES.search(function.module.code, held.span.start, held.span.end)
    return Span(held.span.start, released.start()) if released is not None else held.span


def _change(accesses: Iterable[FileAccess], names: FileNames) -> tuple[FileAccess, bool] | None:
    """The access that writes what another one has read before, or else the first that appends."""
    read, appending = set[str](), None
    for access in accesses:
        name = names.of(access.file, access.frame)
        if name is None:
            continue
        if access.reads:
            read.add(name)
        if name in read and (access.writes or access.appends):
            return access, False
        if access.appends and appending is None:
            appending = access
    return (appending, True) if appending is not None else None


def _as_written(access: FileAccess) -> str:
    span = access.file.span
    return " ".join(access.frame.module.code[span.start : span.end].split())
