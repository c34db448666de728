from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import is_guard
from lintpickle.analyses.calls_and_values.held_in_containers import taken_out
from lintpickle.analyses.lost_changes.shared_memory import is_block_of_its_own, is_moved_to_shared_memory
from lintpickle.analyses.lost_changes.shared_views import View, shared_view
from lintpickle.analyses.lost_changes.unchanged_memory import is_never_changed
from lintpickle.analyses.main_state.adopted_objects import is_adopted_by_workers
from lintpickle.analyses.main_state.counts_guarded import decides_only_flushes, guards_only_counts
from lintpickle.analyses.main_state.held_by_read_objects import held_read
from lintpickle.analyses.main_state.made_per_process import MadePerProcess, made_per_process
from lintpickle.analyses.main_state.read_objects import Owner, class_objects_read, path_of, things_read
from lintpickle.analyses.waiting.endless_waits import (
    AwaitedThing,
    empty_take,
    endless_wait,
    thing_asked_for,
    thing_of_module,
)
from lintpickle.analyses.waiting.handed_on_by_workers import is_handed_on_by_worker
from lintpickle.analyses.workers.unfollowed_calls import own_objects_met
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import PICKLED_ON_START, Hazard, Hop, Linker, Rule, Site, WorkerCode

_SHARED = frozenset(
    {"Array", "Barrier", "BoundedSemaphore", "Condition", "Event", "JoinableQueue", "Lock", "Pipe", "Queue", "RLock"}
    | {"RawArray", "RawValue", "Semaphore", "SimpleQueue", "Value", "synchronized"}
)
_LOCKS, _COUNTS = frozenset({"Lock", "RLock"}), frozenset({"Array", "RawArray", "RawValue", "Value"})
_ARRAYS = frozenset({"Array", "RawArray"})
_MODULES = ("multiprocessing.", "torch.multiprocessing.", "multiprocess.")
_PAIRS = ("Pipe(", "os.pipe(", "socketpair(")
"""How calls are written whose two results join processes that are forked."""
_MEMORY = "mmap(-1"
"""How memory without a file is mapped, which forked processes share."""

_MADE_AT_IMPORT = "`{}` creates at import"


class OwnPrimitiveInWorker(Rule):
    """A shared value, queue, lock or event that each process makes: at import, or when it first asks for it."""

    code = "LP212"
    name = "own-primitive-in-worker"
    of_absence = True
    message = (
        "`{function}` runs in workers and uses `{what}`, which {maker}: "
        "each worker has its own, which it shares with no other process{end}"
    )
    help = "create it in the main process, and pass it as an argument or through an `initializer`"
    words = _SHARED | {"mmap", "pipe", "socketpair", "share_memory", "SharedMemory", "ShareableList"}

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker):
            return
        told: set[tuple[str, str]] = set()
        for owner, hazard in sorted(_uses(code, linker), key=lambda each: each[1].confidence is Confidence.POSSIBLE):
            key = (owner.module.path, owner.name)
            is_known = key in told or is_adopted_by_workers(owner, code, linker)
            if is_known or is_handed_on_by_worker(owner, code, linker):
                continue
            if not _is_table(owner, code.root.site.module.path, linker):
                told.add(key)
                yield _waiting(thing_of_module(owner, linker), hazard, code, linker)
        for made in made_per_process(code, linker):
            if _is_of_processes(path_of(made.value)):
                yield _waiting(thing_asked_for(made, linker), _asked_for(made), code, linker)


