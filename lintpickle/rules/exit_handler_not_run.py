from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.exit_handlers import lost_handlers
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Rule, Site, WorkerCode

_FORKED = (StartMethod.FORK, StartMethod.FORKSERVER)
_EXITED = "a forked worker does not, up to Python 3.12"
_TERMINATED = "leaving the `with` of a pool terminates its workers"


class ExitHandlerNotRun(Rule):
    """A handler that is registered with `atexit` in workers that never come to it, to write what they have gathered."""

    code = "LP224"
    name = "exit-handler-not-run"
    of_absence = True
    start_methods = ALL_START_METHODS
    of_functions = True
    message = (
        "`{function}` runs in workers and leaves it to `atexit` to call `{handler}`: {why}, and what is left in "
        "`{filled}` is lost"
    )
    help = "call it where the worker's function ends (`try: … finally:`), or make the object a context manager"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for lost in lost_handlers(code, linker):
            yield Hazard(
                site=Site(lost.function.module, lost.span),
                noun="registered in the worker",
                error=None,
                confidence=Confidence.LIKELY,
                start_methods=ALL_START_METHODS if lost.is_terminated else _FORKED,
                data={
                    "function": lost.function.facts.qualname,
                    "handler": lost.handler,
                    "filled": lost.filled,
                    "why": _TERMINATED if lost.is_terminated else _EXITED,
                },
                hops=lost.function.hops,
            )
