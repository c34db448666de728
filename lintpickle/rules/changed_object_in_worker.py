from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from lintpickle.analyses.calls_and_values.hierarchies import with_class_named
from lintpickle.analyses.main_state.cached_reads import cached_reads
from lintpickle.analyses.main_state.class_states import states_of_classes
from lintpickle.analyses.main_state.given_globals import OTHER_OBJECT, given_globals
from lintpickle.analyses.main_state.kept_by_both import defaults_kept
from lintpickle.analyses.main_state.lacking_methods import methods_lacking
from lintpickle.analyses.main_state.main_objects import objects_changed
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.main_state.members_set import members_set
from lintpickle.analyses.main_state.patched_classes import classes_patched
from lintpickle.analyses.main_state.repeated_fillings import filled_again
from lintpickle.analyses.main_state.shared_instances import shared_changed
from lintpickle.analyses.process_state.fork_hooks import attributes_set_at_fork
from lintpickle.analyses.workers.entry_functions import functions_changed
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.analyses.workers.workers_started import is_between_pool_and_task
from lintpickle.diagnostics import Applicability, Confidence, Fix
from lintpickle.rules._shared.initializer_fixes import Missed, initializer_fix, missed
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode, is_test_file

_AFTERWARDS = "pass it as an argument, or make the pool after the change"
_HAND_ON = "hand the argument on to what uses the object"
_UNCHANGED = "the workers, forked ones too, still have it as it was"


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
    words = frozenset({"__main__", "MainProcess", "__mp_main__", "def main", "global ", "monkeypatch", "mocker"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[Missed]]:
        forks = not code.is_fresh and is_forked(code.root, linker)
        kinds = (
            *(objects_changed, shared_changed, filled_again, classes_patched, defaults_kept, functions_changed),
            *(given_globals, cached_reads, members_set, states_of_classes, attributes_set_at_fork),
        )
        lacking = list(methods_lacking(code, linker))
        told = {setting.site for _, _, setting in lacking}  # by the name of the method, not by that of its class
        others = (each for kind in kinds for each in kind(code, linker) if each[2].site not in told)
        for function, reading, setting in chain(lacking, others):
            is_late = linker.moving_to is None and _is_late(setting, code, linker)
            if forks and not is_late:
                continue
            lack = missed(code, setting, linker)
            outcome = _UNCHANGED if is_late and setting.met.error is None else setting.met.outcome
            yield Hazard(
                site=Site(function.module, reading.span),
                noun="used in the worker",
                error=setting.met.error,
                confidence=lack.confidence(
                    Confidence.POSSIBLE if reading.is_asked or _is_of_tests(setting, code) else Confidence.LIKELY
                ),
                data={
                    "function": function.facts.name,
                    "what": with_class_named(reading.written, function.facts),
                    "how": setting.met.how,
                    "where": f"{setting.where}, after the pool has been made" if is_late else setting.where,
                    "outcome": outcome,
                },
                hops=(*function.hops, *_importing(setting), Hop(_changing(setting), setting.site)),
                start_methods=ALL_START_METHODS if is_late else lack.code.lacking_under,
                help=_AFTERWARDS if is_late else _HAND_ON if setting.met == OTHER_OBJECT else lack.help_of(self.help),
                subject=lack,
                cause=lack.cause(reading.written),
            )

    def fix(self, hazard: Hazard[Missed]) -> Fix | None:
        """Do the same in every worker, where that is exact."""
        return initializer_fix(hazard) if hazard.help not in (_AFTERWARDS, _HAND_ON) else None


def _importing(setting: Setting) -> tuple[Hop, ...]:
    return () if setting.imported is None else (Hop("the main process imports what changes it", setting.imported),)


def _changing(setting: Setting) -> str:
    return "the worker changes its copy here" if setting.met == OTHER_OBJECT else "the main process changes it here"


def _is_late(setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    boundary = code.boundary
    return boundary is not None and is_between_pool_and_task(setting.site, setting.setter, boundary, linker)


def _is_of_tests(setting: Setting, code: WorkerCode) -> bool:
    """Whether tests alone change something, and the workers are not started in a file of tests: those tests may start
    none."""
    started = code.boundary.site.module.path if code.boundary is not None else ""
    return is_test_file(setting.site.module.path) and not is_test_file(started)
