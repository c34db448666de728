from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.calls_and_values.hierarchies import with_class_named
from lintpickle.analyses.main_state.attributes_missing import NOT_SEEN, attributes_missing
from lintpickle.analyses.main_state.counted_by_both import attributes_counted
from lintpickle.analyses.main_state.globals_by_key import globals_by_key
from lintpickle.analyses.main_state.main_attributes import attributes_set
from lintpickle.analyses.main_state.main_configs import configs_set
from lintpickle.analyses.main_state.main_flags import flags_parsed
from lintpickle.analyses.main_state.main_globals import declared_with_others, setting_of
from lintpickle.analyses.main_state.main_setters import STILL_EMPTY, STILL_NONE, Setting
from lintpickle.analyses.main_state.set_after_start import is_set_after_start
from lintpickle.analyses.main_state.set_apart import is_set_apart
from lintpickle.analyses.main_state.unwritten_globals import may_set_any, set_by_any_name
from lintpickle.analyses.results.errors_caught import is_caught, is_swallowed
from lintpickle.analyses.waiting.unsent_results import awaited_results
from lintpickle.analyses.workers.closed_reads import is_closed
from lintpickle.analyses.workers.failing_initializers import failing_initializer
from lintpickle.analyses.workers.out_of_reach import is_out_of_reach
from lintpickle.analyses.workers.parsed_by_workers import is_parsed_by_workers
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Applicability, Confidence, Fix, Span
from lintpickle.rules._shared.initializer_fixes import Missed, initializer_fix, missed
from lintpickle.rules.authoring import (
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
)
from lintpickle.rules.base import excerpt_at


