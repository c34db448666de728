from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.batch_samplers import batch_sampler_name, expects_lists
from lintpickle.analyses.loaders.loader_arguments import Unsaid, is_loader, keyword_arguments, literal
from lintpickle.diagnostics import Applicability, Edit, Fix
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    Hazard,
    Linker,
    Rule,
)

_CONFLICTS = {"batch_size": 1, "shuffle": False, "drop_last": False}


class BatchSamplerAsSampler(Rule[BoundaryCall]):
    """A batch sampler passed as `sampler=`: each list of indices counts as one index."""

    code = "LP401"
    name = "batch-sampler-as-sampler"
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = (
        "`{sampler}` yields lists of indices but is passed as `sampler=`, where each list counts as one index: {error}"
    )
    help = "pass it as `batch_sampler=`, or keep `sampler=` and add `batch_size=None`"
    words = frozenset({"sampler", "Sampler"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard[BoundaryCall]]:
        if not is_loader(call) or literal(call, "batch_size", linker) in (None, Unsaid.UNSURE):
            return
        values = call.value("sampler", linker.evaluator)
        names = [batch_sampler_name(traced.value, linker) for traced in values]
        if values and names[0] and all(names) and not expects_lists(call, linker):
            yield Hazard(
                site=call.site,
                noun="the loader",
                error="TypeError: list indices must be integers or slices, not list",
                data={"sampler": names[0]},
                subject=call,
            )

    def fix(self, hazard: Hazard[BoundaryCall]) -> Fix | None:
        """Rename the keyword and remove nothing: there is no fix if another argument conflicts."""
        call = hazard.subject
        if call.open or "batch_sampler" in call.arguments or _CONFLICTS.keys() & call.arguments:
            return None
        sampler = keyword_arguments(call).get("sampler")
        if sampler is None:
            return None
        edit = Edit(sampler.name, "batch_sampler")
        return Fix("Pass it as `batch_sampler`", Applicability.UNSAFE, (edit,))
