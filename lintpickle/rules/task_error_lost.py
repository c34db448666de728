from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.errors_met import ErrorMet, error_met
from lintpickle.analyses.results.errors_raised import error_of_callee, error_raised
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    WorkerCode,
    is_result_dropped,
)


class TaskErrorLost(Rule):
    """A task that raises an error of its own, or by what it reads, and whose result nobody asks for."""

    code = "LP234"
    name = "task-error-lost"
    start_methods = ALL_START_METHODS
    message = "nobody asks for the result of `{method}`: where `{function}` raises {error_name}, the error is lost"
    help = "keep what it returns and call `{ask}`, {or_else}"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None or not is_result_dropped(boundary, linker.first_party):
            return
        raised = _error_raised(code, linker) or error_met(code, linker)
        if raised is None:
            return
        is_pool = boundary.spec.kind == "pool"
        or_else = "or pass an `error_callback`" if is_pool else "or use `add_done_callback`"
        yield Hazard(
            site=boundary.site,
            noun="its result is dropped",
            error=None,
            confidence=Confidence.LIKELY,
            data={
                "method": boundary.spec.name,
                "function": raised.function.facts.name,
                "error_name": f"`{raised.name}`" if raised.name else "an error",
            },
            hops=(*boundary.hops, Hop(_does(raised), raised.site)),
            help=_help_of(boundary.spec.name, is_pool, or_else),
            cause=f"{boundary.site.module.path}:{boundary.site.span.start}",
        )


def _error_raised(code: WorkerCode, linker: Linker) -> ErrorMet | None:
    """What the function of a task raises by a statement of its own, or of a function that it calls."""
    for function in code.functions:
        found = error_raised(function) if function.is_begun_with and function.module.first_party else None
        if found is not None:
            return ErrorMet(found[0], function, Site(function.module, found[1]))
    called = error_of_callee(code, linker)
    return ErrorMet(called[0], called[1], Site(called[1].module, called[2])) if called is not None else None


def _does(raised: ErrorMet) -> str:
    return f"raises {raised.name} in the worker" if raised.name else "runs in the worker"


def _help_of(method: str, is_pool: bool, or_else: str) -> str:
    if method in ("imap", "imap_unordered", "map"):
        return "go through what it returns (`list(…)`): that raises the error"
    return TaskErrorLost.help.format(ask="get()" if is_pool else "result()", or_else=or_else)
