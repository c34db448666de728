from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.causes_of_errors import CAUSE, causes_asked
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode

_TEXT = "it is the worker's traceback as text"
_NONE = "it is None"


class CauseOfWorkerError(Rule):
    """An error that came back from a worker, and that the main process asks for what caused it (`__cause__`)."""

    code = "LP249"
    name = "cause-of-worker-error"
    start_methods = ALL_START_METHODS
    message = (
        "`{written}` asks for the `{attribute}` of an error that a worker raised, which does not come back with it: "
        "{instead}{error}"
    )
    help = (
        "decide in the worker, by a class of its own for such an error, or keep the cause in an attribute of the error"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in causes_asked(code, linker):
            instead = _TEXT if found.attribute == CAUSE else _NONE
            yield Hazard(
                site=found.site,
                noun="asked for its cause",
                error=found.error,
                data={
                    "written": found.written,
                    "attribute": found.attribute,
                    "instead": instead + (": " if found.error is not None else ""),
                },
                hops=(Hop("the worker raises the error", found.raised),),
            )
            return
