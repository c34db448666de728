"""Where shared tensors, or parameters of shared torch modules, are bound to new storage that only one process has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.lost_changes.storage_origins import MadeStorage, Storages
from lintpickle.analyses.waiting.fed_queues import CHANNEL_SENDS
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, Event, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Constant, Expr, parts_of, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, Site
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_KINDS = frozenset({"process", "spawn"})
_PARAMETER = re.compile(r"torch\.nn\.(?:parameter\.)?(?:Parameter|Buffer)")
_IN_PLACE = re.compile(r"\.[a-z]\w*[a-z0-9]_\(")
_COPY = (
    r"\s*(?:[\w.]*Parameter\(\s*)?(?:[\w.]*deepcopy\(\s*)?{}(?:\.data)?"
    r"(?:\.(?:clone|detach|to|cuda|cpu|half|float|double|contiguous|requires_grad_)\([^()]*\))*\W*"
)
_DEPTH = 3


class Rebound(Struct, frozen=True):
    """Where a function binds what is shared anew, as it writes that, and where it is shared. `worker` is the function
    as workers run it; None where the process that starts them does."""

    site: Site
    function: str
    target: str
    shared_at: Site
    worker: WorkerFunction | None = None


def rebound_storage(code: WorkerCode, linker: Linker) -> Iterator[Rebound]:
    """The places, in the workers of a boundary and behind their start; none if a worker sends the thing back."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    functions = [each for each in code.functions if each.module.first_party]
    storages = Storages(boundary, tuple(each for each in functions if each.entry), linker)
    if not storages.is_any_shared():
        return
    yield from _in_workers(functions, storages)
    yield from _behind_start(storages)


def _in_workers(functions: list[WorkerFunction], storages: Storages) -> Iterator[Rebound]:
    own = {id(each.facts) for each in functions}
    told: set[tuple[str, int]] = set()
    for function in functions:
        for event, holder in _bindings(function.facts.events, function.frame, storages):
            place = function.module.path, event.span.start
            if place in told:
                continue
            for origin in storages.origins(holder, function.frame):
                if origin.frame is not None and id(origin.frame.function) in own:
                    continue
                shared = storages.shared_at(origin)
                if shared is not None and not _is_sent(origin, functions, storages):
                    told.add(place)
                    yield _rebound(event, function.frame, shared, function)
                    break


def _behind_start(storages: Storages) -> Iterator[Rebound]:
    """What the process that starts the workers binds anew while they run, though they have got it."""
    boundary = storages.boundary
    given: set[int] | None = None
    if boundary.spec.kind == "spawn" and not _is_not_awaited(boundary):
        return
    for frame, events in _run_meanwhile(boundary, storages.linker):
        for event, holder in _bindings(events, frame, storages):
            given = {id(each.call) for each in storages.given()} if given is None else given
            for origin in storages.origins(holder, frame):
                shared = storages.shared_at(origin) if id(origin.call) in given else None
                if shared is not None:
                    yield _rebound(event, frame, shared, None)
                    break


def _is_not_awaited(boundary: BoundaryCall) -> bool:
    join = boundary.call.argument("join", 3)
    return isinstance(join, Constant) and join.value is False


def _run_meanwhile(boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[Frame, tuple[Event, ...]]]:
    """The function that starts the workers, with what happens there until it waits for their end; and the functions
    that this calls."""
    frame = boundary.frame
    later = [each for each in frame.function.events if each.span.start > boundary.call.span.end]
    until = next((place for place, each in enumerate(later) if _is_join(each)), len(later))
    yield from _run(frame, tuple(later[:until]), linker)


def _is_join(event: Event) -> bool:
    return (
        isinstance(event, Called) and isinstance(event.call.function, Attribute) and event.call.function.name == "join"
    )


def _run(
    frame: Frame, events: tuple[Event, ...], linker: Linker, depth: int = 0
) -> Iterator[tuple[Frame, tuple[Event, ...]]]:
    yield frame, events
    for event in events if depth < _DEPTH else ():
        for _, inner in functions_entered(event.call, frame, linker) if isinstance(event, Called) else ():
            yield from _run(inner, inner.function.events, linker, depth + 1)


def _rebound(event: Event, frame: Frame, shared: Site, worker: WorkerFunction | None) -> Rebound:
    module = frame.module
    return Rebound(Site(module, event.span), frame.function.name, _target(event, module), shared, worker)


def _target(event: Event, module: Module) -> str:
    """How a statement writes what it binds."""
    return module.code[event.span.start : event.span.end].partition("=")[0].strip()


def _bindings(events: tuple[Event, ...], frame: Frame, storages: Storages) -> Iterator[tuple[Event, Expr]]:
    """Where a function binds a tensor anew that a module, a container or a parameter has, and what has it."""
    module = frame.module
    for event in events:
        match event:
            case Store(target=target, attribute="data", key=None):
                is_bound = True
            case Store(target=target, attribute=name, value=value, key=None):
                is_bound = _is_kept_by_module(target, name, value, frame, storages.linker)
            case ItemStore(target=target, key=Expr() as key):
                is_bound = not _is_slice(key) and storages.is_container(target, frame)
            case _:
                continue
        if is_bound and not _keeps_numbers(event, module):
            yield event, target


def _is_slice(key: Expr) -> bool:
    return isinstance(key, Constant) and key.value is Ellipsis


def _is_kept_by_module(target: Expr, name: str, value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a new parameter is stored, or the buffer of a module of the program."""
    made = without_narrowing(value)
    if isinstance(made, Call) and any(
        _PARAMETER.fullmatch(path) for path in external_names(made.function, frame, linker)
    ):
        return True
    for traced in linker.evaluate(target, frame):
        if isinstance(traced.value, InstanceValue) and linker.classes.kind(traced.value) in MODULE_KINDS:
            facts = traced.value.class_.facts
            buffer = re.compile(rf"register_buffer\(\s*[\"']{re.escape(name)}[\"']")
            if buffer.search(traced.value.class_.module.code, facts.span.start, facts.span.end):
                return True
    return False


def _keeps_numbers(event: Event, module: Module) -> bool:
    """Whether a statement gives the process a copy of its own, of the same numbers, or changes them in place, too."""
    target, _, value = module.code[event.span.start : event.span.end].partition("=")
    return (
        _IN_PLACE.search(value) is not None or re.fullmatch(_COPY.format(re.escape(_whole(target))), value) is not None
    )


def _whole(target: str) -> str:
    return target.strip().removesuffix(".data")


def _is_sent(origin: MadeStorage, functions: list[WorkerFunction], storages: Storages) -> bool:
    """Whether a function of the workers sends the thing, or what is made of it, to another process."""
    for function in functions:
        for event in function.facts.events:
            match event:
                case Called(call=Call(function=Attribute(name=name), arguments=arguments)) if name in CHANNEL_SENDS:
                    if any(_is_made_of(each.value, origin, function.frame, storages) for each in arguments):
                        return True
                case _:
                    pass
    return False


def _is_made_of(value: Expr, origin: MadeStorage, frame: Frame, storages: Storages, depth: int = 0) -> bool:
    if any(each.call is origin.call for each in storages.origins(value, frame)):
        return True
    return depth < _DEPTH and any(_is_made_of(each, origin, frame, storages, depth + 1) for each in parts_of(value))
