from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.barriers_missed import BarrierMissed, barriers_missed
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode

_COUNTS_MORE = "count only those that wait: one less, if the main process does not wait itself"


class BarrierNotReached(Rule):
    """A barrier that counts a worker which does not come to `wait()`."""

    code = "LP314"
    name = "barrier-not-reached"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = "{what}: {error}"
    help = "wait on this way, too, or call `{barrier}.abort()` there, or count only those that wait"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in barriers_missed(code, linker):
            made = Hop(f"it is made for `{found.parties}` here", found.made)
            yield Hazard(
                site=found.site,
                noun="counts one too many" if found.way is None else "does not wait on this way",
                error="the workers wait for ever" if found.way is None else "the others wait for ever",
                confidence=Confidence.LIKELY,
                data={"what": _what(found)},
                help=_COUNTS_MORE if found.way is None else BarrierNotReached.help.format(barrier=found.barrier),
                hops=(*found.function.hops, *(() if found.way is None else (made,))),
            )


def _what(found: BarrierMissed) -> str:
    function = found.function.facts.qualname
    if found.way is None:
        return (
            f"`{found.barrier}` counts `{found.parties}` that wait, which is one more than the workers, that run "
            f"`{function}`, and the main process does not wait"
        )
    goes = found.way.what_happens
    return f"`{function}` runs in a worker that `{found.barrier}` counts, and {goes} without `{found.waits}()`"
