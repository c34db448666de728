from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.attributes_of_tensors import attributes_of_tensors
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode

_ASKED = ", so that what asks for it there finds none"


class TensorAttributeLost(Rule):
    """An attribute that a worker sets on a tensor which it sends back, and that the main process reads there."""

    code = "LP617"
    name = "tensor-attribute-lost"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` sets `{attribute}` on a tensor that a worker sends back: torch sends the numbers of a tensor and "
        "no attributes{then}{error}"
    )
    help = "return the value beside the tensor, in a tuple or dict"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in attributes_of_tensors(code, linker):
            yield Hazard(
                site=Site(found.function.module, found.span),
                noun="set in the worker",
                error=None
                if found.is_asked
                else f"AttributeError: 'Tensor' object has no attribute '{found.attribute}'",
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function.facts.qualname,
                    "attribute": found.attribute,
                    "then": _ASKED if found.is_asked else ": ",
                },
                hops=(*found.function.hops, Hop("read in the main process", found.read)),
            )
