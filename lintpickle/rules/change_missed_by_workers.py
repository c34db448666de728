from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.hierarchies import is_me
from lintpickle.analyses.loader_arguments import is_loader, literal
from lintpickle.analyses.loops import loop_bodies
from lintpickle.analyses.worker_reads import reads
from lintpickle.diagnostics import Span
from lintpickle.limits import LOADER_WRAPPERS
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Arguments,
    Attribute,
    BoundaryCall,
    Call,
    Called,
    ClassValue,
    Event,
    Expr,
    ExternalResult,
    Frame,
    FunctionValue,
    Hazard,
    Hop,
    InstanceValue,
    Iterated,
    Linker,
    Rule,
    Site,
    Store,
)

_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__new__"})
_RESTARTS = "._iterator"
"""What stands in code that lets go of the workers of a loader."""


class ChangeMissedByWorkers(Rule):
    """A dataset that the training loop changes (`set_epoch`), while persistent workers keep their first copy of it."""

    code = "LP412"
    name = "change-missed-by-workers"
    start_methods = ALL_START_METHODS
    message = (
        "persistent workers keep the dataset of the first epoch: they never see that `{excerpt}` sets `{attribute}`"
    )
    help = "share the value (`multiprocessing.Value`, a tensor in shared memory), or leave `persistent_workers` out"
    words = frozenset({"persistent_workers"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        if not is_loader(call) or literal(call, "persistent_workers", linker) is not True:
            return
        if literal(call, "num_workers", linker) == 0:
            return
        values = [traced.value for traced in call.value("dataset", linker.evaluator)]
        datasets = [value for value in values if isinstance(value, InstanceValue)]
        if len(datasets) != 1:
            return
        for frame in _frames(call, linker):
            if _RESTARTS in frame.module.code:
                continue
            for event, attribute in _changes(frame, datasets[0].class_, call, linker):
                if next(reads(attribute, datasets[0].class_, linker), None) is not None:
                    text = frame.module.document.text[event.span.start : event.span.end]
                    yield Hazard(
                        site=Site(frame.module, event.span),
                        noun="it changes the dataset of the main process",
                        error=None,
                        data={"excerpt": " ".join(text.split())[:50], "attribute": attribute},
                        hops=(Hop("makes a loader whose workers persist", call.site),),
                    )
                    return


def _frames(call: BoundaryCall, linker: Linker) -> Iterator[Frame]:
    """Where the loop can be: the function that makes the loader, its callers, and the other methods of its object."""
    callers = [each.frame for each in call.frame.bindings.values() if each.frame is not None]
    seen: set[int] = set()
    for frame in (call.frame, *callers):
        if id(frame.function) not in seen:
            seen.add(id(frame.function))
            yield frame
        for bound in frame.bindings.values():
            if isinstance(bound.value, InstanceValue):
                for owner in [each for each in linker.classes.mro(bound.value) if isinstance(each, ClassValue)]:
                    for method in owner.facts.methods.values():
                        value = FunctionValue(owner.module, method, owner.frame, bound.value)
                        inner = linker.evaluator.activate(value, Arguments((), {}, True), 1)
                        if inner is not None and id(method) not in seen:
                            seen.add(id(method))
                            yield inner


def _changes(frame: Frame, dataset: ClassValue, call: BoundaryCall, linker: Linker) -> Iterator[tuple[Event, str]]:
    """The changes of the dataset in the loops of a function that iterate the loader again and again, each with the
    attribute that is changed."""
    loops = _loops(frame, call)
    for event in frame.function.events:
        around = [loop for loop in loops if _is_written_in(loop, event)]
        changed = list(_changed(event, frame, dataset, linker)) if around else []
        if changed and any(_uses_loader(loop, event, frame, call, linker) for loop in around):
            yield from ((event, attribute) for attribute in changed)


def _loops(frame: Frame, call: BoundaryCall) -> list[Span]:
    """The bodies of the loops of a function that do not make the loader anew."""
    made = call.call.span
    is_here = call.frame.function is frame.function
    return [
        each
        for each in loop_bodies(frame.function, frame.module)
        if not (is_here and each.start <= made.start and made.end <= each.end)
    ]


def _changed(event: Event, frame: Frame, dataset: ClassValue, linker: Linker) -> Iterator[str]:
    match event:
        case Store(target=target, attribute=attribute) if _is_dataset(target, frame, dataset, linker):
            yield attribute
        case Called(call=Call(function=Attribute(base=base, name=name))) if name not in _CONSTRUCTORS:
            found = linker.classes.find_method(dataset, name)
            if found is not None and _is_dataset(base, frame, dataset, linker):
                for inner in found[1].events:
                    if isinstance(inner, Store) and is_me(inner.target, found[1]):
                        yield inner.attribute
        case _:
            pass


def _is_dataset(value: Expr, frame: Frame, dataset: ClassValue, linker: Linker) -> bool:
    if isinstance(value, Attribute) and value.name == "dataset" and _is_a_loader(value.base, frame, linker):
        return True
    found = [each.value for each in linker.evaluate(value, frame)]
    return any(isinstance(each, InstanceValue) and each.class_.facts is dataset.facts for each in found)


def _is_a_loader(value: Expr, frame: Frame, linker: Linker) -> bool:
    found = (each.value for each in linker.evaluate(value, frame))
    return any(
        isinstance(each, ExternalResult) and linker.catalog.kind_of_class(each.path) == "dataloader" for each in found
    )


def _uses_loader(loop: Span, change: Event, frame: Frame, call: BoundaryCall, linker: Linker) -> bool:
    """Whether a loop iterates the loader, or hands it to something that does."""
    events = frame.function.events
    inside = [index for index, event in enumerate(events) if _is_written_in(loop, event)]
    # What is iterated stands where it was made; its place among the events tells where it is iterated.
    for event in events[inside[0] : inside[-1] + 2] if inside else ():
        match event:
            case Iterated(iterable=iterable):
                used = [iterable]
            case Called(call=Call(arguments=arguments)) if event is not change:
                used = [argument.value for argument in arguments]
            case _:
                continue
        if any(_leads_to(each, frame, call, linker, 0) for each in used):
            return True
    return False


def _is_written_in(loop: Span, event: Event) -> bool:
    is_inside = loop.start <= event.span.start and event.span.end <= loop.end
    return is_inside and isinstance(event, Called | Store)


def _leads_to(value: Expr, frame: Frame, call: BoundaryCall, linker: Linker, depth: int) -> bool:
    for traced in linker.evaluate(value, frame):
        match traced.value:
            case ExternalResult(call=made) | InstanceValue(call=made) if made is call.call:
                return True
            case _:
                pass
    if isinstance(value, Call):
        if depth >= LOADER_WRAPPERS.most:
            linker.evaluator.cuts.note(LOADER_WRAPPERS)
            return False
        return any(_leads_to(each.value, frame, call, linker, depth + 1) for each in value.arguments)
    return False
