from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.pickle_hooks.dropped_state import (
    Dropped,
    dropped_attributes,
    function_calling,
    may_drop_any,
    users_of,
)
from lintpickle.analyses.pickle_hooks.emptied_lookups import EmptiedLookup, emptied_lookups
from lintpickle.analyses.pickle_hooks.emptied_state import EmptyRead, emptied_read
from lintpickle.analyses.pickle_hooks.left_out_by_reduce import left_out_by_reduce
from lintpickle.analyses.pickle_hooks.left_out_of_state import LeftOut, left_out
from lintpickle.analyses.pickle_hooks.own_queues import OWN_QUEUES, QueueAttribute, queue_attributes_lost
from lintpickle.analyses.pickle_hooks.reset_state import reset_read
from lintpickle.analyses.pickle_hooks.round_trips import copying_roots, uses_of_copies
from lintpickle.analyses.workers.given_at_start import methods_of_given
from lintpickle.analyses.workers.worker_reads import reads
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    SHIPPED_KINDS,
    WORKER_KINDS,
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    RootFrame,
    Rule,
    Site,
    WorkerCode,
    carries_functions,
)

_RUNNING = WORKER_KINDS - {"dataloader"}
"""Kinds of boundaries of which it is known what their workers run."""

_HELP_FOR_REDUCE = "return the state as the third element of what `__reduce__` returns, or pass it as an argument"


class _Changed(Struct, frozen=True):
    """How trails and messages tell of an attribute that arrives otherwise than the main process has it."""

    lost: str
    changes: str
    arrives: str
    help: str | None = None


_EMPTIED = _Changed("is filled only {where}, and which its class sends empty", "fills", "it arrives empty")
_SET_BACK = _Changed(
    "is changed only {where}, and which its class does not send and sets back",
    "changes",
    "it is as in a new one after this",
    "send it in the state, or set it in the worker as well",
)


