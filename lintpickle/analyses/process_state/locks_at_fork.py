"""Locks that a thread of the main process may hold at the moment of a fork, and that the forked worker takes as well.

Measured with CPython 3.11: a forked process has a copy of the lock, which is taken if the thread has taken it. The
thread is not in that process, so nothing releases the lock. Spawned and served workers make a lock of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.main_state.held_by_read_objects import held_read
from lintpickle.analyses.main_state.read_objects import Owner, Reading, class_objects_read, path_of, things_read
from lintpickle.analyses.process_state.locks_held_for_long import is_held_for_long
from lintpickle.analyses.process_state.threads_at_fork import THREADS, ThreadAtFork, threads_at_fork
from lintpickle.analyses.waiting.idle_threads import waits_for_workers
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

LOCKS = frozenset({"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore"})
_THREADING = "threading"
_RENEWS = re.compile(r"register_at_fork")
_WAITS_FOR_EVER = r"(?:\bwith\b[^:\n]*(?<![\w.]){0}\b(?!\s*\.)|(?<![\w.]){0}\.acquire\(\s*\))"


class LockAtFork(Struct, frozen=True):
    """A lock that a function of workers takes, where a thread takes it, and where that thread is started."""

    function: WorkerFunction
    reading: Reading
    taken: Site
    thread: Site


def locks_at_fork(code: WorkerCode, linker: Linker) -> Iterator[LockAtFork]:
    """The locks, each told once, that functions of workers wait for which may be forked, and that a thread takes
    which the main process has started before: over and over, or for as long as something slow takes."""
    asker = code.root.site.module.path
    if not may_be_forked(code, linker) or not linker.first_party.is_anywhere(Words(set(THREADS)), asker):
        return
    if any(site.module.has(_RENEWS) for site in code.way):
        return
    named = {_key(owner): (function, owner, reading) for function, owner, reading in _named(code.functions, linker)}
    held = [each for each in held_read(code, _THREADING, linker) if _is_lock(each.owner)]
    held = [each for each in held if _waits(each.function, each.reading)]
    for thread in threads_at_fork(code, bool(held), linker) if named or held else ():
        for taker, owner, reading in _named(thread.functions, linker):
            is_idle = _key(owner) in named and _is_idle(thread, Site(taker.module, reading.span), code, linker)
            if _key(owner) in named and not is_idle and _may_have_it(thread, owner, linker):
                function, _, read = named.pop(_key(owner))
                yield LockAtFork(function, read, Site(taker.module, reading.span), thread.site)
        for each in tuple(held):
            found = each.read_by(thread.functions)
            taken = Site(found[0].module, found[1].span) if found is not None else None
            if found is None or taken is None or not _waits(*found) or not _may_have_it(thread, each.owner, linker):
                continue
            if not _is_idle(thread, taken, code, linker):
                held.remove(each)
                yield LockAtFork(each.function, each.reading, taken, thread.site)


def _is_idle(thread: ThreadAtFork, taken: Site, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main process never gives the thread the work with which it takes the lock at a place."""
    return any(waits_for_workers(each, taken, code, linker) for each in thread.functions[:1])


def _may_have_it(thread: ThreadAtFork, owner: Owner, linker: Linker) -> bool:
    """Whether a thread may well hold a lock at a time that has nothing to do with it."""
    return thread.repeats or is_held_for_long(owner.value, thread.functions, linker)


def _named(functions: Iterable[WorkerFunction], linker: Linker) -> Iterator[tuple[WorkerFunction, Owner, Reading]]:
    """The locks of modules and of classes that functions wait for."""
    for function in functions:
        if function.module.first_party and function.module.document.cells is None:
            for owner, reading in (*things_read(function, linker), *class_objects_read(function, linker)):
                if _is_lock(owner) and _waits(function, reading):
                    yield function, owner, reading


def _key(owner: Owner) -> tuple[str, int, str]:
    return owner.module.path, owner.block.span.start, owner.name


def _is_lock(owner: Owner) -> bool:
    module, _, name = (path_of(owner.value) or "").rpartition(".")
    return module == _THREADING and name in LOCKS


def _waits(function: WorkerFunction, reading: Reading) -> bool:
    form = re.compile(_WAITS_FOR_EVER.format(re.escape(reading.written)))
    return form.search(function.module.code, function.facts.header.end, function.facts.span.end) is not None
