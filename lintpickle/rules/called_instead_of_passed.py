from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.given_instead import TYPE_OF_NONE, type_given
from lintpickle.catalog import INITIALIZER
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Call, Hazard, Linker, Rule, Site
from lintpickle.rules.base import excerpt_at

_FAILS = "TypeError: '{type}' object is not callable"
_UNDONE = "no worker runs it"
_OUTCOMES = {
    "target": "the new process does nothing",
    **dict.fromkeys((INITIALIZER, "loop_initializer", "worker_init", "worker_init_fn", "worker_exit"), _UNDONE),
    "collate_fn": "the default one is used",
}
"""What becomes of a call that gets None for a function which it may do without."""


class CalledInsteadOfPassed(Rule):
    """A function that is called where it should be passed: the main process runs it, and the workers get its result."""

    code = "LP248"
    name = "called-instead-of-passed"
    start_methods = ALL_START_METHODS
    message = (
        "`{written}` calls the function here, in the main process, and passes what it returns, {given}, as `{role}` of "
        "`{boundary}`: {outcome}"
    )
    help = "pass the function itself, without the parentheses, and its arguments apart"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        for role in call.spec.functions:
            bound = call.arguments.get(role)
            if bound is None or not isinstance(bound.expr, Call) or bound.frame is not call.frame:
                continue
            given = type_given(bound.expr, call.frame, linker)
            if given is not None:
                site = Site(call.frame.module, bound.expr.span)
                is_nothing = given == TYPE_OF_NONE
                is_optional = is_nothing and role in _OUTCOMES and call.spec.kind != "spawn"
                error = _FAILS.format(type=given)
                yield Hazard(
                    site=site,
                    noun="called here",
                    error=None if is_optional else error,
                    data={
                        "written": excerpt_at(site, 40),
                        "role": role,
                        "given": "None" if is_nothing else f"a `{given}`",
                        "boundary": call.spec.name,
                        "outcome": _OUTCOMES[role] if is_optional else error,
                    },
                    hops=call.hops,
                )
