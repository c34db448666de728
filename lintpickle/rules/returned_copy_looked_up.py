from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.copies_looked_up import copies_looked_up
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode

_LEFT = ", so that it is not found and stays there"
_MISSED = ", so that it is not found"
_SWALLOWED = "; this ends the callback of a task, and `join()` waits for ever: "


class ReturnedCopyLookedUp(Rule):
    """An object that came back from a worker, and that is looked for among those that were sent."""

    code = "LP230"
    name = "returned-copy-looked-up"
    start_methods = ALL_START_METHODS
    message = (
        "`{call}` looks for an object that came back from a worker, but that is a copy, and `{class_}` has no "
        "`__eq__`{then}{error}"
    )
    help = "look for a key of the object (a number or a name), or define `__eq__` and `__hash__`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in copies_looked_up(code, linker):
            silent = _LEFT if found.is_removal else _MISSED
            then = (_SWALLOWED if found.is_callback else ": ") if found.error else silent
            yield Hazard(
                site=found.site,
                noun="looked for here",
                error=found.error or None,
                confidence=Confidence.LIKELY,
                data={"call": found.written, "class_": found.class_name, "then": then},
                hops=(*found.function.hops, Hop("the object that is sent", found.sent)),
            )
