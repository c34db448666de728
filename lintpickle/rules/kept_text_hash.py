from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pickle_hooks.stale_hashes import stale_hashes
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, WorkerCode

_THERE = "to workers that make `{}` themselves"
_BACK = "from workers to the main process, which makes `{}` itself"


class KeptTextHash(Rule):
    """An object that keeps the hash of a text and crosses to workers, which make equal ones with another hash."""

    code = "LP621"
    name = "kept-text-hash"
    message = (
        "`{class_}.{attribute}` keeps {what} and crosses {sides}: each process has its own seed for the hashes of "
        "texts, unless `PYTHONHASHSEED` is set, so equal objects do not find each other in sets and dictionaries"
    )
    help = "take the hash in `__hash__`, or leave it out in `__getstate__` and take it anew in `__setstate__`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker):
            return
        for found in stale_hashes(code, linker):
            kept = found.kept
            made = "the main process makes one here" if found.is_sent_back else "workers make one here"
            yield Hazard(
                site=kept.site,
                noun="taken here",
                error=None,
                confidence=Confidence.LIKELY if found.is_sure else Confidence.POSSIBLE,
                data={
                    "class_": kept.class_.facts.name,
                    "attribute": kept.attribute,
                    "what": "the hash of a text" if found.is_sure else "what may be the hash of a text",
                    "sides": (_BACK if found.is_sent_back else _THERE).format(kept.class_.facts.name),
                },
                hops=(*found.crossing.hops, *found.hops, Hop(made, found.made)),
            )
