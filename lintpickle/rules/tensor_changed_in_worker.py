from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.shared_tensors import SharedKind
from lintpickle.analyses.lost_changes.tensors_given import given_at, shared_changes
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import PICKLED_ON_START, Hazard, Hop, Linker, Rule, WorkerCode

_CHANGED = {
    SharedKind.TENSOR: "the tensor `{}`",
    SharedKind.TENSORS: "a tensor of `{}`",
    SharedKind.MODULE: "the weights of `{}`",
}


class TensorChangedInWorker(Rule):
    """A tensor, or a torch module, that a worker is given at its start and changes: unless forked, others see that."""

    code = "LP228"
    name = "tensor-changed-in-worker"
    start_methods = PICKLED_ON_START
    message = (
        "`{function}` runs in workers and changes {changed}: under fork a copy of its own, but where it is pickled, "
        "torch moves it to shared memory, and {reader} {finds} it changed"
    )
    help = (
        "change a `clone()` (of a module, a `copy.deepcopy`) in the worker; or call `share_memory_()` before the start"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in shared_changes(code, linker):
            assert code.boundary is not None
            given = given_at(code.boundary, linker).site
            yield Hazard(
                site=found.site,
                noun="changed here",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function.facts.name,
                    "changed": _CHANGED[found.kind].format(found.name),
                    "reader": found.reader,
                    "finds": "find" if found.reader.endswith("processes") else "finds",
                },
                hops=(*found.function.hops, Hop(f"`{found.name}` is given to the worker here", given)),
            )
