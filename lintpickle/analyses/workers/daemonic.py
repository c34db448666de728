"""Workers that are daemonic, as multiprocessing makes those of pools, and may have no processes of their own; and what
starts some."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.options_by_default import is_reached_by_default
from lintpickle.analyses.loaders.workers_by_default import has_workers_by_default
from lintpickle.analyses.workers.asked_in_workers import is_chosen_by_process
from lintpickle.analyses.workers.daemonic_objects import DAEMON, is_made_daemonic, is_true
from lintpickle.analyses.workers.loader_workers_given import with_workers_given
from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.control_flow.claims import is_of_several, tests_in
from lintpickle.diagnostics import Confidence, Span
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Attribute, Call, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, ClassValue, Doubt, Frame, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_MAKES = frozenset({"Pool", "Manager", "ProcessPoolExecutor"})
"""The last names of what has processes as soon as it is made, or as it gets its first task."""
_STARTS = re.compile(r"\b(?:Pool|Manager|Process|ProcessPoolExecutor|DataLoader)\s*\(|\.\s*start\s*\(")
_IS_STARTED = re.compile(r"\.\s*start\s*\(")
_ASKS = re.compile(r"\bdaemon\b")
"""What stands in a function that asks whether it runs in such a worker, or sees to it that it does not."""
_UNMARKS = re.compile(r"\b_config\s*\[\s*[\"']daemon\b|\b_config\s*\.\s*\w+\(.*\bdaemon\b")
"""What stands in a function that takes the mark of a daemon from its process."""
_MADE_OTHERWISE = re.compile(r"\bdaemon\s*=\s*False\b|\bPool\._repopulate_pool\w*\s*=")
"""What stands in a module that makes the workers of its pools anew, by which `Pool` has theirs."""


def is_daemonic(code: WorkerCode, linker: Linker) -> bool:
    """Whether the workers of a boundary are surely daemonic: those of a pool of multiprocessing, of a loader, and
    processes that are made so. (Those of an executor are not, since Python 3.9.)"""
    boundary = code.boundary
    if boundary is None:
        return False
    if boundary.callee is not None:
        itself = boundary.arguments.get(ITSELF) if boundary.spec.kind == "process" and boundary.is_stock else None
        made = itself.value if itself is not None else None
        return isinstance(made, InstanceValue) and is_made_daemonic(made, linker)
    match boundary.spec.kind:
        case "pool":
            return not _is_on_own_pool(boundary, linker) and not boundary.frame.module.has(_MADE_OTHERWISE)
        case "dataloader":
            return True
        case "process":
            return _is_plain_daemon(boundary, linker)
        case _:
            return False


def _is_plain_daemon(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a process of the library is made daemonic, or set to be so later (`process.daemon = True`)."""
    flags = [
        each
        for each in linker.evaluator.stores.on(boundary.call, boundary.frame)
        if isinstance(each.event, Store) and each.event.attribute == DAEMON and not each.path
    ]
    if flags:
        return all(not each.conditional and is_true(Bound(each.event.value, each.frame), linker) for each in flags)
    given = boundary.arguments.get(DAEMON)
    return given is not None and is_true(given, linker)


