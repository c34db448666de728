from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.changes_under_own_locks import changes_under_own_locks
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode

_CHANGED = ("reads and rewrites", "what another worker writes in between is lost")
_APPENDED = ("appends to", "what is longer than a buffer is mixed with what another worker writes")


class FileChangeUnderOwnLock(Rule):
    """A file that several workers change under a `threading.Lock`, of which each process has its own."""

    code = "LP250"
    name = "file-change-under-own-lock"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in several workers at once and {does} `{file}` while it holds a `{lock}`, "
        "of which each process has its own: {outcome}"
    )
    help = (
        "hold a lock that the processes share (a `multiprocessing.Lock` that an `initializer` gives them), lock the "
        "file (`fcntl.flock`), or return what each adds and write it in the main process"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in changes_under_own_locks(code, linker):
            does, outcome = _APPENDED if found.is_appended else _CHANGED
            made = found.lock
            hops = [*found.function.hops]
            if made.call is not None and made.frame is not None:
                hops.append(Hop("every process has its own lock", Site(made.frame.module, made.call.span)))
            yield Hazard(
                site=found.site,
                noun="held while the file is changed",
                error=None,
                confidence=Confidence.POSSIBLE if found.is_appended else None,
                data={
                    "function": found.function.facts.name,
                    "does": does,
                    "file": found.file,
                    "lock": made.path,
                    "outcome": outcome,
                },
                hops=(*hops, Hop("the file is written here", found.written)),
                start_methods=found.only,
            )
