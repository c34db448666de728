from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.loops import epoch_loop
from lintpickle.analyses.loaders.loader_arguments import is_loader
from lintpickle.diagnostics import Severity
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    Call,
    Called,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    Hazard,
    Hop,
    Linker,
    RootFrame,
    Rule,
    Site,
)

_SAMPLER = "DistributedSampler"
_TORCH = re.compile(r"torch\.utils\.data\.(distributed\.)?DistributedSampler")


class MissingSetEpoch(Rule):
    """A training loop over a loader with a DistributedSampler that never calls `set_epoch`."""

    code = "LP408"
    name = "missing-set-epoch"
    of_absence = True
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    message = (
        "the loop iterates `{loader}` without `set_epoch` on its DistributedSampler: every epoch has the same order"
    )
    help = "call `sampler.set_epoch(epoch)` at the start of each epoch"
    words = frozenset({_SAMPLER, "Loader("})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        function, module = root.function, root.frame.module
        if function.is_module_body or "set_epoch" in module.code:
            return
        for event in function.events:
            if not isinstance(event, Called):
                continue
            for call in linker.boundaries.match(event.call, root.frame, event):
                if not is_loader(call) or not _is_shuffled(call, linker):
                    continue
                loop = epoch_loop(event.call, function, module)
                if loop is not None:
                    made = Hop("makes the loader", Site(module, event.call.span))
                    yield Hazard(Site(module, loop.iterated), "the loop", None, {"loader": loop.loader}, (made,))


def _is_shuffled(call: BoundaryCall, linker: Linker) -> bool:
    """Whether the sampler, where there is one, is torch's DistributedSampler and shuffles."""
    values = (traced.value for traced in call.value("sampler", linker.evaluator))
    made = [_made_by(value) for value in values if not (isinstance(value, ConstantValue) and value.value is None)]
    return bool(made) and all(
        each is not None and not _is_off(each.keyword("shuffle"), call) and len(each.positional() or ()) < 4
        for each in made
    )


def _made_by(value: object) -> Call | None:
    match value:
        case ContainerValue(kind="DistributedSampler", call=call):
            return call
        case ExternalResult(path=path, call=call) if _TORCH.fullmatch(path):
            return call
        case _:
            return None


def _is_off(shuffle: object, call: BoundaryCall) -> bool:
    return shuffle is not None and getattr(shuffle, "value", None) is not True