def _uses(code: WorkerCode, linker: Linker) -> Iterator[tuple[Owner, Hazard]]:
    """The shared objects of modules that workers use, or may use, each with the hazard that this is."""
    for function in code.functions:
        if function.module.first_party and function.module.document.cells is None:
            read = chain(things_read(function, linker), class_objects_read(function, linker))
            shared = [(owner, reading) for owner, reading in read if _is_shared(owner, linker)]
            counts = {reading.written for owner, reading in shared if _is_of_processes(path_of(owner.value), _COUNTS)}
            for owner, reading in shared:
                hazard = _hazard(Site(function.module, reading.span), function.facts.name, reading.written, owner)
                is_harmless = (
                    _is_of_processes(path_of(owner.value), _LOCKS) and guards_only_counts(reading, counts, function)
                ) or (_is_of_processes(path_of(owner.value), _COUNTS) and decides_only_flushes(reading, function))
                confidence = Confidence.POSSIBLE if is_harmless else hazard.confidence
                yield owner, replace(hazard, hops=(*function.hops, *hazard.hops), confidence=confidence)
    for held in held_read(code, "multiprocessing", linker):
        function, owner = held.function, held.owner
        if _is_primitive(owner) and not is_guard(owner.block, owner.module):
            hazard = _hazard(Site(function.module, held.reading.span), function.facts.name, owner.name, owner)
            yield owner, replace(hazard, hops=(*function.hops, *hazard.hops))
    for owner, function, reading in taken_out(code, "multiprocessing", linker):
        if _is_primitive(owner) and not is_guard(owner.block, owner.module):
            hazard = _hazard(Site(function.module, reading.span), function.facts.name, owner.name, owner)
            yield owner, replace(hazard, hops=(*function.hops, *hazard.hops))
    for owner, place, reader in own_objects_met(code, linker, _SHARED) if linker.moving_to is not None else ():
        if _is_shared(owner, linker):
            noun, confidence = "used by what workers may call", Confidence.POSSIBLE
            yield owner, replace(_hazard(place, reader, owner.name, owner), noun=noun, confidence=confidence)


def _asked_for(made: MadePerProcess) -> Hazard:
    """The hazard of what a function makes when a process first asks for it."""
    function = made.function
    return Hazard(
        site=made.made_at,
        noun="every process makes it here, when it first asks",
        error=None,
        confidence=Confidence.LIKELY,
        data={
            "function": function.facts.name,
            "what": made.made_at.module.code[made.made_at.span.start : made.made_at.span.end],
            "maker": "it makes once in each process",
            "end": "",
        },
        hops=(*function.hops, Hop("the main process asks for its own here", made.asked_at)),
        start_methods=PICKLED_ON_START,
    )


def _waiting(thing: AwaitedThing, hazard: Hazard, code: WorkerCode, linker: Linker) -> Hazard:
    """The same with what becomes of a process that waits at its own object, or takes something out of it."""
    if hazard.confidence is Confidence.POSSIBLE:
        return hazard
    error = endless_wait(thing, code, linker)
    if error is None and linker.moving_to is not None:
        failing = empty_take(thing, code, linker)
        return hazard if failing is None else replace(hazard, error=failing)
    return hazard if error is None else replace(hazard, error=error, data={**hazard.data, "end": f", so {error}"})


def _hazard(site: Site, function: str, what: str, owner: Owner) -> Hazard:
    return Hazard(
        site=site,
        noun="used in the worker",
        error=None,
        confidence=Confidence.LIKELY,
        data={
            "function": function,
            "what": what,
            "maker": _MADE_AT_IMPORT.format(owner.module.name or "the script"),
            "end": "",
        },
        hops=(Hop("every process makes it here", Site(owner.module, owner.block.span)),),
        start_methods=PICKLED_ON_START,
    )


def _is_shared(owner: Owner, linker: Linker) -> bool:
    path = path_of(owner.value) or ""
    text = owner.module.facts.text(owner.block)
    is_pair = len(owner.block.names) == 2 and any(written in text for written in _PAIRS)
    is_memory = (
        (path == "mmap.mmap" and _MEMORY in text)
        or is_moved_to_shared_memory(owner)
        or is_block_of_its_own(owner.value)
        or _shows_memory(owner, linker)
    )
    is_shared = _is_primitive(owner) or is_pair or is_memory
    return is_shared and not is_guard(owner.block, owner.module)


def _is_table(owner: Owner, asker: str, linker: Linker) -> bool:
    """Whether it is an array that stays as the import fills it."""
    return _is_of_processes(path_of(owner.value), _ARRAYS) and is_never_changed(owner, asker, linker)


def _shows_memory(owner: Owner, linker: Linker) -> bool:
    """Whether it is an array that shows memory which processes share."""
    if "buf" not in owner.text and "as_array" not in owner.text:
        return False
    facts = owner.module.facts_of(owner.block)
    expression = facts.values.get(owner.name) if facts is not None else None
    frame = linker.evaluator.module_frame(owner.module, facts.body) if facts is not None else None
    return expression is not None and frame is not None and shared_view(expression, frame, linker) is View.MEMORY


def _is_primitive(owner: Owner) -> bool:
    return _is_of_processes(path_of(owner.value))


def _is_of_processes(path: str | None, names: Collection[str] = _SHARED) -> bool:
    """Whether a path is that of something that processes share which inherit it; of those names, if some are given."""
    return path is not None and path.startswith((*_MODULES, "mp-context")) and path.rpartition(".")[2] in names
