from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.attributes_of_sent_tensors import attributes_of_sent_tensors
from lintpickle.analyses.results.attributes_of_tensors import attributes_of_tensors
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    WorkerCode,
)

_ASKED = ", so that what asks for it there finds none"
_SENT_BACK = "`{}` sets `{}` on a tensor that a worker sends back"
_SENT_THERE = "`{}` is set on `{}.{}`, a tensor that workers are sent"


class TensorAttributeLost(Rule):
    """An attribute set on a tensor that a worker is sent, or sends back, and that is read on the other side."""

    code = "LP617"
    name = "tensor-attribute-lost"
    start_methods = ALL_START_METHODS
    message = "{what}: torch sends the numbers of a tensor and no attributes{then}{error}"
    help = "return the value beside the tensor, in a tuple or dict"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        yield from _sent_back(code, linker)
        if code.root.is_always_pickled or not is_forked(code.root, linker):
            yield from _sent_there(code, linker)


def _sent_back(code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
    for found in attributes_of_tensors(code, linker):
        yield Hazard(
            site=Site(found.function.module, found.span),
            noun="set in the worker",
            error=None if found.is_asked else f"AttributeError: 'Tensor' object has no attribute '{found.attribute}'",
            confidence=Confidence.LIKELY,
            data={
                "what": _SENT_BACK.format(found.function.facts.qualname, found.attribute),
                "then": _ASKED if found.is_asked else ": ",
            },
            hops=(*found.function.hops, Hop("read in the main process", found.read)),
        )


def _sent_there(code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
    for found in attributes_of_sent_tensors(code, linker):
        yield Hazard(
            site=found.site,
            noun="set in the main process",
            error=None,
            confidence=Confidence.LIKELY,
            data={"what": _SENT_THERE.format(found.attribute, found.owner, found.held), "then": _ASKED},
            help="keep the value in the module, by the names of its parameters, or set the attribute in the worker",
            hops=(*found.function.hops, Hop("asked for in the worker", found.read)),
            start_methods=PICKLED_ON_START,
        )