def _is_on_own_pool(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the pool is of a class of the program, which may have processes that are not daemonic."""
    function = boundary.call.function
    if not isinstance(function, Attribute):
        return False
    made = linker.evaluate(function.base, boundary.frame)
    return any(isinstance(each.value, InstanceValue | ClassValue) for each in made)


def started_inside(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, BoundaryCall]]:
    """The calls by which functions of workers start processes, each with the function that makes it; not those that
    are chosen by where they run. Nothing if a function takes the mark of a daemon from its process."""
    if any(function.module.has(_UNMARKS) and _names(_UNMARKS, function) for function in code.functions):
        return
    for function in code.functions:
        if function.entered_by is None or not _names(_STARTS, function) or _names(_ASKS, function):
            continue
        for event in function.facts.events:
            if isinstance(event, Called):
                for each in linker.boundaries.made(event, function.frame):
                    made = with_workers_given(_without_doubted_workers(each, linker), code, linker)
                    if _starts_any(made, function, linker) and Doubt.WORKERS not in made.doubts:
                        if not is_chosen_by_process(function, made, code, linker):
                            yield function, made
                        break


def _names(form: re.Pattern[str], function: WorkerFunction) -> bool:
    return form.search(function.module.code, function.facts.span.start, function.facts.span.end) is not None


def _without_doubted_workers(made: BoundaryCall, linker: Linker) -> BoundaryCall:
    """A loader of which it is not sure that it has workers as one that has, if that is so by default."""
    if Doubt.WORKERS not in made.doubts or not has_workers_by_default(made, linker):
        return made
    return replace(made, doubts=tuple(each for each in made.doubts if each is not Doubt.WORKERS))


def _starts_any(made: BoundaryCall, function: WorkerFunction, linker: Linker) -> bool:
    if made.callee is not None and not (made.spec.kind == "process" and made.is_stock):
        return False  # It may be any kind of pool, or start in its own way.
    if made.spec.kind == "process":
        return _IS_STARTED.search(function.module.code, made.call.span.end, function.facts.span.end) is not None
    if made.spec.kind == "dataloader":
        return (made.spec.workers or "") in made.arguments and linker.boundaries.crosses(made)
    return made.spec.name in _MAKES


def certainty(function: WorkerFunction, made: BoundaryCall, boundary: BoundaryCall, linker: Linker) -> Confidence:
    """How sure it is that a worker of a boundary starts processes: less if a condition on the way is not known, and
    least if that chooses among several things to do (`if kind == "table": … elif kind == "parts": …`) or the way leads
    back to the function that started the workers, which may have less to do there; unless that maps whatever function
    it is given. What the defaults of options decide is what users run, and what is started
    for many elements is meant for their data. A loader starts them only when it is iterated."""
    way = [(function.frame, made.call)]
    while (outer := way[-1][0].called_by) is not None:
        way.append(outer)
    unknown = [(call.span, frame) for frame, call in way if linker.conditions.reaches(call.span, frame) is None]
    leads_back = any(frame.function is boundary.frame.function for frame, _ in way)
    may_end = leads_back and (unknown or (not _is_given(boundary) and any(_counts(*each, linker) for each in way)))
    doubts = made.doubts
    if (
        unknown
        and not leads_back
        and all(
            is_reached_by_default(*each, boundary.frame.module, linker) or _is_for_many(*each, linker)
            for each in unknown
        )
    ):
        doubts = tuple(each for each in doubts if each is not Doubt.CONDITION)
    if doubts or may_end or any(linker.conditions.choose(*each) for each in unknown):
        return Confidence.POSSIBLE
    return Confidence.LIKELY if unknown or made.spec.kind == "dataloader" else Confidence.CERTAIN


def _is_for_many(place: Span, frame: Frame, linker: Linker) -> bool:
    """Whether all that is not known on the way to a place is whether something has as many elements as it takes:
    `if self.jobs > 1 and len(pairs) >= self.threshold`."""
    parts = [part for test, holds in linker.conditions.tests_before(place, frame) for part in tests_in(test, holds)]
    return bool(parts) and all(
        _asks_for_many(test, holds) or linker.conditions.answer(test, frame) is holds for test, holds in parts
    )


def _asks_for_many(test: ast.expr, holds: bool) -> bool:
    match test:
        case ast.Compare(left=ast.Call(func=ast.Name(id="len")), ops=[compared], comparators=[_]):
            return isinstance(compared, (ast.Gt, ast.GtE) if holds else (ast.Lt, ast.LtE))
        case ast.Compare(ops=[compared], comparators=[ast.Call(func=ast.Name(id="len"))]):
            return isinstance(compared, (ast.Lt, ast.LtE) if holds else (ast.Gt, ast.GtE))
        case _:
            return False


def _is_given(boundary: BoundaryCall) -> bool:
    """Whether the function that workers run is a parameter of what starts them."""
    given = [boundary.arguments[name].expr for name in boundary.spec.functions if name in boundary.arguments]
    return any(isinstance(without_narrowing(each), Parameter) for each in given if each is not None)


def _counts(frame: Frame, call: Call, linker: Linker) -> bool:
    """Whether a call is only made if something has several elements."""
    tests = linker.conditions.tests_before(call.span, frame)
    return any(is_of_several(*part) for test, holds in tests for part in tests_in(test, holds))
