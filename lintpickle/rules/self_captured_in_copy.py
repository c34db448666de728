from __future__ import annotations

from collections.abc import Iterable

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
    """A function on a module that captures `self`: in a deep copy of the module, it still uses the original."""

    code = "LP120"
    name = "self-captured-in-copy"
    value_types = (FunctionValue,)
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    message = "`{excerpt}`, {held}, captures `{me}`: after `copy.deepcopy` it still uses the original's weights"
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
        if linker.classes.kind(holder) not in MODULE_KINDS:
            return
        copied = crossing.root.spec is not None and crossing.root.kind == "deepcopy"
        if not copied and crossing.root.spec is not None:
            return
        around = value.frame.function if value.frame is not None else None
        me = around.parameters[0].name if around is not None and around.parameters else None
        bound = value.frame.bindings.get(me) if value.frame is not None and me is not None else None
        if me is None or bound is None or bound.value is not holder or me not in value.facts.captures:
            return
        yield Hazard(
            site=crossing.site,
            noun="it captures the original",
            error=None,
            data={"excerpt": excerpt_of(crossing), "held": how_held(crossing), "me": me},
            confidence=None if copied else Confidence.POSSIBLE,
        )
