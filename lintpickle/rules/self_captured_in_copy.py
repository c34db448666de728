from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pickle_hooks.captured_state import captured_object, reads_no_state, reads_what_changes
from lintpickle.diagnostics import Confidence, Severity
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    LAMBDA,
    LOCAL_FUNCTION,
    MODULE_KINDS,
    Crossing,
    FunctionValue,
    Hazard,
    Linker,
    Rule,
    excerpt_of,
    how_held,
)


class SelfCapturedInCopy(Rule):
    """A function on an object that captures `self`: in a deep copy of the object, it still uses the original."""

    code = "LP120"
    name = "self-captured-in-copy"
    value_types = (FunctionValue,)
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    message = "`{excerpt}`, {held}, captures `{me}`: after `copy.deepcopy` it still uses the original's {what}"
    help = "use a bound method, which is copied with its object"
    marks = frozenset({LAMBDA, LOCAL_FUNCTION})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        value, holder = crossing.value, crossing.holder
        if (
            not isinstance(value, FunctionValue)
            or value.bound is not None
            or not value.facts.is_local
            or holder is None
        ):
            return
        copied = crossing.root.spec is not None and crossing.root.kind == "deepcopy"
        if not copied and crossing.root.spec is not None:
            return
        me = captured_object(value, holder)
        if me is None:
            return
        is_module = linker.classes.kind(holder) in MODULE_KINDS
        if is_module and reads_no_state(value, me, holder, linker):
            return
        if not is_module and not (copied and reads_what_changes(value, me, holder, linker)):
            return
        likely = None if is_module else Confidence.LIKELY
        yield Hazard(
            site=crossing.site,
            noun="it captures the original",
            error=None,
            data={
                "excerpt": excerpt_of(crossing),
                "held": how_held(crossing),
                "me": me,
                "what": "weights" if is_module else "state",
            },
            confidence=likely if copied else Confidence.POSSIBLE,
        )
