from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.at_import.fresh_reads import FreshRead, fresh_read
from lintpickle.analyses.at_import.taken_at_import import TakenRead, taken_read
from lintpickle.analyses.main_state.main_globals import TELLS_PROCESSES_APART
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.analyses.workers.worker_starts import are_started_unguarded
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import PICKLED_ON_START, Hazard, Hop, Linker, Rule, Site, WorkerCode


class FreshValueInWorker(Rule):
    """An id, temporary folder, time or random number that a module makes at import: each worker has another one."""

    code = "LP214"
    name = "fresh-value-in-worker"
    of_functions = True
    message = (
        "`{function}` runs in workers and uses `{what}`, which `{module}` gets from `{call}` at import: "
        "each worker has {fresh}"
    )
    help = "make it in the main process, and pass it as an argument or through an `initializer`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker) or are_started_unguarded(code, linker):
            return
        for read in fresh_read(code, linker):
            is_of_each = TELLS_PROCESSES_APART.search(read.written.rpartition(".")[2]) is not None
            is_shared = read.is_of_main and not is_of_each and (read.fresh.is_text or not read.fresh.spec.seldom)
            is_sure = (is_shared or linker.moving_to is not None) and not read.fresh.is_doubted
            yield _hazard(read, Confidence.LIKELY if is_sure else Confidence.POSSIBLE)
        for taken in taken_read(code, linker):
            yield _of_outside(taken)


def _of_outside(read: TakenRead) -> Hazard:
    function, setting = read.function, read.setting
    where = f"by `{setting.setter.name}()`" if setting.setter is not None else setting.where
    return Hazard(
        site=Site(function.module, read.span),
        noun="used in the worker",
        error=None,
        confidence=setting.confidence,
        data={
            "function": function.facts.name,
            "what": read.written,
            "module": read.home.name or "the script",
            "call": read.taken.written,
            "fresh": f"what is there by then, which is changed {where}",
        },
        hops=(
            *function.hops,
            Hop("every process reads it here", Site(read.home, read.taken.span)),
            Hop("the main process changes it here", setting.site),
        ),
        start_methods=read.only,
    )


def _hazard(read: FreshRead, confidence: Confidence) -> Hazard:
    function, fresh = read.function, read.fresh
    return Hazard(
        site=Site(function.module, read.span),
        noun="used in the worker",
        error=None,
        confidence=confidence,
        data={
            "function": function.facts.name,
            "what": read.written,
            "module": read.home.name or "the script",
            "call": fresh.written,
            "fresh": fresh.spec.what,
        },
        hops=(*function.hops, Hop("every process makes it here", Site(read.home, fresh.span))),
        start_methods=PICKLED_ON_START,
    )
