from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.loader_arguments import Unsaid, is_loader, literal
from lintpickle.analyses.random_numbers.draws import leave_alone
from lintpickle.analyses.random_numbers.seeds import FRESH, HIGH_HALF, is_overflow, seedings, worker_init, written
from lintpickle.diagnostics import Severity
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Rule, WorkerCode


class WorkerSeedRepeats(Rule):
    """A `worker_init_fn` that seeds a generator only from the worker's number: every epoch repeats the first."""

    code = "LP308"
    name = "worker-seed-repeats"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    message = (
        "`{call}` in a worker_init_fn depends only on the worker's number: every epoch draws the same random "
        "numbers again"
    )
    help = "derive the seed from `torch.initial_seed() % 2**32`, which differs between workers and epochs"
    words = frozenset({"worker_init_fn"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        call = code.boundary
        if call is None or not is_loader(call):
            return
        # Workers that live on are initialised once.
        if literal(call, "persistent_workers", linker) not in (False, Unsaid.MISSING):
            return
        for traced in linker.boundaries.values(call, "worker_init_fn"):
            init = worker_init(traced.value, linker)
            for seeding in seedings(init.function, init.frame, linker) if init is not None else ():
                if init is None or init.worker not in seeding.origins or {FRESH, HIGH_HALF} & seeding.origins:
                    continue
                if init.changing & seeding.origins or is_overflow(seeding) or leave_alone(seeding.path, code, linker):
                    continue
                yield Hazard(
                    site=seeding.place,
                    noun="the seed",
                    error=None,
                    data={"call": written(seeding.place)},
                    hops=(*call.hops, *traced.hops),
                )
                break
