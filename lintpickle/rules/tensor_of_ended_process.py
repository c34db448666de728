from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.ended_senders import tensors_of_ended
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode, excerpt
from lintpickle.rules.base import excerpt_at


class TensorOfEndedProcess(Rule):
    """A tensor that a process puts into a queue, and that is taken when the process has ended."""

    code = "LP241"
    name = "tensor-of-ended-process"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{put}` sends a tensor, and {end}: who takes it asks that process for the memory, so that `{read}` raises "
        "{raised}"
    )
    help = (
        "send an array, a list or a number (`tensor.numpy()`, `tensor.tolist()`), or let the process wait for an event "
        "until all is taken"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in tensors_of_ended(code, linker):
            is_joined = found.join is not None
            ended = f"`{excerpt_at(found.join, 40)}` waits for the end of the process" if found.join is not None else ""
            joined = (Hop("the end of the process is awaited", found.join),) if found.join is not None else ()
            yield Hazard(
                site=found.site,
                noun="put into the queue",
                error=None,
                confidence=None if found.is_sure and is_joined else Confidence.LIKELY,
                data={
                    "put": excerpt(found.site.module, found.put, 40),
                    "end": ended or "the process ends right behind it",
                    "read": excerpt_at(found.read, 40),
                    "raised": "FileNotFoundError or ConnectionRefusedError" if is_joined else "a ConnectionResetError",
                },
                hops=(*found.function.hops, *joined, Hop("taken only here", found.read)),
            )
