"""Globals of a module that only the main process sets or fills."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from lintpickle.analyses.at_import.computed_at_import import computed_at_import
from lintpickle.analyses.at_import.guarded_imports import place_guarded
from lintpickle.analyses.at_import.import_time import NO_CODE, is_guard
from lintpickle.analyses.at_import.naming_modules import imported_by
from lintpickle.analyses.at_import.values_at_import import constant_at_import, is_empty_at_import
from lintpickle.analyses.calls_and_values.wrapping_functions import decorated_with, is_before_call
from lintpickle.analyses.main_state.asked_globals import asks, asks_if_set, may_be_missing
from lintpickle.analyses.main_state.global_properties import by_property, is_stored_by_workers
from lintpickle.analyses.main_state.global_setters import (
    filling,
    is_kept_per_process,
    places_filled,
    places_set,
    setters_of,
    value_set,
)
from lintpickle.analyses.main_state.globals_by_key import UNSET
from lintpickle.analyses.main_state.main_setters import (
    NEVER_FILLED,
    STILL_EMPTY,
    STILL_NONE,
    Met,
    Setting,
    by_function,
    changes,
    changes_written,
    constant_in,
    is_called,
    is_in_force,
    missing,
    still,
    under_guard,
)
from lintpickle.analyses.main_state.reset_at_fork import is_reset_at_fork
from lintpickle.analyses.main_state.sure_failures import failing, failing_empty, insisting, insists
from lintpickle.analyses.workers.runs_elsewhere import (
    is_of_main_too,
    is_of_other_workers,
    runs_beside_main,
    runs_elsewhere,
    runs_on_any_import,
)
from lintpickle.analyses.workers.workers_started import is_after_workers
from lintpickle.builtin_names import BUILTINS
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Expr, Name, Parameter
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module
from lintpickle.resolution.declared_globals import declared_together

TELLS_PROCESSES_APART = re.compile(r"(?:^|_)(?:main|master|parent|worker|child|process|rank)(?:$|_)", re.IGNORECASE)
"""Words in the names of flags that say in which process a program runs."""


def setting_of(
    name: str, function: WorkerFunction, code: WorkerCode, linker: Linker, lacking: Met | None = None
) -> Setting | None:
    """How only the main process sets a global that a function reads in a worker; None if these workers set it too, or
    if that is unknown. `lacking` is what a worker meets without the global, if that is no `NameError`."""
    found = _setting_of(name, function, code, linker, lacking)
    setter = found.setter if found is not None else None
    if found is None or setter is None or not is_of_other_workers(setter, function.module, code, linker):
        return found
    return by_function(setter, found.site, found.met, apart=True)


def _setting_of(
    name: str, function: WorkerFunction, code: WorkerCode, linker: Linker, lacking: Met | None
) -> Setting | None:
    module, asker = function.module, code.root.site.module.path
    blocks = module.outline.binding(name)
    is_imported = name in module.outline.imports
    if not is_imported and (name in BUILTINS and not blocks):
        return None
    if linker.evaluator.names.may_come_by_star(module, name):
        return None
    if is_imported:
        return _imported_under_guard(name, function, module)
    guards = [block for block in blocks if is_guard(block, module)]
    bound = [block for block in blocks if block not in guards]
    setters = _setters_in_force(name, bound, module, linker, asker)
    if guards and not bound:
        setters = tuple(each for each in setters if each is not function.facts or not _is_read_first(name, function))
    if not guards and not setters and not is_empty_at_import(name, bound, module):
        return None  # `main_objects` looks at what changes a filled container.
    if any(_calls(function, setter) for setter in setters):
        return None
    of_main = _of_main_alone(setters, module, code, linker)
    if of_main is None or _counts_up_and_down(name, module) or is_reset_at_fork(name, module):
        return None
    if is_stored_by_workers(name, module, code):
        return None
    setters = of_main
    if not bound:
        if name in BUILTINS:
            return None
        if lacking is None and may_be_missing(name, function):
            if linker.moving_to is None or name in function.facts.globals_declared:
                return None
            lacking = UNSET
        return _setting(name, guards, setters, module, lacking or missing(name))
    constant = constant_at_import(name, bound, module)
    if constant is not None and constant != "None":
        setting = _changed(name, constant, guards, setters, module, linker, asker)
        return replace(setting, met=insisting(setting.met, name, constant, function, linker)) if setting else None
    if constant == "None":
        if asks_if_set(name, function) and not insists(name, constant, function, linker):
            return None
        setting_it = tuple(each for each in setters if changes(value_set(name, each), constant))
        return _setting(name, guards, setting_it, module, _met_as_none(name, function, linker))
    if asks(name, function):
        return None
    if is_empty_at_import(name, bound, module):
        if is_kept_per_process(name, module):
            return None
        setting = _filled(name, guards, setters, module, code, linker)
        text = _written(_value(name, bound[0], module), module) or ""
        return replace(setting, met=failing_empty(setting.met, name, text, function, linker)) if setting else None
    computed = computed_at_import(name, bound, module, linker.program)
    if computed is not None and (setters or linker.moving_to is None):
        return _changed(name, computed, guards, setters, module, linker, asker)
    if linker.moving_to is not None and guards and not setters:
        return _bound_anew(name, guards[0], bound, module)
    return None


def _imported_under_guard(name: str, function: WorkerFunction, module: Module) -> Setting | None:
    """How only the main process has a name that nothing but an import under the main guard binds."""
    if name in BUILTINS or setters_of(name, module) or may_be_missing(name, function):
        return None
    place = place_guarded(name, module)
    return under_guard(Site(module, place), missing(name)) if place is not None else None


def _met_as_none(name: str, function: WorkerFunction, linker: Linker) -> Met:
    return insisting(failing(STILL_NONE, name, function, linker), name, "None", function, linker)


def _setters_in_force(
    name: str, bound: Collection[Block], module: Module, linker: Linker, asker: str
) -> tuple[FunctionFacts, ...]:
    """The functions that set a global for workers. `bound` are the blocks that bind it at import."""
    found = setters_of(name, module)
    constant = constant_at_import(name, bound, module) if found else None
    return tuple(each for each in found if _is_in_force(name, each, module, linker, asker, constant))


def _is_in_force(
    name: str, setter: FunctionFacts, module: Module, linker: Linker, asker: str, constant: str | None
) -> bool:
    places = places_set(name, setter, module)
    decorated = decorated_with(setter, module, linker, asker)
    if not decorated:
        return is_in_force(places, setter, module, linker, asker, constant)
    return any(is_before_call(each, setter, module) for each in places) and any(
        is_in_force([each.place], each.facts, each.module, linker, asker, constant) for each in decorated
    )


def _of_main_alone(
    setters: Iterable[FunctionFacts], module: Module, code: WorkerCode, linker: Linker
) -> tuple[FunctionFacts, ...] | None:
    """Those of some functions of a module that the main process runs; None if these workers run one, too, or an
    import."""
    asker, found = code.root.site.module.path, list[FunctionFacts]()
    for each in setters:
        decorated = decorated_with(each, module, linker, asker)
        if decorated:
            if any(runs_beside_main(one.facts, one.module, code, linker) for one in decorated):
                return None
            found.append(each)
        elif not is_of_other_workers(each, module, code, linker):
            if runs_elsewhere(each, module, linker, asker):
                return None
            found.append(each)
        elif runs_on_any_import(each, module, linker, asker):
            return None
        elif is_of_main_too(each, linker, asker):
            found.append(each)
    return tuple(found)


def _is_read_first(name: str, function: WorkerFunction) -> bool:
    """Whether a function that sets a global reads it before that, and is not ready for a NameError: `if not
    warned: …; warned = True`."""
    facts = function.facts
    code = NO_CODE.sub("", function.module.code[facts.span.start : facts.span.end])
    if "NameError" in code:
        return False
    bound = r"(?P<bound>(?:global|for|as|import)\b[^\n:]*)?"
    uses = re.finditer(rf"(?<![\w.'\"]){bound}\b{re.escape(name)}\b\s*(?P<set>=(?!=))?", code)
    used = next((each for each in uses if not (each["bound"] or "").startswith("global")), None)
    return used is not None and used["bound"] is None and used["set"] is None


def _calls(function: WorkerFunction, setter: FunctionFacts) -> bool:
    """Whether a function calls another one of its module itself, however far it is from where the worker begins."""
    called = (event.call.function for event in function.facts.events if isinstance(event, Called))
    return any(isinstance(each, Name) and each.name == setter.name for each in called)


def _bound_anew(name: str, guard: Block, bound: Collection[Block], module: Module) -> Setting | None:
    """How the main guard gives a function, class or object another value; None if it is written as at import."""
    value = _value(name, guard, module)
    written = _written(value, module)
    if written is not None and any(_written(_value(name, block, module), module) == written for block in bound):
        return None
    return under_guard(_place(name, guard, module), Met("there it is as at import", "bound anew"))


def _written(value: Expr | None, module: Module) -> str | None:
    return module.code[value.span.start : value.span.end] if value is not None else None


def _setting(
    name: str, guards: list[Block], setters: tuple[FunctionFacts, ...], module: Module, met: Met
) -> Setting | None:
    if guards:
        return under_guard(_place(name, guards[0], module), met)
    if not setters:
        return None
    first = min(setters, key=lambda each: each.span.start)
    return by_property(name, by_function(first, Site(module, places_set(name, first, module)[0]), met), module)


def _changed(
    name: str,
    written: str,
    guards: list[Block],
    setters: tuple[FunctionFacts, ...],
    module: Module,
    linker: Linker,
    asker: str,
) -> Setting | None:
    if TELLS_PROCESSES_APART.search(name):
        return None
    constant = constant_in(written)
    guards = [block for block in guards if changes_written(_value(name, block, module), written, module)]
    changing = (facts for facts in setters if changes_written(value_set(name, facts), written, module))
    called = tuple(
        facts
        for facts in changing
        if is_called(facts, module, linker, asker, constant if isinstance(value_set(name, facts), Parameter) else None)
    )
    return _setting(name, guards, called, module, still(written))


def _filled(
    name: str,
    guards: list[Block],
    setters: tuple[FunctionFacts, ...],
    module: Module,
    code: WorkerCode,
    linker: Linker,
) -> Setting | None:
    asker = code.root.site.module.path
    fillers: list[FunctionFacts] = []
    for filler in filling(name, module):
        if filler.is_module_body:
            return None  # at import, or under the guard, where it may be a part of many things
        if not is_after_workers(places_filled(name, filler), filler, module, linker):
            fillers.append(filler)
    filling_it = _of_main_alone(fillers, module, code, linker)
    if filling_it is None:
        return None
    if any(_is_used_elsewhere(filler, module, linker, asker) for filler in (*setters, *filling_it)):
        return None
    return _setting(name, guards, setters, module, STILL_EMPTY) or (
        by_function(filling_it[0], Site(module, filling_it[0].header), NEVER_FILLED) if filling_it else None
    )


def _place(name: str, block: Block, module: Module) -> Site:
    """Where a block gives the name its value, or where the block begins."""
    facts = module.facts_of(block)
    defined = (facts.functions.get(name) or facts.classes.get(name)) if facts is not None else None
    value = facts.values.get(name) if facts is not None else None
    return Site(module, value.span if value is not None else defined.header if defined is not None else block.span)


def _value(name: str, block: Block, module: Module) -> Expr | None:
    facts = module.facts_of(block)
    return facts.values.get(name) if facts is not None else None


def _is_used_elsewhere(setter: FunctionFacts, module: Module, linker: Linker, asker: str) -> bool:
    """Whether it decorates something, or another module names it beside this one: then it may run at import there. What
    a function in a function does is not followed so far."""
    if setter.is_local or re.search(rf"@\s*(?:\w+\.)*{re.escape(setter.name)}\b", module.code):
        return True
    naming = linker.first_party.which(Words({setter.name}), asker, imported_by(module))
    return any(path != module.path for path in naming)


def _counts_up_and_down(name: str, module: Module) -> bool:
    """Whether the global counts what is going on just now, as how deep calls are nested: elsewhere, nothing is."""
    word = re.escape(name)
    return all(re.search(rf"\b{word}\s*{sign}=", module.code) for sign in (r"\+", "-"))


def declared_with_others(name: str, setting: Setting) -> str | None:
    """What is the same for all globals that one `global` statement of a function names: it sets them, and one change
    mends all. None if it names no others."""
    module, setter = setting.site.module, setting.setter
    declared = declared_together(name, setter, module) if setter is not None else None
    return f"{module.path}:{declared}" if declared is not None else None
