from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from lintpickle.analyses.entry_functions import functions_changed
from lintpickle.analyses.kept_by_both import defaults_kept
from lintpickle.analyses.main_objects import objects_changed
from lintpickle.analyses.patched_classes import classes_patched
from lintpickle.analyses.repeated_fillings import filled_again
from lintpickle.analyses.shared_instances import shared_changed
from lintpickle.analyses.worker_functions import is_forked
from lintpickle.diagnostics import Applicability, Confidence, Fix
from lintpickle.rules._shared.initializer_fixes import Missed, initializer_fix, missed
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, Site, WorkerCode


class ChangedObjectInWorker(Rule[Missed]):
    """A module-level container, object, class or function that workers use but only the main process changes."""

    code = "LP210"
    name = "changed-object-in-worker"
    of_absence = True
    of_functions = True
    of_fresh_workers = True
    applicability = Applicability.UNSAFE
    message = "`{function}` runs in workers and uses `{what}`, which is {how} only {where}: {outcome}"
    help = "pass it as an argument, change it at import, or do the same in an `initializer` or `worker_init_fn`"
    words = frozenset({"__main__", "MainProcess", "__mp_main__", "def main", "global "})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[Missed]]:
        if not code.is_fresh and is_forked(code.root, linker):
            return
        kinds = (objects_changed, shared_changed, filled_again, classes_patched, defaults_kept, functions_changed)
        for function, reading, setting in chain.from_iterable(kind(code, linker) for kind in kinds):
            lack = missed(code, setting, linker)
            yield Hazard(
                site=Site(function.module, reading.span),
                noun="used in the worker",
                error=setting.met.error,
                confidence=lack.confidence(Confidence.POSSIBLE if reading.is_asked else Confidence.LIKELY),
                data={
                    "function": function.facts.name,
                    "what": reading.written,
                    "how": setting.met.how,
                    "where": setting.where,
                    "outcome": setting.met.outcome,
                },
                hops=(*function.hops, Hop("the main process changes it here", setting.site)),
                start_methods=lack.code.lacking_under,
                help=lack.help_of(self.help),
                subject=lack,
                cause=lack.cause(reading.written),
            )

    def fix(self, hazard: Hazard[Missed]) -> Fix | None:
        """Do the same in every worker, where that is exact."""
        return initializer_fix(hazard)
