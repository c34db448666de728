from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.unshared_flags import UnsharedFlag, unshared_flags
from lintpickle.analyses.waiting.unshared_objects import UnsharedObject, unshared_objects
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
        for flag in unshared_flags(code, linker):
            yield _hazard(flag, self.help.format(flag=flag.written), "its own copy")
        for waiting in unshared_objects(code, linker):
            shared = waiting.made.rpartition(".")[2].replace("LifoQueue", "Queue").replace("PriorityQueue", "Queue")
            help_ = f"make `{waiting.written}` a `multiprocessing.{shared}`, which both share"
            yield _hazard(waiting, help_, "its own", (StartMethod.FORK,))


def _hazard(
    found: UnsharedFlag | UnsharedObject,
    help_: str,
    changing: str,
    start_methods: tuple[StartMethod, ...] | None = None,
) -> Hazard:
    return Hazard(
        site=Site(found.function.module, found.test),
        noun="asked in the process",
        error=_ERROR,
        confidence=Confidence.LIKELY,
        data={
            "function": found.function.facts.qualname,
            "flag": found.written,
            "change": excerpt_at(found.changed, 40),
        },
        help=help_,
        hops=(
            *found.function.hops,
            Hop(f"the main process changes {changing} here", found.changed),
            Hop("it waits for the end of the process here", found.joined),
        ),
        start_methods=start_methods,
    )
