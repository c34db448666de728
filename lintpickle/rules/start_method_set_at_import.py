from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Attribute,
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

_NAME = "set_start_method"
_PATHS = frozenset({f"multiprocessing.{_NAME}", f"torch.multiprocessing.{_NAME}"})
_HANDLED = ("get_start_method", "try:", "suppress(", "current_process", "parent_process")
"""Words of code that handles the error of setting the start method, or avoids it."""


class StartMethodSetAtImport(Rule):
    """The start method set again: at import, in every worker, or twice in a process without `force`."""

    code = "LP205"
    name = "start-method-set-at-import"
    start_methods = ALL_START_METHODS
    message = "`{call}` {why}: {error}"
    help = 'set it once, under `if __name__ == "__main__":`, or use `multiprocessing.get_context(...)`'
    words = frozenset({"set_start_method"})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        frame, facts = root.frame, root.function
        calls = [
            event
            for event in facts.events
            if isinstance(event, Called) and _sets(event.call, frame, linker) and not _forced(event.call)
        ]
        text = frame.module.code[facts.span.start : facts.span.end]
        if not calls or any(word in text for word in _HANDLED) or frame.module.document.cells is not None:
            return
        if facts.is_module_body:
            for event in calls:
                if not event.main_guard and not _is_fork(event.call, frame, linker):
                    yield _hazard(event, frame, "runs again in every worker, whose start method is already set")
        always = [event for event in calls if not event.conditional]
        for event in always[1:]:
            yield _hazard(event, frame, "comes after the start method has been set")


def _hazard(event: Called, frame: Frame, why: str) -> Hazard:
    module, span = frame.module, event.call.span
    return Hazard(
        site=Site(module, span),
        noun="the start method is set",
        error="RuntimeError: context has already been set",
        data={"call": " ".join(module.document.text[span.start : span.end].split()), "why": why},
    )


def _sets(call: Call, frame: Frame, linker: Linker) -> bool:
    if isinstance(call.function, Attribute) and call.function.name != _NAME:
        return False
    return resolves_to(call.function, frame, linker, _PATHS)


def _forced(call: Call) -> bool:
    """Whether `force` may be passed, with which there is no error."""
    if call.keyword("force") is not None or call.has_unknown_arguments():
        return True
    return len(call.positional() or ()) > 1


def _is_fork(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether the method is fork, or None: such workers do not import the script again."""
    values = [call.keyword("method"), *(call.positional() or ())]
    traced = [each.value for v in values if v is not None for each in linker.evaluate(v, frame)]
    return any(isinstance(value, ConstantValue) and value.value in ("fork", None) for value in traced)
