from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from lintpickle.analyses.at_import.extended_packages import imports_from_extended
from lintpickle.analyses.at_import.import_hooks import imports_by_hook
from lintpickle.analyses.at_import.stubbed_modules import modules_stubbed
from lintpickle.analyses.calls_and_values.variables_by_method import is_asked_through_methods
from lintpickle.analyses.log_records.logger_classes import logger_methods
from lintpickle.analyses.log_records.lost_records import CONFIGURES_LOGGING, record_lost
from lintpickle.analyses.log_records.records_missed import records_missed
from lintpickle.analyses.main_state.library_patches import methods_added, patches_made
from lintpickle.analyses.main_state.main_setters import Met, Setting
from lintpickle.analyses.process_state.fork_hooks import settings_made_at_fork
from lintpickle.analyses.process_state.had_by_server import Had, had_by_server
from lintpickle.analyses.process_state.process_settings import (
    only_quiets,
    setters_of_setting,
    settings_around,
    settings_made,
)
from lintpickle.analyses.process_state.seeded_before_spawn import is_seeded_before_spawn
from lintpickle.analyses.process_state.set_each_round import is_entered_each_round, is_set_each_round
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.analyses.process_state.signals_sent import signals_handled
from lintpickle.analyses.process_state.variables_asked import is_asked_by_name, is_by_name
from lintpickle.analyses.workers.names_of_processes import forked_names_asked
from lintpickle.analyses.workers.own_process import process_asked
from lintpickle.analyses.workers.worker_functions import is_forked, may_be_started_by
from lintpickle.analyses.workers.workers_started import is_after_first_workers, is_before_all_workers
from lintpickle.diagnostics import Applicability, Confidence, Fix, StartMethod
from lintpickle.rules._shared.initializer_fixes import Missed, initializer_fix, missed
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    WorkerCode,
)

_SEND = (
    "add a `logging.handlers.QueueHandler` in an `initializer` or `worker_init_fn`, and give the handler to a "
    "`QueueListener` in the main process"
)


_ASK_FOR_PARENT = "ask `multiprocessing.parent_process() is not None`, which holds in workers under every start method"
_FINE_BEFORE = "which is fine if it is set before the first process starts"


