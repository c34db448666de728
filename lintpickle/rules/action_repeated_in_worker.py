from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.at_import.repeated_actions import Repeated, actions_repeated, way_out
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import Expr, Hazard, Hop, Linker, Rule, Site, WorkerCode, excerpt


class ActionRepeatedInWorker(Rule):
    """What a module does at import, which breaks or destroys something when workers import it again."""

    code = "LP215"
    name = "action-repeated-in-worker"
    of_functions = True
    message = "`{call}` runs again when workers import `{module}`: {outcome}"
    help = 'move it under `if __name__ == "__main__":`, or into a function that only the main process calls'

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker):
            return
        for action in actions_repeated(code, linker):
            if action.is_loud or linker.moving_to is not None:
                yield _hazard(action, linker)


def _hazard(action: Repeated, linker: Linker) -> Hazard:
    module, call, left = action.module, action.call, action.left
    site = Site(call.module, call.span)
    return Hazard(
        site=site,
        noun="every worker does it again",
        error=action.error,
        confidence=Confidence.LIKELY if left is None or left.is_sure else Confidence.POSSIBLE,
        data={
            "call": excerpt(call.module, Expr(call.span), 50),
            "module": module.name or "the script",
            "outcome": action.error or action.outcome,
        },
        hops=(
            *(Hop("calls it at import", site) for site in call.around),
            *((Hop("the main process goes to another folder here", left.site),) if left is not None else ()),
        ),
        start_methods=action.start_methods,
        help=way_out(action, linker),
    )
