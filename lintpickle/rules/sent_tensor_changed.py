from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.pickled_later import TASKS
from lintpickle.analyses.lost_changes.sent_tensor_changes import changed_after_sending
from lintpickle.analyses.lost_changes.shared_tensors import SharedKind
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Hop, Linker, Rule, excerpt

_QUEUE = "queue"
_TASKS = frozenset({"pool", "executor"})


class SentTensorChanged(Rule):
    """A tensor, or the weights of a module, that is changed in place after it was sent by a queue or a pipe."""

    code = "LP253"
    name = "sent-tensor-changed"
    start_methods = ALL_START_METHODS
    message = (
        "{sent} changed in place after `{call}`: torch sends the memory of a tensor, not a copy, so the other process "
        "finds later numbers in what it got"
    )
    help = "send a `clone()` of each tensor (of a state dict, a `copy.deepcopy`)"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        is_task = call.spec.kind in _TASKS and call.spec.name in TASKS
        if not call.is_stock or not (is_task or call.spec.kind == _QUEUE):
            return
        for found in changed_after_sending(call, linker):
            is_tensor = found.kind is SharedKind.TENSOR
            sent = f"`{found.name}` is" if is_tensor else f"the tensors of `{found.name}` are"
            yield Hazard(
                site=found.site,
                noun="sent here",
                error=None,
                confidence=Confidence.LIKELY if found.is_sure else Confidence.POSSIBLE,
                data={"sent": sent, "call": excerpt(found.site.module, found.call, 40)},
                hops=(Hop("changed here", found.change),),
            )
