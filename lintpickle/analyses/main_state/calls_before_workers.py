"""Functions that both the main process and workers call: where the former does so before it starts these."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.main_setters import Setter, is_before_workers
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode


def calls_before_workers(function: FunctionFacts, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    """The calls of a function by code that no worker runs, before the last start of workers there: what the function
    changes, each of them changes for certain."""
    for root, span in calls_by_main(function, code, linker, asker):
        if is_before_workers(span, root.function, linker):
            yield Setter(root.frame.module, root.function, span, True)
