from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.exit_handlers import lost_handlers
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Linker, Rule, Site, WorkerCode


class ExitHandlerNotRun(Rule):
    """A handler that is registered with `atexit` in workers that never come to it, to write what they have gathered."""

    code = "LP224"
    name = "exit-handler-not-run"
    of_absence = True
    start_methods = (StartMethod.FORK, StartMethod.FORKSERVER)
    of_functions = True
    message = (
        "`{function}` runs in workers and leaves it to `atexit` to call `{handler}`: a forked worker does not, up to "
        "Python 3.12, and what is left in `{filled}` is lost"
    )
    help = "call it where the worker's function ends (`try: … finally:`), or make the object a context manager"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for lost in lost_handlers(code, linker):
            yield Hazard(
                site=Site(lost.function.module, lost.span),
                noun="registered in the worker",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": lost.function.facts.qualname,
                    "handler": lost.handler,
                    "filled": lost.filled,
                },
                hops=lost.function.hops,
            )