class ProcessSettingInWorker(Rule[Missed]):
    """A setting of the process or of a library that only the main process makes, and that workers depend on."""

    code = "LP211"
    name = "process-setting-in-worker"
    of_absence = True
    of_functions = True
    applicability = Applicability.UNSAFE
    message = "`{function}` runs in workers and {does}, but {what} is set only {where}: {outcome}"
    help = "set it also in an `initializer` or `worker_init_fn`, or where the module is imported"
    words = frozenset({"__main__", "MainProcess", "__mp_main__", "def main"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[Missed]]:
        kept = list(_kept_by_handlers(code, linker))
        yield from kept
        if is_forked(code.root, linker):
            return
        for what, dependence, setting in settings_made_at_fork(code, linker):
            yield _hazard(what, dependence, missed(code, setting, linker), Confidence.LIKELY, PICKLED_ON_START)
        around = tuple(settings_around(code, linker))  # That is sure; what else makes such a setting may not be.
        held = [spec for spec, _, _ in around]
        made = (each for each in settings_made(code, linker) if each[0] not in held)
        for spec, dependence, setting in chain(around, made):
            if spec.only is not None and not may_be_started_by(spec.only, code, linker):
                continue
            if kept and CONFIGURES_LOGGING in spec.by:
                continue  # To set that in workers as well does not mend what is lacking.
            is_of_server = spec.only is StartMethod.FORKSERVER
            had = (
                had_by_server(setters_of_setting(spec, code, linker), setting.site.span, code, linker)
                if is_of_server
                else None
            )
            if is_of_server and (had is Had.ALL or (had is not Had.EARLIER and _is_inherited(setting, linker))):
                continue
            by_name = is_by_name(spec)
            is_late = is_of_server and (
                (had is Had.EARLIER and (not by_name or is_asked_by_name(dependence, setting.site)))
                or (by_name and _is_too_late(dependence, setting, code, linker))
            )
            if is_of_server and not by_name and not is_late:
                continue  # Most programs set it before they start anything.
            if is_of_server and not is_late:
                setting = replace(setting, met=replace(setting.met, outcome=f"{setting.met.outcome}, {_FINE_BEFORE}"))
            if is_late:
                setting = replace(setting, where=f"{setting.where}, after the server has started")
            lost = record_lost(setting, code, linker) if CONFIGURES_LOGGING in spec.by else None
            if lost is not None:
                dependence, setting = lost[0], replace(setting, met=lost[1])
            if dependence.is_named_under_guard:
                continue
            is_seldom = spec.seldom or only_quiets(setting)
            is_wanted = (
                is_late
                or lost is not None
                or (spec.only is None and (linker.moving_to is not None or not is_seldom))
                or is_seeded_before_spawn(spec, dependence, code, linker)
            )
            confidence = Confidence.LIKELY if is_wanted else Confidence.POSSIBLE
            methods = PICKLED_ON_START if spec.only is None else (spec.only,)
            lack = missed(code, setting, linker, spec.what)
            found = _hazard(spec.what, dependence, lack, confidence, methods, setting.met.error)
            yield replace(found, help=spec.help) if spec.help is not None else found
        for signal, setting in signals_handled(code, linker):
            reached = Dependence(signal.function, signal.name, signal.function.facts.header)
            what, sent = f"the handler of {signal.name}", f"is sent `{signal.name}`"
            lack = missed(code, setting, linker)
            methods = PICKLED_ON_START if signal.only is None else (signal.only,)
            found = _hazard(what, reached, lack, Confidence.LIKELY, methods, setting.met.error, sent)
            yield replace(found, site=signal.sent, noun="sent to the worker")
        for stub, setting in modules_stubbed(code, linker):
            imported = Dependence(stub.function, stub.name, stub.span)
            what = f'`sys.modules["{stub.name}"]`'
            lack = missed(code, setting, linker)
            yield _hazard(what, imported, lack, Confidence.LIKELY, PICKLED_ON_START, stub.error)
        for what, needed, setting in imports_by_hook(code, linker):
            imported = Dependence(needed.function, needed.name, needed.span)
            yield _hazard(what, imported, missed(code, setting, linker), Confidence.POSSIBLE, PICKLED_ON_START)
        for missing, setting in imports_from_extended(code, linker):
            imported = Dependence(missing.function, missing.package, missing.span)
            lack, does = missed(code, setting, linker), f"imports a module of `{missing.package}`"
            what = f"`{missing.package}.__path__`"
            yield _hazard(what, imported, lack, Confidence.LIKELY, PICKLED_ON_START, missing.error, does)
        for dependence, setting in logger_methods(code, linker):
            lack, error = missed(code, setting, linker), setting.met.error
            yield _hazard("the class of loggers", dependence, lack, Confidence.LIKELY, PICKLED_ON_START, error)
        for asked, setting in process_asked(code, linker):
            methods = PICKLED_ON_START if asked.only is None else (asked.only,)
            own = Dependence(asked.function, asked.written, asked.span)
            confidence = Confidence.LIKELY if asked.is_known else Confidence.POSSIBLE
            lack, error = missed(code, setting, linker), setting.met.error
            asks = _hazard(asked.what, own, lack, confidence, methods, error)
            taken = Hop(asked.setting, setting.site)
            yield replace(
                asks, help=asked.help or asks.help, hops=(*asked.function.hops, *((taken,) if asked.is_known else ()))
            )
        yield from _taken_for_main(code, linker)
        if linker.moving_to is None:
            return
        for path, dependence, setting in chain(patches_made(code, linker), methods_added(code, linker)):
            lack, error = missed(code, setting, linker), setting.met.error
            yield _hazard(f"`{path}`", dependence, lack, Confidence.LIKELY, PICKLED_ON_START, error)

    def fix(self, hazard: Hazard[Missed]) -> Fix | None:
        """Make the setting in every worker as well, where that is exact."""
        return initializer_fix(hazard)


def _kept_by_handlers(code: WorkerCode, linker: Linker) -> Iterator[Hazard[Missed]]:
    """What a handler of the main process keeps of the log lacks the records of workers, forked ones, too."""
    if linker.moving_to is not None:
        return  # Moving off fork changes nothing here.
    for found in records_missed(code, linker):
        kept = found.kept
        outcome = f"`{kept.attribute}` of the main process gets no record of a worker, of a forked one neither"
        lack = missed(code, replace(found.setting, met=Met(outcome)), linker, found.spec.what)
        confidence = Confidence.LIKELY if kept.is_known else Confidence.POSSIBLE
        what = f"the handler `{kept.class_name}`"
        yield replace(_hazard(what, found.record, lack, confidence, ALL_START_METHODS), help=_SEND)


def _taken_for_main(code: WorkerCode, linker: Linker) -> Iterator[Hazard[Missed]]:
    """What takes a worker for the main process, because its name is not that of a forked one."""
    for asked in forked_names_asked(code, linker):
        setting = Setting(
            Met(f"there it is one like `{asked.name}`"), "by fork", Site(asked.function.module, asked.span)
        )
        dependence = Dependence(asked.function, "current_process().name", asked.span)
        lack, does = missed(code, setting, linker), f"looks for `{asked.text}` in the name of its process"
        found = _hazard("such a name", dependence, lack, Confidence.LIKELY, asked.methods, asked.error, does)
        yield replace(found, hops=asked.function.hops, help=_ASK_FOR_PARENT)


def _is_inherited(setting: Setting, linker: Linker) -> bool:
    """Whether the server gets a setting when it starts, with the first worker."""
    site, setter = setting.site, setting.setter
    return setter is not None and is_before_all_workers(site.span, setter, site.module, linker)


def _is_too_late(dependence: Dependence, setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether the server runs by the time that a variable is set which the worker asks for."""
    site, setter, asker = setting.site, setting.setter, code.root.site.module.path
    is_after = setter is not None and is_after_first_workers(site.span, setter, site.module, asker, linker)
    is_again = is_set_each_round(setting, asker, linker) or is_entered_each_round(setting, asker, linker)
    if not is_after and not is_again:
        return False
    return is_asked_by_name(dependence, site) or is_asked_through_methods(dependence, setting, code, linker)


def _hazard(
    what: str,
    dependence: Dependence,
    lack: Missed,
    confidence: Confidence,
    methods: tuple[StartMethod, ...],
    error: str | None = None,
    does: str | None = None,
) -> Hazard[Missed]:
    setting = lack.setting
    return Hazard(
        site=Site(dependence.function.module, dependence.span),
        noun="used in the worker",
        error=error or dependence.error,
        confidence=lack.confidence(confidence),
        data={
            "function": dependence.function.facts.name,
            "does": does or dependence.does,
            "what": what,
            "where": setting.where,
            "outcome": setting.met.outcome,
        },
        hops=(*dependence.function.hops, Hop("the main process sets it here", setting.site)),
        start_methods=methods,
        help=lack.help_of(ProcessSettingInWorker.help),
        subject=lack,
        cause=lack.cause(what),
    )
