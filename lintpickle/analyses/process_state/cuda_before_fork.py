"""CUDA before a fork and behind it: the main process uses it, or asks if there is a GPU, and a worker that is forked
after that uses it, too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.happenings import Happening, frames_leading_to, happenings
from lintpickle.analyses.process_state.cuda_uses import asks_for_gpu, may_use_gpu
from lintpickle.analyses.process_state.torch_pools_at_fork import forks
from lintpickle.analyses.waiting.undrained_queues import as_given
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_KINDS = frozenset({"process", "pool", "executor"})
_BY_MANAGER = "PYTORCH_NVML_BASED_CUDA_CHECK"
"""The variable of the environment that lets `torch.cuda.is_available()` leave the driver alone."""


class CudaOnBothSides(Struct, frozen=True):
    """What uses CUDA, or asks for it, in the main process before it forks a worker, and what uses it in a function of
    that. `is_sure` says that no condition which is not decided leads to either."""

    before: Site
    function: WorkerFunction
    behind: Site
    is_sure: bool


class _Use(Struct, frozen=True):
    site: Site
    is_sure: bool


def cuda_on_both_sides(code: WorkerCode, linker: Linker) -> Iterator[CudaOnBothSides]:
    """The first use of CUDA by a worker that fails, if there is one."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not may_be_forked(code, linker):
        return
    own = [as_given(each, boundary) for each in code.functions if each.module.first_party]
    used = ((each, use) for each in own for use in _uses(each.frame, linker))
    found = next(used, None)
    before = _before_fork(boundary, {id(each.facts) for each in own}, linker) if found is not None else None
    if found is not None and before is not None:
        function, behind = found
        yield CudaOnBothSides(before.site, function, behind.site, before.is_sure and behind.is_sure)


def _uses(frame: Frame, linker: Linker) -> Iterator[_Use]:
    for event in frame.function.events:
        if isinstance(event, Called) and may_use_gpu(event.call, frame, linker):
            yield from _as_reached(Happening(event, frame), linker)


def _as_reached(happening: Happening, linker: Linker) -> Iterator[_Use]:
    """A use, unless conditions keep the program from it."""
    is_reached = linker.conditions.reaches(happening.event.span, happening.frame)
    if is_reached is not False:
        yield _Use(happening.site, is_reached is True)


def _before_fork(boundary: BoundaryCall, own: set[int], linker: Linker) -> _Use | None:
    """A use by a function that leads to the worker, before it forks that."""
    asker = boundary.site.module.path
    is_asked = not linker.first_party.is_anywhere(Words({_BY_MANAGER}), asker, re.compile(_BY_MANAGER))
    for frame in frames_leading_to(boundary.frame, linker):
        found = _first(happenings(frame, linker), boundary, own, is_asked, linker)
        if found is not None:
            return found
    return None


def _first(
    happened: Iterator[Happening], boundary: BoundaryCall, own: set[int], is_asked: bool, linker: Linker
) -> _Use | None:
    """The first use before the fork, rather than a question; None where there is no fork."""
    uses: list[_Use] = []
    questions: list[_Use] = []
    for each in happened:
        if not isinstance(each.event, Called):
            continue
        if forks(each.event.call, each.frame, boundary, linker):
            return next(iter((*uses, *questions)), None)
        if id(each.frame.function) in own:
            continue
        if may_use_gpu(each.event.call, each.frame, linker):
            uses += _as_reached(each, linker)
        elif is_asked and asks_for_gpu(each.event.call, each.frame, linker):
            questions += _as_reached(each, linker)
    return None
