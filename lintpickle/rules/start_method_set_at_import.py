from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.default_contexts import SET_ALREADY, is_prepared, sets_start_method
from lintpickle.rules.authoring import (
    Call,
    Called,
    ConstantValue,
    Frame,
    Hazard,
    Linker,
    RootFrame,
    Rule,
    Site,
)


class StartMethodSetAtImport(Rule):
    """The start method set at import, which every worker does again."""

    code = "LP205"
    name = "start-method-set-at-import"
    message = "`{call}` runs again in every worker, whose start method is already set: {error}"
    help = 'set it once, under `if __name__ == "__main__":`, or use `multiprocessing.get_context(...)`'
    words = frozenset({"set_start_method"})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        frame, module = root.frame, root.frame.module
        if not root.function.is_module_body or module.document.cells is not None:
            return
        for event in root.function.events:
            if not isinstance(event, Called) or event.main_guard or not sets_start_method(event.call, frame, linker):
                continue
            if not is_prepared(event.call, frame) and not _is_fork(event.call, frame, linker):
                span = event.call.span
                text = " ".join(module.document.text[span.start : span.end].split())
                yield Hazard(Site(module, span), "the start method is set", SET_ALREADY, {"call": text})


def _is_fork(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether the method is fork, or None: such workers do not import the script again."""
    values = [call.keyword("method"), *(call.positional() or ())]
    traced = [each.value for v in values if v is not None for each in linker.evaluate(v, frame)]
    return any(isinstance(value, ConstantValue) and value.value in ("fork", None) for value in traced)
