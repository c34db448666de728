from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.unshared_flags import unshared_flags
from lintpickle.analyses.waiting.unshared_objects import unshared_objects
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at

_ERROR = "the process never ends, and `join()` waits for ever"


class UnsharedStopFlag(Rule):
    """A loop of a process that ends by an attribute, which only the main process changes: in its own copy."""

    code = "LP237"
    name = "unshared-stop-flag"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in a process and goes on until `{flag}` changes, but `{change}` changes it in the main "
        "process only, which has its own copy: {error}"
    )
    help = "make `{flag}` a `multiprocessing.Event`, which both share; or send the process a message to end"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in unshared_flags(code, linker):
            yield Hazard(
                site=Site(found.function.module, found.test),
                noun="asked in the process",
                error=_ERROR,
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function.facts.qualname,
                    "flag": found.written,
                    "change": excerpt_at(found.changed, 40),
                },
                help=self.help.format(flag=found.written),
                hops=(
                    *found.function.hops,
                    Hop("the main process changes its own copy here", found.changed),
                    Hop("it waits for the end of the process here", found.joined),
                ),
            )
        for waiting in unshared_objects(code, linker):
            shared = waiting.made.rpartition(".")[2].replace("LifoQueue", "Queue").replace("PriorityQueue", "Queue")
            yield Hazard(
                site=Site(waiting.function.module, waiting.test),
                noun="asked in the process",
                error=_ERROR,
                confidence=Confidence.LIKELY,
                data={
                    "function": waiting.function.facts.qualname,
                    "flag": waiting.written,
                    "change": excerpt_at(waiting.changed, 40),
                },
                help=f"make `{waiting.written}` a `multiprocessing.{shared}`, which both share",
                hops=(
                    *waiting.function.hops,
                    Hop("the main process changes its own here", waiting.changed),
                    Hop("it waits for the end of the process here", waiting.joined),
                ),
                start_methods=(StartMethod.FORK,),
            )
