from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.given_instead import TYPE_OF_NONE, never_returns, type_given
from lintpickle.analyses.calls_and_values.handed_to_base import given_by_caller
from lintpickle.catalog import INITIALIZER
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Call, Hazard, Linker, Rule, Site
from lintpickle.rules.base import excerpt_at

_TARGET, _GROUP, _RUN = "target", "group", "run"
_FAILS = "TypeError: '{type}' object is not callable"
_NO_GROUP = "AssertionError: group argument must be None for now"
_UNDONE = "no worker runs it"
_OUTCOMES = {
    **dict.fromkeys((_TARGET, _GROUP), "the new process does nothing"),
    **dict.fromkeys((INITIALIZER, "loop_initializer", "worker_init", "worker_init_fn", "worker_exit"), _UNDONE),
    "collate_fn": "the default one is used",
}
"""What becomes of a call that gets None for a function which it may do without."""
_NEVER, _STUCK = "nothing ever", "the call does not end, and the program gets no further"


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
        for role, passed in _passed(call, linker):
            given = _NEVER if never_returns(passed, call.frame, linker) else type_given(passed, call.frame, linker)
            if given is None or (role == _GROUP and given == TYPE_OF_NONE and _does_something_else(call, linker)):
                continue
            site = Site(call.frame.module, passed.span)
            is_nothing = given == TYPE_OF_NONE
            is_optional = is_nothing and role in _OUTCOMES and call.spec.kind != "spawn"
            error = _NO_GROUP if role == _GROUP else _FAILS.format(type=given)
            outcome = _STUCK if given == _NEVER else _OUTCOMES[role] if is_optional else error
            yield Hazard(
                site=site,
                noun="called here",
                error=error if outcome == error else None,
                data={
                    "written": excerpt_at(site, 40),
                    "role": role,
                    "given": "None" if is_nothing else given if given == _NEVER else f"a `{given}`",
                    "boundary": call.spec.name,
                    "outcome": outcome,
                },
                hops=call.hops,
            )


def _passed(call: BoundaryCall, linker: Linker) -> Iterator[tuple[str, Call]]:
    """What is passed as the result of a call where functions are taken, each with the name of the parameter: also as
    the first one of a process, where its target should not stand."""
    is_process = call.spec.parameters[:1] == (_GROUP,)
    for role in (_TARGET, _GROUP) if is_process else call.spec.functions:
        passed = given_by_caller(role, call, linker)
        if isinstance(passed, Call):
            yield role, passed


def _does_something_else(call: BoundaryCall, linker: Linker) -> bool:
    """Whether a process has something to do for which it needs no target, or has one."""
    if given_by_caller(_TARGET, call, linker) is not None:
        return True
    return call.callee is not None and linker.classes.find_method(call.callee, _RUN) is not None
