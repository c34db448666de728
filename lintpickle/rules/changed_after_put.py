from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from lintpickle.analyses.lost_changes.pickled_later import TASKS, ChangedLater, changed_later
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS, QueuesGiven, may_put_elsewhere, puts
from lintpickle.diagnostics import Applicability, Confidence, Edit, Fix
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    Frame,
    Hazard,
    Hop,
    Linker,
    RootFrame,
    Rule,
    WorkerCode,
)

_KINDS = frozenset({"pool", "executor"})
_FORMS = tuple(f".{name}(" for name in sorted(QUEUE_PUTS))


class ChangedAfterPut(Rule[ChangedLater]):
    """An object that is changed after it was put into a queue, or given to a pool, which pickles it later."""

    code = "LP227"
    name = "changed-after-put"
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = (
        "`{name}` is changed after it has been given to `{to}`, which pickles it later, in a thread: the other process "
        "gets it as changed"
    )
    help = "give it a copy (`{name}.copy()`), or make a new object each time"
    words = frozenset({*_FORMS, *(f".{name}(" for name in TASKS)})
    function_words = frozenset(_FORMS)

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard[ChangedLater]]:
        if not linker.has_workers(root.frame.module) or not _puts_something(root.frame):
            return
        for frame in _frames(root, linker):
            yield from _changed(frame, linker)

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[ChangedLater]]:
        putting = [each for each in code.functions if each.module.first_party and _puts_something(each.frame)]
        given = QueuesGiven(code, linker) if putting and code.boundary is not None else None
        for function in putting if given is not None else ():
            yield from _changed(function.frame, linker, given, function.hops)

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard[ChangedLater]]:
        if call.spec.kind in _KINDS and call.spec.name in TASKS and call.is_stock:
            for found in changed_later(call.frame, [call.call], linker):
                yield _hazard(found, ())

    def fix(self, hazard: Hazard[ChangedLater]) -> Fix | None:
        """Give a copy of what is known to be a container. It is unsafe: what is in the container is not copied."""
        found = hazard.subject
        if not found.way.handed.is_container:
            return None
        place = found.site.span
        text = found.site.module.document.text[place.start : place.end]
        return Fix("Give it a copy", Applicability.UNSAFE, (Edit(place, f"{text}.copy()"),), is_the_help=True)


def _puts_something(frame: Frame) -> bool:
    code, span = frame.module.code, frame.function.span
    return any(code.find(form, span.start, span.end) >= 0 for form in _FORMS)


def _frames(root: RootFrame, linker: Linker) -> Iterator[Frame]:
    """The function as it is when nothing is known of its caller; if its queues are given to it, as it is called."""
    yield root.frame
    if may_put_elsewhere(root.frame, linker):
        callers, path = linker.callers, root.frame.module.path
        found = chain(
            (each.frame for each in callers.first(callers.frames(root, path))),
            (frame for frame, _ in callers.on_instances(root, path)),
        )
        yield from callers.first(found)


def _changed(
    frame: Frame, linker: Linker, given: QueuesGiven | None = None, hops: tuple[Hop, ...] = ()
) -> Iterator[Hazard[ChangedLater]]:
    calls = puts(frame, linker, given)
    for found in changed_later(frame, calls, linker) if calls else ():
        yield _hazard(found, hops)


def _hazard(found: ChangedLater, hops: tuple[Hop, ...]) -> Hazard[ChangedLater]:
    way = found.way
    is_doubted = way.is_slight or way.is_late or way.is_next_run
    return Hazard(
        site=found.site,
        noun="handed on here",
        error=None,
        confidence=Confidence.POSSIBLE if is_doubted else Confidence.LIKELY,
        data={"name": found.name, "to": found.to},
        help=ChangedAfterPut.help.format(name=found.name),
        hops=(*hops, Hop("changed here", found.change)),
        subject=found,
    )