class DroppedNotRestored(Rule):
    """An attribute that `__getstate__` leaves out and nothing restores, though worker code uses it."""

    code = "LP604"
    name = "dropped-not-restored"
    of_absence = True
    value_types = (InstanceValue,)
    message = "`{reader}` uses `{attribute}`, which {lost}: {error}{outcome}"
    help = "recreate it in `__setstate__`, or on first use"
    marks = frozenset()
    words = frozenset({"__getstate__", "__reduce__", "__reduce_ex__", "loads", "deepcopy", "shelve", *OWN_QUEUES})
    class_words = frozenset({"__getstate__"})
    function_words = frozenset({"loads", "deepcopy", "shelve"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        """Yield what objects that are made to run in workers use there; of others, `worker` sees what is run."""
        if not isinstance(crossing.value, InstanceValue) or crossing.root.kind in _RUNNING:
            return
        if linker.classes.find_method(crossing.value, "__getstate__"):
            yield from _judged(crossing.value.class_, linker)

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        """Yield what is used through another object, or by a function that is given the object."""
        if code.boundary is None:
            return
        seen: set[int] = set()
        for crossing in linker.shipped_to_workers_of(code.boundary):
            match crossing.value:
                case InstanceValue(class_=class_) if id(class_.facts) not in seen and not carries_functions(crossing):
                    seen.add(id(class_.facts))
                    methods = crossing.root.start_methods  # Pools pickle what they send under all of them.
                    of_queue = queue_attributes_lost(crossing, code, linker)
                    yield from (replace(_lost_by_queue(each), start_methods=methods) for each in of_queue)
                    by_reduce = left_out_by_reduce(class_, code, linker)
                    yield from (replace(_left_out(each, "__reduce__"), start_methods=methods) for each in by_reduce)
                    if linker.classes.find_method(class_, "__getstate__") is not None:
                        found = list(_used_elsewhere(class_, code, linker))
                        told = {hazard.data["attribute"] for hazard in found}
                        missed = (each for each in left_out(class_, code, linker) if each.attribute not in told)
                        found += (_left_out(each, "__getstate__") for each in missed)
                        if linker.moving_to is not None:
                            found += (
                                *(_arriving_otherwise(*each, _EMPTIED) for each in emptied_read(class_, code, linker)),
                                *(_arriving_otherwise(*each, _SET_BACK) for each in reset_read(class_, code, linker)),
                            )
                        else:
                            found += map(_looked_up, emptied_lookups(class_, code, linker))
                        yield from (replace(each, start_methods=methods) for each in found)
                case _:
                    pass

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        if "__getstate__" not in class_.facts.methods:
            return
        if linker.classes.kind(class_) in SHIPPED_KINDS:
            yield from _judged(class_, linker)
        else:
            is_known = linker.is_shared("entered", class_, class_.module)
            for hazard in seldom_sent(_used_anywhere(class_, linker), class_, linker):
                if not is_known or hazard.confidence is not Confidence.POSSIBLE:
                    yield hazard  # Of objects that workers are seen to get, `worker` sees what is run there.

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        """Yield what is used of a copy that the function makes of an object by pickling it, or for its callers."""
        for user_root in copying_roots(root, linker) if may_drop_any(root.frame.module.path, linker) else ():
            yield from _used_on_copies(user_root, linker)


def _used_on_copies(root: RootFrame, linker: Linker) -> Iterator[Hazard]:
    for use in uses_of_copies(root, linker):
        for dropped in dropped_attributes(use.class_, linker):
            user = users_of(dropped).get(use.method)
            if user is not None and dropped.attribute not in use.stored:
                way = (Hop("called on a copy of it", Site(root.frame.module, use.span)),)
                yield replace(_hazard(dropped, *user, way), start_methods=ALL_START_METHODS)
                break


def _used_anywhere(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    """Hazards of a class whose `__getstate__` says that its objects are sent, but not what is done to them there."""
    for dropped in dropped_attributes(class_, linker):
        for owner, method in (*reads(dropped.attribute, class_, linker), *users_of(dropped).values()):
            yield _hazard(dropped, owner, method)
            break


def _used_elsewhere(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[Hazard]:
    given = {id(each.facts): each for each in methods_of_given(class_, code, linker)}
    for dropped in dropped_attributes(class_, linker):
        for name, (owner, method) in users_of(dropped).items():
            function = given.get(id(method)) or function_calling(code, name, class_, linker)
            if function is not None:
                yield _hazard(dropped, owner, method, function.hops)
                break


def _arriving_otherwise(read: EmptyRead, setting: Setting, changed: _Changed) -> Hazard:
    emptied, function = read.emptied, read.function
    return Hazard(
        site=Site(function.module, read.span),
        noun=f"it reads `{emptied.attribute}`",
        error=None,
        confidence=setting.confidence or Confidence.LIKELY,
        data={
            "reader": function.facts.qualname,
            "attribute": emptied.attribute,
            "lost": changed.lost.format(where=setting.where),
            "outcome": setting.met.outcome,
        },
        hops=(
            *function.hops,
            Hop(f"the main process {changed.changes} it here", setting.site),
            Hop(changed.arrives, emptied.by),
        ),
        help=changed.help,
    )


def _looked_up(missed: EmptiedLookup) -> Hazard:
    emptied, setting = missed.emptied, missed.setting
    return Hazard(
        site=missed.read,
        noun=f"it looks something up in `{emptied.attribute}`",
        error=missed.error,
        confidence=setting.confidence or Confidence.LIKELY,
        data={
            "reader": missed.reader.qualname,
            "attribute": emptied.attribute,
            "lost": f"is filled only {setting.where}, and which its class sends empty",
            "outcome": "" if missed.error is not None else setting.met.outcome,
        },
        hops=(
            *missed.hops,
            Hop("the main process fills it here", setting.site),
            Hop("it arrives empty", emptied.by),
        ),
    )


def _left_out(missed: LeftOut, hook: str) -> Hazard:
    setting, function = missed.setting, missed.reader
    return Hazard(
        site=Site(function.module, missed.read),
        noun=f"it reads `{missed.attribute}`",
        error=missed.error,
        confidence=Confidence.LIKELY if missed.certain else Confidence.POSSIBLE,
        data={
            "reader": function.facts.qualname,
            "attribute": missed.attribute,
            "lost": f"`{hook}` leaves out, and which is set only {setting.where}",
            "outcome": setting.met.outcome if missed.error is None else "",
        },
        hops=(
            *function.hops,
            Hop("the main process sets it here", setting.site),
            Hop(f"`{hook}` leaves it out", missed.by),
        ),
        help=_HELP_FOR_REDUCE if hook == "__reduce__" else None,
    )


def _lost_by_queue(found: QueueAttribute) -> Hazard:
    return Hazard(
        site=found.stored,
        noun="only the main process sets the attribute",
        error=found.error,
        confidence=Confidence.LIKELY,
        data={
            "reader": found.class_.facts.name,
            "attribute": found.attribute,
            "lost": f"a `{found.base}` of `multiprocessing` does not send with its own state",
            "outcome": "",
        },
        hops=(
            *found.caller.hops,
            Hop("the worker uses it here", Site(found.caller.module, found.call)),
            Hop(f"it reads `{found.attribute}`", found.read),
        ),
        help="define `__getstate__` and `__setstate__` that add it to the state of `super()`",
    )


def _judged(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    for dropped in dropped_attributes(class_, linker):
        for owner, method in reads(dropped.attribute, class_, linker):
            yield _hazard(dropped, owner, method)
            break


def _hazard(dropped: Dropped, owner: ClassValue, method: FunctionFacts, hops: tuple[Hop, ...] = ()) -> Hazard:
    name, attribute = dropped.class_.facts.name, dropped.attribute
    return Hazard(
        site=Site(owner.module, method.header),
        noun=f"it uses `{attribute}`",
        error=f"AttributeError: '{name}' object has no attribute '{attribute}'",
        data={
            "reader": f"{name}.{method.name}",
            "attribute": attribute,
            "lost": "`__getstate__` leaves out and nothing restores",
            "outcome": "",
        },
        hops=(*hops, Hop("`__getstate__` leaves it out", dropped.by)),
    )