class MainGlobalInWorker(Rule[Missed]):
    """A global, or an attribute of a module or class, that workers read but only the main process changes."""

    code = "LP208"
    name = "main-global-in-worker"
    of_absence = True
    of_functions = True
    of_fresh_workers = True
    applicability = Applicability.UNSAFE
    message = "`{function}` runs in workers and reads {what}, which is {how} only {where}: {outcome}"
    help = "pass it as an argument, keep it on the object, or set it in an `initializer` or `worker_init_fn`"
    words = frozenset({"__main__", "MainProcess", "__mp_main__", "global ", "= None", "merge_from_"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[Missed]]:
        if not code.is_fresh and is_forked(code.root, linker):
            return
        for found in self._found(code, linker):
            yield found if linker.moving_to is not None else _as_caught(found, code, linker)

    def _found(self, code: WorkerCode, linker: Linker) -> Iterator[Hazard[Missed]]:
        for function in code.functions:
            module = function.module
            if not module.first_party or module.document.cells is not None:
                continue
            if guard_of(function.facts.span.start, module) is not None:
                continue
            by_key = [] if may_set_any(module) else list(globals_by_key(function))
            for read in by_key:
                setting = setting_of(read.name, function, code, linker, read.lacking)
                if setting is None or is_set_after_start(read.name, setting, module, code, linker):
                    continue
                if not _is_closed(read.name, setting, function, code, linker):
                    lack, cause = missed(code, setting, linker), declared_with_others(read.name, setting)
                    found = _hazard(f"the global `{read.name}`", read.span, function, lack, cause)
                    yield _with_wait(found, read.span, function, lack, linker)
            for name, span, setting in _read_by_name(function, code, linker):
                is_told = any(name == read.name for read in by_key)
                is_told = is_told or is_set_after_start(name, setting, module, code, linker)
                if not is_told and not _is_closed(name, setting, function, code, linker):
                    lack, cause = missed(code, setting, linker), declared_with_others(name, setting)
                    found = _hazard(f"the global `{name}`", span, function, lack, cause)
                    yield _with_wait(found, span, function, lack, linker)
            attributes = (each(function, code, linker) for each in (attributes_set, attributes_missing))
            for mention, setting in chain.from_iterable(attributes):
                is_own = is_parsed_by_workers(mention.written.rpartition(".")[2], code)
                if not is_own and not _is_closed(mention.written, setting, function, code, linker):
                    lack, is_sure = missed(code, setting, linker), is_out_of_reach(setting, code, linker)
                    what = mention.what.replace(mention.written, with_class_named(mention.written, function.facts))
                    found = _hazard(what, mention.span, function, lack, is_sure=is_sure)
                    yield _with_wait(found, mention.span, function, lack, linker)
        kinds = (configs_set, flags_parsed, attributes_counted)
        for function, mention, setting in chain.from_iterable(kind(code, linker) for kind in kinds):
            yield _hazard(f"`{mention.written}`", mention.span, function, missed(code, setting, linker))

    def fix(self, hazard: Hazard[Missed]) -> Fix | None:
        """Set it in every worker as well, where that is exact."""
        return initializer_fix(hazard)


def _as_caught(found: Hazard[Missed], code: WorkerCode, linker: Linker) -> Hazard[Missed]:
    """What is read where the worker catches the error, and goes on: what stands behind the read is not done. If that is
    all in silence, and a condition that is not decided leads there, hardly anybody meets it."""
    error, is_possible = found.error, found.confidence is Confidence.POSSIBLE
    if not isinstance(error, str) or is_possible or not is_caught(error, found.site, code, linker):
        return found
    function = next((each for each in code.functions if each.module is found.site.module and _holds(each, found)), None)
    place = found.site.span
    is_silent = function is not None and is_swallowed(error, place.start, function)
    is_seldom = function is not None and not linker.evaluator.conditions.reaches(place, function.frame)
    sure = Confidence.POSSIBLE if is_silent and is_seldom else Confidence.LIKELY
    return replace(found, data={**found.data, "outcome": f"{found.data['outcome']}{_SWALLOWED}"}, confidence=sure)


def _holds(function: WorkerFunction, found: Hazard[Missed]) -> bool:
    return Site(function.module, function.facts.span).contains(found.site)


def _is_closed(written: str, setting: Setting, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """See `closed_reads` and `set_apart`. Those who move to another start method are told all that differs."""
    if linker.moving_to is not None:
        return False
    return is_closed(written, setting, function, code, linker) or is_set_apart(setting, code, linker)


def _read_by_name(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Span, Setting]]:
    is_any_set = may_set_any(function.module)
    setting_by = set_by_any_name if is_any_set else setting_of
    for name, span in function.facts.reads.items() if linker.moving_to is not None or not is_any_set else ():
        setting = setting_by(name, function, code, linker)
        if setting is not None:
            yield name, span, setting


_SWALLOWED = "; the worker catches that, and goes on without it"
_REPLACED = "; the initializer fails ({}), and the pool starts other workers for ever: the program hangs"
_WAITS = "; the worker ends, and the main process waits for ever at `{}`"
_DEFINES = ("def ", "async def ", "class ", "@")
_ABOVE = "define it above the `if`, where workers see it too"


def _hazard(
    what: str,
    span: Span,
    function: WorkerFunction,
    lack: Missed,
    cause: str | None = None,
    is_sure: bool = False,
) -> Hazard[Missed]:
    setting = lack.setting
    setting_hops = (Hop("the main process sets it here", setting.site),) if setting.where != NOT_SEEN else ()
    is_empty = setting.met.outcome == STILL_EMPTY.outcome
    is_failing = setting.met.error is not None or is_empty
    error = failing_initializer(span, setting.met.error, function, lack.code) if is_failing else None
    outcome = setting.met.outcome if error is None else f"{setting.met.outcome}{_REPLACED.format(error)}"
    return Hazard(
        site=Site(function.module, span),
        noun="read in the worker",
        error=error or setting.met.error,
        confidence=setting.confidence,
        data={
            "function": function.facts.name,
            "what": what,
            "how": setting.met.how,
            "where": setting.where,
            "outcome": outcome,
        },
        hops=(*function.hops, *setting_hops),
        start_methods=lack.code.lacking_under,
        help=_ABOVE if _is_definition_under_guard(setting.site) else lack.help_of(MainGlobalInWorker.help),
        subject=lack,
        cause=cause or lack.cause(what.rpartition(".")[2]),
        is_sure_of_absence=is_sure,
    )


def _with_wait(
    found: Hazard[Missed], span: Span, function: WorkerFunction, lack: Missed, linker: Linker
) -> Hazard[Missed]:
    """The hazard, and what comes of it where the worker ends by an error: the main process waits for its results."""
    met, code = lack.setting.met, function.module.code
    is_failing = met.error is not None or (met == STILL_NONE and code.startswith((".", "[", "("), span.end))
    is_caught = code.find("except", function.facts.span.start, function.facts.span.end) >= 0
    place = awaited_results(lack.code, linker) if is_failing and not is_caught else None
    if place is None:
        return found
    outcome = f"{found.data['outcome']}{_WAITS.format(excerpt_at(place, 40))}"
    hops = (*found.hops, Hop("the main process waits here for its results", place))
    return replace(found, data={**found.data, "outcome": outcome}, hops=hops)


def _is_definition_under_guard(site: Site) -> bool:
    is_definition = site.module.code.startswith(_DEFINES, site.span.start)
    return is_definition and guard_of(site.span.start, site.module) is not None
