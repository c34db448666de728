"""Functions that are stored on a loader which is made elsewhere, to run in its workers: `loader.worker_init_fn = …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import Store
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ExternalResult,
    ExternalValue,
    FunctionValue,
    Hop,
    Site,
    is_indefinite,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.forms import LAMBDA, LOCAL_FUNCTION

_HOOK = "worker_init_fn"
"""An attribute that only loaders have. Datasets and configurations have a `collate_fn` too."""
_LOADER = "torch.utils.data.DataLoader"
_FUNCTIONS = frozenset({LAMBDA, LOCAL_FUNCTION})
_STORED = re.compile(rf"\.{_HOOK}\s*=(?!=)")


def hook_words(marks: Iterable[str]) -> frozenset[str]:
    """Words, one of which occurs wherever `loader_hooks` finds a function, if a rule asks for one."""
    return frozenset() if _FUNCTIONS.isdisjoint(marks) else frozenset({_HOOK})


def loader_hooks(linker: LinkedProgram) -> Iterator[Crossing]:
    """Lambdas and local functions that a function stores on an object of which nothing is known but that it has the
    attribute of a loader. They are likely where loaders of the program have workers, else merely possible."""
    for module in linker.modules:
        for block in module.outline.blocks if module.has(_STORED) else ():
            if _STORED.search(module.code, block.span.start, block.span.end) is None:
                continue
            facts = module.facts_of(block)
            for root_frame in linker.activations.in_block(module, facts, _STORED) if facts is not None else ():
                yield from _stored_by(root_frame, linker)
                linker.evaluator.forget()


def _stored_by(root_frame: RootFrame, linker: LinkedProgram) -> Iterator[Crossing]:
    frame = root_frame.frame
    spec = linker.catalog.boundary(_LOADER)
    for event in root_frame.function.events:
        if not isinstance(event, Store) or event.attribute != _HOOK or spec is None:
            continue
        owners = linker.evaluator.evaluate(event.target, frame)
        if not all(_is_not_read(each.value, linker) for each in owners):
            continue
        confidence = Confidence.LIKELY if linker.has_loaders(frame.module) else Confidence.POSSIBLE
        site = Site(frame.module, event.span)
        root = Root(confidence, linker.start_methods_of_workers(frame.module), spec, spec.kind, site)
        hop = Hop("the loader pickles it for each worker", site)
        for traced in linker.evaluator.evaluate(event.value, frame):
            if isinstance(traced.value, FunctionValue) and traced.value.is_nameless:
                yield Crossing(traced.value, traced.site, (hop, *traced.hops), _HOOK, root, _HOOK, doubts=traced.doubts)


def _is_not_read(owner: AbstractValue, linker: LinkedProgram) -> bool:
    """Whether an object is unknown, or comes from a library: a loader that is seen is followed from where it is
    made."""
    match owner:
        case ExternalValue():
            return True
        case ExternalResult(path=path):
            return linker.catalog.boundary(path) is None
        case _:
            return is_indefinite(owner)
