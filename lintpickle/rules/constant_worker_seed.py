from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.loader_arguments import is_loader
from lintpickle.analyses.random_numbers.seeds import (
    FRESH,
    HIGH_HALF,
    Seeding,
    WorkerInit,
    is_overflow,
    seedings,
    worker_init,
    written,
)
from lintpickle.diagnostics import Applicability, Confidence, Edit, Fix
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Linker, Rule, import_edit

_OVERFLOW = "OverflowError: Python integer 4294967296 out of bounds for uint32"

_OF_EVALUATION = frozenset({"val", "valid", "validation", "eval", "evaluation", "test"})


class ConstantWorkerSeed(Rule[Seeding]):
    """A `worker_init_fn` that seeds a generator with the same number in every worker."""

    code = "LP303"
    name = "constant-worker-seed"
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = "`{call}` in a worker_init_fn {what}"
    help = "derive the seed from `torch.initial_seed() % 2**32`, which differs between workers and epochs"
    words = frozenset({"worker_init_fn"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard[Seeding]]:
        if not is_loader(call) or not linker.boundaries.crosses(call):
            return
        for traced in linker.boundaries.values(call, "worker_init_fn"):
            init = worker_init(traced.value, linker)
            for seeding in seedings(init.function, init.frame, linker) if init is not None else ():
                what, error = _judge(seeding, init.worker if init is not None else None)
                if what:
                    yield Hazard(
                        site=seeding.place,
                        noun="the seed",
                        error=error,
                        data={"call": written(seeding.place), "what": what},
                        confidence=Confidence.POSSIBLE if init is not None and _repeats_on_purpose(init) else None,
                        hops=traced.hops,
                        subject=seeding,
                    )

    def fix(self, hazard: Hazard[Seeding]) -> Fix | None:
        """Derive the seed from torch's seed of the worker, if the call contains the seed."""
        seeding = hazard.subject
        text, where, inner = hazard.site.module.document.text, seeding.call.span, seeding.value.span
        plain = seeding.path in ("numpy.random.seed", "random.seed") and seeding.direct
        if not plain or len(seeding.call.arguments) != 1 or not where.contains(inner):
            return None
        found = import_edit(text, "torch", None, before=where.start)
        if found is None:
            return None
        edit, torch = found
        seed = Edit(inner, f"{torch}.initial_seed() % 2**32")
        edits = tuple(sorted(each for each in (edit, seed) if each is not None))
        return Fix("Derive the seed from torch's seed of the worker", Applicability.UNSAFE, edits, is_the_help=True)


def _repeats_on_purpose(init: WorkerInit) -> bool:
    """Whether it is called like one for loaders of which each pass should be the same."""
    return not _OF_EVALUATION.isdisjoint(init.function.facts.name.lower().split("_"))


def _judge(seeding: Seeding, worker: str | None) -> tuple[str, str | None]:
    """What is wrong with a seed ("" if nothing is), and the run-time error, if there is one."""
    if FRESH in seeding.origins:
        return "", None
    if is_overflow(seeding):
        return f"fails with NumPy 2: {_OVERFLOW}", _OVERFLOW
    if worker is not None and worker in seeding.origins:
        return "", None
    if HIGH_HALF in seeding.origins:
        return "gives every worker the same random numbers: the division leaves out the worker's number", None
    return "gives every worker the same random numbers", None
