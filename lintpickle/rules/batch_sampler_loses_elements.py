from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.batch_samplers import SAMPLER_KINDS
from lintpickle.analyses.loaders.lost_elements import Loss, LostElements, lost_elements
from lintpickle.rules.authoring import ALL_START_METHODS, ClassValue, Hazard, Linker, Rule, Site

_WHAT = {
    Loss.OVERFLOW: "the element that does not fit into the batch is dropped, once per batch",
    Loss.LAST: "the elements collected after the last full batch are never yielded",
}


class BatchSamplerLosesElements(Rule):
    """A batch sampler that drops the element that overflows a batch, or never yields the last batch."""

    code = "LP406"
    name = "batch-sampler-loses-elements"
    start_methods = ALL_START_METHODS
    message = "`{where}` loses elements: {what}"
    words = frozenset({"Sampler"})
    class_kinds = frozenset(SAMPLER_KINDS)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        if linker.classes.kind(class_) not in SAMPLER_KINDS:
            return
        for found in lost_elements(class_):
            yield Hazard(
                site=Site(class_.module, found.place),
                noun="the batch",
                error=None,
                data={"where": f"{class_.facts.name}.__iter__", "what": _WHAT[found.loss]},
                help=_help(found),
            )


def _help(found: LostElements) -> str:
    if found.loss is Loss.OVERFLOW:
        return f"start the next batch with the element, as in `{found.batch} = [{found.element}]`"
    return f"after the loop: `if {found.batch}: yield {found.batch}`"
