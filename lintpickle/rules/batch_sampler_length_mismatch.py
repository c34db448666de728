from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.batch_lengths import Miscount, wrong_length
from lintpickle.analyses.loaders.batch_samplers import SAMPLER_KINDS
from lintpickle.diagnostics import Severity
from lintpickle.rules.authoring import ALL_START_METHODS, ClassValue, Hazard, Linker, Rule, Site

_WHAT = {
    Miscount.ELEMENTS: "`__len__` counts elements, `__iter__` yields batches of them",
    Miscount.FULL_BATCHES: "`__len__` does not count the last, smaller batch, but `__iter__` yields it",
}


class BatchSamplerLengthMismatch(Rule):
    """A batch sampler whose `__len__` is not the number of batches that it yields."""

    code = "LP407"
    name = "batch-sampler-length-mismatch"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    message = "`{sampler}`: {what}, so `len(loader)` is wrong"
    help = "count what `__iter__` yields"
    words = frozenset({"Sampler"})
    class_kinds = frozenset(SAMPLER_KINDS)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        found = wrong_length(class_) if linker.classes.kind(class_) in SAMPLER_KINDS else None
        if found is not None:
            yield Hazard(
                site=Site(class_.module, found.returned),
                noun="the length",
                error=None,
                data={"sampler": class_.facts.name, "what": _WHAT[found.counts]},
            )
