"""Settings of the process and of libraries that workers depend on but only the main process makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.analyses.calls_and_values.calling_circles import first_circle
from lintpickle.analyses.log_records.log_handlers import adding_handlers, asks_for_handlers, outcome_without, reaching
from lintpickle.analyses.log_records.lost_records import CONFIGURES_LOGGING
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, is_called, of_the_program, set_by
from lintpickle.analyses.process_state.audit_hooks import ADDS_HOOK, heard_by_hook
from lintpickle.analyses.process_state.contexts_around import Entered, entered_around
from lintpickle.analyses.process_state.default_actions import SETS_HANDLER, effect_without, handling
from lintpickle.analyses.process_state.default_timeouts import SETS_TIMEOUT, waiting_without
from lintpickle.analyses.process_state.digits_of_numbers import LONG_NUMBERS, long_number_converted
from lintpickle.analyses.process_state.made_after_start import is_made_after_start
from lintpickle.analyses.process_state.named_settings import named_setting
from lintpickle.analyses.process_state.set_each_round import is_set_each_round
from lintpickle.analyses.process_state.setting_makers import (
    ANY_SETTING,
    all_words,
    goes_along,
    is_below,
    makings,
    setting_words,
    survey_of,
)
from lintpickle.analyses.process_state.setting_uses import (
    CALLS_ITSELF,
    RAISED_BY_NUMPY,
    Dependence,
    SettingUses,
    uses_in_workers,
)
from lintpickle.analyses.process_state.variables_asked import (
    asks_for_others,
    by_variable,
    is_asked_by_name,
    is_by_name,
)
from lintpickle.analyses.process_state.warning_filters import FILTERS_WARNINGS, filters_concerning
from lintpickle.analyses.workers.initializers_named import library_initializers
from lintpickle.analyses.workers.workers_started import is_after_first_workers
from lintpickle.catalog import SettingSpec
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.contexts import MANAGER_DECORATORS
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_LOADER = "dataloader"
_KEEPING = frozenset({"warnings.catch_warnings"})
"""Contexts that only set back what is set in them."""
_OF_CONTEXT = frozenset({"__enter__", "__exit__", "__aenter__", "__aexit__"})
_RAISES = re.compile(r"""["']raise["']""")
_QUIETS = re.compile(r"""(?:\w+\.)*seterr\(\s*(?:\w+\s*=\s*["']ignore["']\s*,?\s*)+\)?$""")
"""A call that has numpy say nothing of some errors, about which it would print a warning."""
_PUTS = "os.putenv"
_REDIRECTING = "os.dup2"
_TO_OUTPUT = re.compile(r",\s*(?:fd2\s*=\s*)?(?:[12]|(?:\w+\.)*(?:__)?std(?:out|err)(?:__)?\.fileno\(\))\s*[,)]")
"""Where a call of `os.dup2` makes one of the descriptors of standard output lead elsewhere."""
_NUMBER = re.compile(r"\(\s*(\d[\d_]*)\s*,?\s*\)$")
"""The one argument of a call, if that is a whole number."""
_NUMBER_FIRST = re.compile(r"\d+")
_WHILE_RUNNING = "while the main process runs one"
_WHILE_STARTING = "while it starts workers"
NOT_THERE = Met("there it is as it was", "set")


def settings_made(code: WorkerCode, linker: Linker) -> Iterator[tuple[SettingSpec, Dependence, Setting]]:
    """The settings that the workers of a boundary depend on, each once, with how only the main process makes them."""
    asker = code.root.site.module.path
    is_any_made = linker.first_party.is_surveyed(ANY_SETTING, all_words(linker.catalog), asker)
    uses = list(uses_in_workers(code, linker)) if is_any_made else []
    own = frozenset[int]().union(*(each.own for _, each in uses))
    begun = library_initializers(code, linker) if is_any_made else frozenset[str]()
    for place, spec in enumerate(linker.catalog.settings()):
        if place in own or any(is_below(path, pattern) for path in begun for pattern in spec.by):
            continue
        if _kind(code) in spec.given_by:
            continue
        dependence = _first_dependence(place, uses) or _by_form(place, spec, code, linker)
        if dependence is None:
            continue
        setters = _setters(place, spec, linker, asker)
        if spec.error is not None:
            setting = _while_it_runs(spec.error, setters)
            if setting is not None:
                yield spec, dependence, setting
            continue
        found = sorted(of_the_program(setters, code, linker), key=lambda each: _how_telling(each, spec))
        asked = _dependences(place, uses)
        is_apart = linker.moving_to is not None and spec.only is StartMethod.FORKSERVER and is_by_name(spec)
        for group, first in by_variable(found, asked, dependence) if is_apart else ((found, dependence),):
            made = _made(spec, group, first, asked, code, linker)
            if made is not None and not (_PUTS in spec.by and asks_for_others(made[0], made[1].site)):
                yield spec, *made


def _made(
    spec: SettingSpec,
    found: list[Setter],
    dependence: Dependence,
    asked: Sequence[Dependence],
    code: WorkerCode,
    linker: Linker,
) -> tuple[Dependence, Setting] | None:
    """How only the main process makes a setting at some places, and what first depends on it."""
    asker = code.root.site.module.path
    found = [each for each in found if not is_made_after_start(each, code, linker)]
    if FILTERS_WARNINGS in spec.by:
        concerning = filters_concerning(found, [dependence, *asked])
        if concerning is None:
            return None
        found, dependence = concerning
    if spec.only is StartMethod.FORKSERVER and len(found) > 1:
        again = _set_again(found, dependence, asker, linker, is_by_name(spec))
        found = [each for each in again if not _is_behind_start(each, code)] or found
    if spec.only is StartMethod.FORKSERVER and is_by_name(spec):
        anew = _set_each_round(found, asked, asker, linker)
        found, dependence = ([anew[0]], anew[1]) if anew is not None else (found, dependence)
    setting = None
    if CONFIGURES_LOGGING in spec.by and not asks_for_handlers(code):
        found = list(reaching(found, dependence))
        setting = set_by(adding_handlers(found), NOT_THERE, linker, asker)
    if SETS_HANDLER in spec.by:
        found = list(handling(found, dependence))
    if dependence.written == RAISED_BY_NUMPY:
        found = [each for each in found if _RAISES.search(each.module.code, each.span.start, each.span.end)]
    setting = setting or set_by(found, NOT_THERE, linker, asker)
    if setting is None:
        return None
    is_doubted = setting.is_doubted or dependence.is_doubted
    setting = replace(setting, met=_met(spec, dependence, setting), is_doubted=is_doubted)
    if ADDS_HOOK in spec.by:
        heard = heard_by_hook(setting, asked, linker)
        if heard is None:
            return None
        dependence = heard
    return named_setting(spec, setting, asked, code, linker) if spec.named is not None else (dependence, setting)


def uses_of_setting(by: str, code: WorkerCode, linker: Linker) -> Iterator[tuple[SettingSpec, list[Dependence]]]:
    """The setting of the catalog that is made `by` a call, with what depends on it in each function of the workers."""
    asker = code.root.site.module.path
    for place, spec in enumerate(linker.catalog.settings()):
        words = Words(setting_words(spec))
        if by in spec.by and linker.first_party.is_surveyed(survey_of(place), words, asker):
            yield spec, _dependences(place, list(uses_in_workers(code, linker)))


def setters_of_setting(spec: SettingSpec, code: WorkerCode, linker: Linker) -> list[Setter]:
    """The places of the program that make a setting of the catalog."""
    place = list(linker.catalog.settings()).index(spec)
    return of_the_program(_setters(place, spec, linker, code.root.site.module.path), code, linker)


def _setters(place: int, spec: SettingSpec, linker: Linker, asker: str) -> Iterator[Setter]:
    return (
        Setter(module, made.function, made.span, made.certain and not _is_unused(made.function, module, linker, asker))
        for module in linker.first_party.surveyed(survey_of(place), Words(setting_words(spec)), asker)
        for made in makings(spec, module)
        if _REDIRECTING not in spec.by or _TO_OUTPUT.search(module.code, made.span.start, made.span.end) is not None
    )


def _is_unused(function: FunctionFacts, module: Module, linker: Linker, asker: str) -> bool:
    """Whether the program neither calls a function nor passes it on, for `migrate`; of one that runs as a context is
    entered or left, whether it makes no such manager, nor derives from its class: a library has it for its users."""
    if function.name not in _OF_CONTEXT and not function.decorated_by(*MANAGER_DECORATORS):
        is_plain = linker.moving_to is not None and function.qualname == function.name
        return is_plain and not is_called(function, module, linker, asker)
    name = re.escape(callable_name(function))
    named = rf"[(,:=\[{{]\s*(?:\w+\.)*{name}\b(?!\s*[.(])|@(?:\w+\.)*{name}\b"
    made = re.compile(rf"(?<!class )(?<!def )\b{name}\s*\(|{named}")
    return not linker.first_party.is_anywhere(Words({callable_name(function)}), asker, made)


def _met(spec: SettingSpec, dependence: Dependence, setting: Setting) -> Met:
    """What a worker meets that starts with the default; an error, unless main is seen to set less than that, or the
    worker only asks for the setting."""
    outcome = f"there it is still {spec.default}" if spec.default else spec.outcome or NOT_THERE.outcome
    if SETS_HANDLER in spec.by and (effect := effect_without(setting, dependence)) is not None:
        return effect
    if SETS_TIMEOUT in spec.by and (waiting := waiting_without(dependence)) is not None:
        return waiting
    if CONFIGURES_LOGGING in spec.by:
        outcome = outcome_without(setting) or outcome
    is_asking = dependence.written.rpartition(".")[2] in _asking(spec)
    is_error = spec.lacking is not None and not is_asking and not _is_less(setting, spec)
    return Met(outcome, NOT_THERE.how, spec.lacking if is_error else None)


def _is_less(setting: Setting, spec: SettingSpec) -> bool:
    """Whether main is seen to set no more than the default: by the number in the call that makes the setting, or in
    that which makes the context that does."""
    first = _NUMBER_FIRST.match(spec.default or "")
    sites = [site for site in (setting.site, setting.entered) if site is not None]
    found = (_NUMBER.search(site.module.code, site.span.start, site.span.end) for site in sites)
    number = next((each[1].replace("_", "") for each in found if each is not None), None)
    return first is not None and number not in (None, spec.unlimited) and int(number) <= int(first[0])


def _asking(spec: SettingSpec) -> set[str]:
    """The names by which code only asks for the setting: those that make it, or the same with "get"; and what reads it
    whatever it is given, where other calls need it for an argument."""
    making = {path.rpartition(".")[2] for path in spec.by}
    plain = {path.rpartition(".")[2] for path in spec.read if "(" not in path}
    getting = {name.replace("set", "get", 1) for name in making}
    return making | getting | (plain if len(plain) < len(spec.read) else set())


def _first_dependence(place: int, uses: Sequence[tuple[WorkerFunction, SettingUses]]) -> Dependence | None:
    """The first use of the setting that has a place in the catalog: better what warns than what catches a warning."""
    found = _dependences(place, uses)
    return next((each for each in found if not each.is_catching), found[0] if found else None)


def _dependences(place: int, uses: Sequence[tuple[WorkerFunction, SettingUses]]) -> list[Dependence]:
    return [Dependence(each, *used.dependences[place]) for each, used in uses if place in used.dependences]


def _by_form(place: int, spec: SettingSpec, code: WorkerCode, linker: Linker) -> Dependence | None:
    """What depends on a setting which the program makes, not by a name but by what it does: the first call by which
    functions of workers call one another in a circle, or the first long number that becomes a text."""
    if not {CALLS_ITSELF, LONG_NUMBERS}.isdisjoint(spec.read):
        words, asker = Words(setting_words(spec)), code.root.site.module.path
        if linker.first_party.is_surveyed(survey_of(place), words, asker):
            return _of_form(spec, code, linker)
    return None


def _of_form(spec: SettingSpec, code: WorkerCode, linker: Linker) -> Dependence | None:
    if LONG_NUMBERS in spec.read:
        return long_number_converted(code, linker)
    found = first_circle(code, linker)
    return Dependence(found.function, found.called, found.span) if found is not None else None


def _set_again(setters: Sequence[Setter], asked: Dependence, asker: str, linker: Linker, by_name: bool) -> list[Setter]:
    """Those of several places that set what a worker asks for to which the main process comes when it has started
    workers, to another value than before: the server has that one."""
    after = [each for each in setters if is_after_first_workers(each.span, each.facts, each.module, asker, linker)]
    known = {_statement_at(each) for each in setters if each not in after}
    again = [each for each in after if _statement_at(each) not in known]
    return [each for each in again if not by_name or is_asked_by_name(asked, Site(each.module, each.span))]


def _set_each_round(
    setters: Iterable[Setter], asked: Sequence[Dependence], asker: str, linker: Linker
) -> tuple[Setter, Dependence] | None:
    """The first of several places that a loop comes to before each start of workers, to set a variable which these ask
    for by name, with what asks."""
    for each in setters:
        site = Site(each.module, each.span)
        asking = next((one for one in asked if is_asked_by_name(one, site)), None)
        setting = Setting(NOT_THERE, _WHILE_STARTING, site, setter=each.facts)
        if asking is not None and is_set_each_round(setting, asker, linker):
            return each, asking
    return None


def only_quiets(setting: Setting) -> bool:
    """Whether a setting has numpy print less, and workers without it reckon the same."""
    site = setting.site
    return _QUIETS.match(site.module.code[site.span.start : site.span.end]) is not None


def _is_behind_start(setter: Setter, code: WorkerCode) -> bool:
    """Whether a place stands behind that in the same function at which workers start or get something."""
    here = [each.span.end for each in code.way if Site(setter.module, setter.facts.span).contains(each)]
    return bool(here) and max(here) < setter.span.start


def _statement_at(setter: Setter) -> str:
    code, start = setter.module.code, setter.span.start
    end = code.find("\n", setter.span.end)
    return code[start : end if end >= 0 else None].strip()


def _how_telling(setter: Setter, spec: SettingSpec) -> int:
    """The place of the method that makes a setting in the order of the catalog: before all stands what is no method."""
    text = setter.module.code[setter.span.start : setter.span.end]
    called = (at for at, name in enumerate(spec.methods, 1) if f".{name}(" in text)
    return next(called, 0)


def _while_it_runs(error: str, decorating: Iterable[Setter]) -> Setting | None:
    """What is there only while something decorated runs: a context which is left when that ends."""
    first = next(iter(decorating), None)
    return Setting(Met(error, error=error), _WHILE_RUNNING, Site(first.module, first.span)) if first else None


def settings_around(code: WorkerCode, linker: Linker) -> Iterator[tuple[SettingSpec, Dependence, Setting]]:
    """The settings that a context makes (`with redirect_stdout(file):`) in which the main process starts the workers
    that depend on them. Of a loader, which starts its workers where it is iterated, that is in doubt."""
    asker = code.root.site.module.path
    is_any_made = linker.first_party.is_surveyed(ANY_SETTING, all_words(linker.catalog), asker)
    words, form = _contexts_sought(tuple(linker.catalog.settings()))
    if not is_any_made and not linker.first_party.is_anywhere(words, asker, form):
        return
    entered = list(entered_around(code, linker))
    uses = list(uses_in_workers(code, linker)) if entered else []
    own = frozenset[int]().union(*(each.own for _, each in uses))
    for place, spec in enumerate(linker.catalog.settings()):
        made = next((each for each in entered if _is_made_by(each, spec)), None)
        if made is None or place in own or _is_made_by_workers(spec, code, linker):
            continue
        dependence = next(iter(_dependences(place, uses)), None)
        if dependence is None and LONG_NUMBERS in spec.read:
            dependence = long_number_converted(code, linker)
        if dependence is not None:
            is_of_loader = made.is_entered and made.path in spec.contexts and _kind(code) == _LOADER
            is_doubted = is_of_loader or dependence.is_doubted
            setting = Setting(NOT_THERE, _WHILE_STARTING, made.site, is_doubted, entered=made.around)
            yield spec, dependence, replace(setting, met=_met(spec, dependence, setting))


@lru_cache(maxsize=8)
def _contexts_sought(specs: tuple[SettingSpec, ...]) -> tuple[Words, re.Pattern[str]]:
    """The names of contexts that make one of the settings."""
    words = {pattern.rpartition(".")[2] for spec in specs for pattern in (*spec.own, *spec.contexts)}
    return Words(words), re.compile(rf"\b(?:{'|'.join(sorted(words))})\b")


def _is_made_by_workers(spec: SettingSpec, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function that runs in the workers makes the setting, or the initializer of their pool."""
    begun = linker.worker_codes_of_makers(code.boundary) if code.boundary is not None else ()
    running = [each for found in (code, *begun) for each in found.functions]
    modules = {each.module.path: each.module for each in running}
    own = {id(each.facts) for each in running}
    return any(id(made.function) in own for module in modules.values() for made in makings(spec, module))


def _is_made_by(entered: Entered, spec: SettingSpec) -> bool:
    if entered.path in _KEEPING:
        return False
    if entered.path in spec.contexts:
        return entered.is_entered and entered.given not in spec.there
    patterns = (*spec.own, *spec.by) if entered.is_inside else spec.own
    site = entered.site
    is_by = any(is_below(entered.path, pattern) for pattern in patterns)
    return is_by and not goes_along(site.span, spec, site.module)


def _kind(code: WorkerCode) -> str:
    """The kind of boundary that starts the workers; of a dataset without a visible loader, that of a loader."""
    return code.boundary.spec.kind if code.boundary is not None else _LOADER
