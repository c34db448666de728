"""Objects of modules by which a worker talks with processes that it starts itself: it gives them its own object
(`Process(target=notify, args=(messages,))`), which they then share with it, and the main process uses its own nowhere.

Measured with CPython 3.11 under fork, spawn and forkserver: what the worker puts into the queue arrives there."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.workers.seen_workers import all_run_in_workers
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_HANDS_ON = frozenset({"process", "spawn"})


def is_handed_on_by_worker(owner: Owner, code: WorkerCode, linker: Linker) -> bool:
    """Whether a worker gives the object to a process that it starts, and nothing but workers uses it."""
    own = frozenset(id(each.facts) for each in code.functions)
    named = re.compile(rf"\b{re.escape(owner.name)}\b")
    starts = (each for each in linker.boundary_calls() if each.spec.kind in _HANDS_ON)
    if not any(id(each.frame.function) in own and _is_given(named, each) for each in starts):
        return False
    asker = code.root.site.module.path
    return all(
        id(root.function) in all_run_in_workers(linker) or _defines(root, owner)
        for root in linker.activations_with({owner.name}, named, asker)
    )


def _defines(root: RootFrame, owner: Owner) -> bool:
    """Whether it is the statement that makes the object, or defines what is judged by itself."""
    block = root.frame.module.outline.block_at(root.function.span.start) if root.function.is_module_body else None
    return block is not None and (block is owner.block or block.is_class or block.defines_function)


def _is_given(named: re.Pattern[str], start: BoundaryCall) -> bool:
    return named.search(start.frame.module.code, start.call.span.start, start.call.span.end) is not None
