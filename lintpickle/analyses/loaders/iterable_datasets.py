"""Iterable datasets that are passed to loaders, and whether their items are divided between workers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.loops import have_no_end
from lintpickle.analyses.loaders.divided_items import AskedItems
from lintpickle.analyses.loaders.loader_arguments import Unsaid, literal
from lintpickle.analyses.workers.worker_starts import worker_count
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Iterated
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Site,
    TracedValue,
    is_indefinite,
)
from lintpickle.payload.entry_arguments import UNKNOWN_ARGUMENTS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_reader import code_of
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_COUNT, _ITERATED = "num_workers", "__iter__"
_TORCH = "torch.utils.data."
_ENDLESS = re.compile(r"\bcycle\(|\bcount\(|\brepeat\(")
_LOOPS = re.compile(r"\bwhile (?:True|1)\b")
_SYNTHETIC = re.compile(r"\b(torch|np|numpy)\.(random\.)?(rand|randn|randint|normal|uniform|empty|zeros|ones)\b")
_OWN_SHARDING = re.compile(r"load_dataset|webdataset|\bwds\b|litdata|streaming|petastorm")
_STREAMS = frozenset({"datasets", "webdataset", "wds", "litdata", "streaming", "torchdata", "petastorm", "ray"})


def number_of_workers(call: BoundaryCall, linker: Linker) -> int | None:
    """How many workers a loader has: the literal, or the default of the option that says it; None if neither is
    known."""
    written = literal(call, _COUNT, linker)
    if isinstance(written, int):
        return written
    values = linker.boundaries.values(call, _COUNT)
    if written is not Unsaid.UNSURE or not values or not all(is_indefinite(each.value) for each in values):
        return None
    return worker_count(call, call.frame.module, linker)


def iterable_dataset(call: BoundaryCall, linker: Linker) -> InstanceValue | None:
    """The dataset of a loader, or the first of those that it may be, if it is certainly an IterableDataset of torch
    whose source is read, and no data pipe (which loaders shuffle and shard themselves)."""
    return next(iter(_iterable_datasets(call, linker)), None)


def _iterable_datasets(call: BoundaryCall, linker: Linker) -> tuple[InstanceValue, ...]:
    values = call.value("dataset", linker.evaluator)
    found = [traced.value for traced in values if isinstance(traced.value, InstanceValue)]
    if len(found) < len(values) or not all(_is_iterable(instance, linker) for instance in found):
        return ()
    return tuple(found)


def datasets_with_code(code: WorkerCode, linker: Linker) -> Iterator[tuple[InstanceValue, WorkerCode]]:
    """The IterableDatasets of which a loader gets one (`{"a": A, "b": B}[name]()`), each with what is run of it."""
    found = _iterable_datasets(code.boundary, linker) if code.boundary is not None else ()
    if len({id(each.class_.facts) for each in found}) < 2:
        yield from ((each, code) for each in found[:1])
        return
    for dataset in found:
        method = linker.classes.find_method(dataset, _ITERATED)
        if method is not None:
            entry = FunctionValue(method[0].module, method[1], method[0].frame, dataset)
            own = code_of(entry, UNKNOWN_ARGUMENTS, (), linker)
            yield dataset, replace(code, functions=own)


def _is_iterable(instance: InstanceValue, linker: Linker) -> bool:
    paths = {each.path for each in linker.classes.mro(instance) if isinstance(each, ExternalValue)}
    outside = {path for path in paths if not path.startswith(("builtins.", "typing.", "abc.", "collections.abc."))}
    names = {path.rpartition(".")[2] for path in outside}
    return "IterableDataset" in names and all(path.startswith(_TORCH) for path in outside)


def asked_items(dataset: InstanceValue, code: WorkerCode, linker: Linker) -> AskedItems | None:
    """What the workers ask of which items they are to yield; None if the items may be made up in the workers."""
    held = list(_with_what_it_holds(dataset, linker))
    parts = (part for each in held for part in _class_parts(each, linker))
    run = (Site(function.module, function.facts.span) for function in code.functions)
    return None if _may_make_up((*run, *parts)) else AskedItems(held, code, linker)


def _with_what_it_holds(dataset: InstanceValue, linker: Linker) -> Iterator[InstanceValue]:
    """The dataset, and the objects of the program that its attributes hold, one in the other: its stages."""
    met: set[tuple[int, int]] = set()
    waiting = [dataset]
    while waiting:
        instance = waiting.pop(0)
        if (key := (id(instance.call), id(instance.frame))) not in met:
            met.add(key)
            yield instance
            for held in linker.classes.states.state(instance):
                waiting += _objects_in(linker.evaluate(held.value, held.frame), linker)


def _objects_in(values: Iterable[TracedValue], linker: Linker) -> Iterator[InstanceValue]:
    for traced in values:
        match traced.value:
            case InstanceValue() as instance:
                yield instance
            case ContainerValue(slots=slots):
                items = (each for slot in slots for each in linker.evaluate(slot.value, slot.frame))
                yield from (each.value for each in items if isinstance(each.value, InstanceValue))
            case _:
                pass


def _may_make_up(parts: Iterable[Site]) -> bool:
    return any(_may_make_up_in(part.span, part.module) for part in parts)


def _may_make_up_in(span: Span, module: Module) -> bool:
    text = module.code[span.start : span.end]
    if any(form.search(text) for form in (_ENDLESS, _SYNTHETIC, _OWN_SHARDING)):
        return True
    return _LOOPS.search(text) is not None and have_no_end(span, module)


def _class_parts(dataset: InstanceValue, linker: Linker) -> Iterator[Site]:
    for class_ in linker.classes.mro(dataset):
        if isinstance(class_, ClassValue):
            yield Site(class_.module, class_.facts.span)
    if dataset.call is not None and dataset.frame is not None:
        yield Site(dataset.frame.module, dataset.call.span)


def iterates_unknown(code: WorkerCode, linker: Linker) -> bool:
    """Whether the dataset reads from a streaming library, or from an object that may divide the items."""
    for function in code.functions:
        for event in function.facts.events:
            if not isinstance(event, Iterated):
                continue
            for traced in linker.evaluate(event.iterable, function.frame):
                match traced.value:
                    case ExternalResult(path=path) if path.partition(".")[0] in _STREAMS:
                        return True
                    case InstanceValue() as source if not _yields_all(source, code, linker):
                        return True
                    case _:
                        pass
    return False


def _yields_all(source: InstanceValue, code: WorkerCode, linker: Linker) -> bool:
    """Whether the workers' code iterates over an object of the program that divides nothing."""
    found = linker.classes.find_method(source, "__iter__")
    is_read = found is not None and any(function.facts is found[1] for function in code.functions)
    is_made_up = _may_make_up(_class_parts(source, linker))
    return is_read and not is_made_up and not AskedItems([source], code, linker).may_ask()
