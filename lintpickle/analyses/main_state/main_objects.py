"""Module-level objects that only the main process changes: containers, instances, classes, functions.

`main_globals` and `main_attributes` handle values that are constant, empty or missing at import.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_fillings import (
    bases_noting,
    deriving,
    filled_by_import,
    is_imported_by_main,
    is_seen_to_import,
    may_be_filled_in_workers,
)
from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import guard_of, outer_function
from lintpickle.analyses.calls_and_values.asked_for_contents import is_asked_for_contents
from lintpickle.analyses.calls_and_values.attributes_changed import still_of_attribute
from lintpickle.analyses.calls_and_values.mock_patches import name_replaced
from lintpickle.analyses.calls_and_values.object_changes import rebound
from lintpickle.analyses.calls_and_values.own_containers import has_no_items, has_own_items, text_of_empty
from lintpickle.analyses.main_state.added_keys import failing_without_added
from lintpickle.analyses.main_state.any_attributes import (
    globals_set_by_options,
    set_as_told,
    set_by_any_attribute,
    set_by_table,
)
from lintpickle.analyses.main_state.attributes_of_functions import without_attribute
from lintpickle.analyses.main_state.cached_otherwise import cached_otherwise
from lintpickle.analyses.main_state.class_objects import (
    filled_by_subclasses,
    fillers,
    is_given_by_workers,
    subclasses_asked,
)
from lintpickle.analyses.main_state.class_states import states_of_classes
from lintpickle.analyses.main_state.classes_given import attributes_of_classes_given
from lintpickle.analyses.main_state.counted_by_both import begins_with, counted_by_both
from lintpickle.analyses.main_state.defaults_taken import takes_default
from lintpickle.analyses.main_state.failing_attributes import failing_by_attribute
from lintpickle.analyses.main_state.failing_contexts import failing_in_context
from lintpickle.analyses.main_state.filled_objects import modules_filling
from lintpickle.analyses.main_state.global_setters import changing, is_kept_per_process, setters_of
from lintpickle.analyses.main_state.globals_told import globals_told
from lintpickle.analyses.main_state.held_state import WRITES_ROWS
from lintpickle.analyses.main_state.kept_by_both import kept_by_both
from lintpickle.analyses.main_state.library_state import state_of
from lintpickle.analyses.main_state.main_attributes import attributes_set
from lintpickle.analyses.main_state.main_globals import TELLS_PROCESSES_APART, setting_of
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, is_called, of_the_program, set_by
from lintpickle.analyses.main_state.module_dicts import stored_by_any_name
from lintpickle.analyses.main_state.named_by_workers import is_stored_by_name_in_workers
from lintpickle.analyses.main_state.object_setters import object_setters
from lintpickle.analyses.main_state.read_objects import (
    OF_THE_CONTEXT,
    THREAD_LOCAL,
    Owner,
    Reading,
    class_objects_read,
    path_of,
    things_read,
)
from lintpickle.analyses.main_state.refusing_lookups import refused
from lintpickle.analyses.main_state.reset_at_fork import is_reset_at_fork
from lintpickle.analyses.main_state.run_scripts import filled_by_scripts, may_run_scripts
from lintpickle.analyses.main_state.sure_failures import (
    error_of_empty,
    failing_empty,
    failing_in_object,
    only_raised,
)
from lintpickle.analyses.main_state.unwritten_globals import may_set_any
from lintpickle.analyses.waiting.endless_waits import endless_wait, thing_of_module
from lintpickle.analyses.workers.set_before_start import is_set_before_start
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    FunctionValue,
    InstanceValue,
    PlainValue,
)
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_METHOD = re.compile(r"(?:\w+\.)+(\w+)\s*\(")


def objects_changed(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The objects that the workers of a boundary read, each once, with how the main process changes them. None if they
    run scripts that may change them there, too; `migrate` asks all the same."""
    if linker.moving_to is None and may_run_scripts(code):
        return
    told: set[tuple[str, str]] = set()
    quiet: set[tuple[str, Span, str, str, str]] = set()  # what a module reads and nothing is seen to change
    asker = code.root.site.module.path
    for function in code.functions:
        if not function.module.first_party or function.module.document.cells is not None:
            continue
        given = ((each.owner, each.reading) for each in attributes_of_classes_given(function, linker, asker))
        for owner, reading in chain(things_read(function, linker), given):
            key = (owner.module.path, owner.name)
            read_here = (owner.module.path, owner.block.span, owner.name, function.module.path, reading.written)
            if (
                key in told
                or read_here in quiet
                or not _is_followed(owner.value, linker)
                or TELLS_PROCESSES_APART.search(owner.name)
                or is_kept_per_process(owner.name, owner.module)
                or is_reset_at_fork(owner.name, owner.module)
            ):
                continue
            setting = _setting(owner, reading, function, code, linker) or _counted(owner, reading, code, linker)
            if setting is None:
                quiet.add(read_here)
            is_told = setting is not None and (
                _is_told_by_name(owner, reading, function, code, linker)
                or _is_told_by_attribute(owner, setting[1], code, linker)
                or _is_told_by_state(owner, setting[1], code, linker)
            )
            if setting is not None and not is_told:
                told.add(key)
                yield function, setting[0], setting[1]
        for owner, reading in class_objects_read(function, linker):
            key = (owner.module.path, f"{owner.block.names[0]}.{owner.name}")
            if key not in told and isinstance(owner.value, ContainerValue) and owner.value.kind != "iterator":
                told.add(key)
                if is_stored_by_name_in_workers(owner.name, owner.block, owner.module, code, linker):
                    continue
                made = set_by(of_the_program(fillers(owner, linker, asker), code, linker), owner.still, linker, asker)
                if made is not None and is_given_by_workers(owner, linker, asker):
                    continue
                if made is None and linker.moving_to is not None:
                    made = filled_by_subclasses(owner, function, code, linker)
                if made is not None:
                    text = "{}" if owner.value.kind == "dict" and not owner.value.slots else ""
                    met = failing_empty(made.met, reading.written, text, function, linker)
                    yield function, reading, replace(made, met=met)
        for reading, made in subclasses_asked(function, code, linker) if linker.moving_to is not None else ():
            yield function, reading, made


def _is_told_by_name(
    owner: Owner, reading: Reading, function: WorkerFunction, code: WorkerCode, linker: Linker
) -> bool:
    """Whether `main_globals` names the global that is changed, or `main_attributes` the attribute of a class."""
    if not isinstance(owner.value, ClassValue):
        return not may_set_any(function.module) and setting_of(reading.written, function, code, linker) is not None
    return any(mention.name == reading.written for mention, _ in attributes_set(function, code, linker))


def _is_told_by_attribute(owner: Owner, setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether `main_attributes` names an attribute of a class that the method sets which main calls there
    (`Progress.attach(value)`) or is told (`SIR.configure(beta=0.5)`), and any code of the workers reads."""
    site = setting.site
    called = _METHOD.match(site.module.code, site.span.start, site.span.end)
    if called is None or not isinstance(owner.value, ClassValue):
        return False
    told = (each for function in code.functions for _, each in attributes_set(function, code, linker))
    return any(
        each.site == site
        or (each.setter is not None and each.setter.name == called[1] and owner.place.contains(each.site))
        for each in told
    )


def _is_told_by_state(owner: Owner, setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether `class_states` names what a method changes which main calls there on a class, or an object of it."""
    if not isinstance(owner.value, (ClassValue, InstanceValue)):
        return False
    called = _METHOD.match(setting.site.module.code, setting.site.span.start, setting.site.span.end)
    return called is not None and any(
        each.setter is not None and each.setter.name == called[1] for _, _, each in states_of_classes(code, linker)
    )


def _setting(
    owner: Owner, reading: Reading, function: WorkerFunction, code: WorkerCode, linker: Linker
) -> tuple[Reading, Setting] | None:
    """How the main process changes a thing; where it only may, the reading is one that asks."""
    asker = code.root.site.module.path
    doubted = replace(reading, is_asked=True)
    is_container = isinstance(owner.value, ContainerValue) or has_own_items(owner.value, linker)
    is_asked_in = is_container or _has_own_contents(owner.value, linker)
    if linker.moving_to is not None and is_asked_in and reading.is_asked:
        is_asked = not is_asked_for_contents(reading.written, function.frame.paths.tree)
        reading = replace(reading, is_asked=is_asked)
    met = _met(owner, linker)
    setters = [
        *object_setters(owner, code, linker, asker),
        *_rebound_where_imported(owner, reading, function, linker, asker),
    ]
    added = [each for each in setters if not _is_first_state(each, owner, linker)]
    if len(added) < len(setters):
        met = Met("there it is as at import", met.how)
        state = state_of(owner.value, linker)
        added = [each for each in added if state is None or not state.shared or _writes_rows(each)]
    is_filled = any(each.module is owner.module for each in setters if each not in added)
    is_empty = is_container and has_no_items(owner.value, linker) and not is_filled
    setting = set_by(of_the_program(added, code, linker), met, linker, asker)
    if setting is not None:
        if len(added) == len(setters) or path_of(owner.value) != THREAD_LOCAL:
            setting = failing_in_context(setting, owner.value, reading.written, function, linker)
        if is_empty and len(added) == len(setters):
            text = text_of_empty(owner, linker)
            met = failing_empty(setting.met, reading.written, text, function, linker)
            setting = replace(setting, met=met)
        if isinstance(owner.value, ContainerValue) and len(added) == len(setters):
            met = failing_without_added(setting.met, reading.written, owner.text, added, function, linker)
            setting = replace(setting, met=met)
        if len(added) == len(setters):
            met = failing_in_object(setting.met, owner, reading.written, function, linker)
            met = failing_by_attribute(met, owner, reading.written, code, linker)
            if isinstance(owner.value, InstanceValue) and met == owner.still:
                met = still_of_attribute(met, owner.value, setting.site, linker)
            setting = replace(setting, met=met)
        met = refused(setting.met, owner.value, reading.written, function, linker)
        setting = replace(setting, met=met)
        endless = endless_wait(thing_of_module(owner, linker), code, linker) if linker.moving_to is not None else None
        if endless is not None and setting.met.error is None:
            setting = replace(setting, met=replace(setting.met, error=endless))
        is_flag = isinstance(owner.value, ConstantValue) and owner.text != "None"  # which code asks for what it says
        setting = replace(setting, met=_of_replaced(owner, setting, linker))
        is_sure = linker.moving_to is not None or (
            (
                error_of_empty(reading.written, owner.text, function) is not None
                or (takes_default(reading.written, function) and is_set_before_start(setting, code, linker))
            )
            and not _filling(owner, code, linker, setters)
        )  # Most empty containers are caches, which each process fills for itself, or plugins fill them.
        is_doubted = is_empty and (reading.is_asked or not is_sure)
        sure = _by_import(owner, reading, function, code, linker, setters)[0] if is_doubted else None
        if sure is not None and not sure[0].is_asked:
            return sure
        if is_doubted and may_be_filled_in_workers(_filling(owner, code, linker, setters), code, linker):
            return None
        reading = doubted if is_doubted else replace(reading, is_asked=reading.is_asked and not is_flag)
        return without_attribute(owner, reading, setting, function, linker)
    stored: list[tuple[Setter, bool]] = []
    told = [*set_as_told(owner, reading.written, function, code, linker, asker), *set_by_table(owner, linker, asker)]
    if linker.moving_to is not None:
        told += (*globals_set_by_options(owner, linker, asker), *globals_told(owner, linker, asker))
        stored = list(stored_by_any_name(owner.name, owner.module, linker, asker))
        told += (setter for setter, is_sure in stored if is_sure)
    setting = set_by(of_the_program(told, code, linker), owner.still, linker, asker)
    if setting is not None:
        return reading, setting
    by_any = [*set_by_any_attribute(owner, code, linker, asker), *(setter for setter, _ in stored)]
    setting = set_by(of_the_program(by_any, code, linker), owner.still, linker, asker)
    found, filling = (None, []) if setting else _by_import(owner, reading, function, code, linker, setters)
    if found is not None and not found[0].is_asked:
        return found
    if (setting is None or filling) and isinstance(owner.value, (ContainerValue, InstanceValue)):
        lacking = filling if found is not None else ()
        made = filled_by_scripts(owner, reading.written, function, code, linker, lacking)
        if made is not None:
            return reading, made
    return found or ((doubted, setting) if setting is not None else None)


def _by_import(
    owner: Owner,
    reading: Reading,
    function: WorkerFunction,
    code: WorkerCode,
    linker: Linker,
    setters: Iterable[Setter],
) -> tuple[tuple[Reading, Setting] | None, list[Module]]:
    """How the import of modules by the main process alone fills a thing, where it only may with a reading that asks;
    and all modules that fill it when they are imported."""
    if not isinstance(owner.value, (ContainerValue, InstanceValue, ClassValue)):
        return None, []
    is_container = isinstance(owner.value, ContainerValue)
    filling = _filling(owner, code, linker, setters) if is_container else modules_filling(owner, code, linker)
    setting = filled_by_import(filling, function, code, linker, _names_filling(owner) if filling else ())
    if setting is None:
        return None, filling
    if is_container:
        met = failing_empty(setting.met, reading.written, owner.text, function, linker)
        setting = replace(setting, met=met)
    if linker.moving_to is not None and is_seen_to_import(code, setting.site.module, linker):
        return (replace(reading, is_asked=False), setting), filling
    is_sure = linker.moving_to is None and not reading.is_asked
    if is_sure and is_imported_by_main(setting.site.module, code, linker):
        return (reading, setting), filling
    return (replace(reading, is_asked=True), setting), filling


def _is_first_state(setter: Setter, owner: Owner, linker: Linker) -> bool:
    """Whether a statement puts something into an object when its module is imported, itself or as the module uses a
    decorator: every process has that, and lacks what main adds to it."""
    is_filled = not isinstance(owner.value, (FunctionValue, ClassValue, ConstantValue))
    return is_filled and (_is_at_import(setter) or _decorates_at_import(setter, owner, linker))


def _decorates_at_import(setter: Setter, owner: Owner, linker: Linker) -> bool:
    """Whether a local function fills a container of its module, and is what a decorator there gives back."""
    is_own = setter.module is owner.module and isinstance(owner.value, ContainerValue) and setter.facts.is_local
    if not is_own or not runs_on_import(setter.facts, setter.module, linker):
        return False
    return runs_on_import(outer_function(setter.facts, setter.module), setter.module, linker)


def _writes_rows(setter: Setter) -> bool:
    """Whether a call writes to a database: to read, workers call the same methods."""
    return WRITES_ROWS.search(setter.module.code, setter.span.start, setter.span.end) is not None


def _of_replaced(owner: Owner, setting: Setting, linker: Linker) -> Met:
    """What a worker meets of a class; of one of which main replaces a method, perhaps nothing but an error."""
    site = setting.site
    if linker.moving_to is None:
        return setting.met
    if isinstance(owner.value, FunctionValue):
        error = only_raised(owner.value.facts, owner.value.module)
        return replace(setting.met, error=error) if error is not None else setting.met
    replaced = name_replaced(site.module, site.span.start, site.span.end)
    if replaced is None or not isinstance(owner.value, ClassValue):
        return setting.met
    found = linker.classes.find_method(owner.value, replaced)
    error = only_raised(found[1], found[0].module) if found is not None else None
    return replace(setting.met, error=error) if error is not None else setting.met


def _has_own_contents(value: AbstractValue, linker: Linker) -> bool:
    """Whether `in` calls a method of the program for an object."""
    return isinstance(value, InstanceValue) and linker.classes.find_method(value, "__contains__") is not None


def _counted(owner: Owner, reading: Reading, code: WorkerCode, linker: Linker) -> tuple[Reading, Setting] | None:
    """How the main process counts up a number, or fills a container, by what workers call, too."""
    asker = code.root.site.module.path
    if linker.moving_to is not None and isinstance(owner.value, ContainerValue) and owner.value.kind != "iterator":
        kept = kept_by_both(owner, code, linker, asker)
        if kept is None:
            kept = cached_otherwise(owner, object_setters(owner, code, linker, asker), code, linker, asker)
        return (replace(reading, is_asked=True), kept) if kept is not None else None
    if linker.moving_to is None or not isinstance(owner.value, ConstantValue):
        return None
    setters = of_the_program(counted_by_both(owner, code, linker, asker), code, linker)
    setting = set_by(setters, begins_with(owner), linker, asker)
    return (replace(reading, is_asked=False), setting) if setting is not None else None


def _met(owner: Owner, linker: Linker) -> Met:
    """What a worker has instead of what the main process has."""
    state = state_of(owner.value, linker)
    return Met(state.outcome, "changed", state.error) if state is not None else owner.still


def _is_followed(value: AbstractValue, linker: Linker) -> bool:
    if linker.moving_to is not None and (isinstance(value, (PlainValue, ExternalResult)) or state_of(value, linker)):
        return True
    return isinstance(value, (InstanceValue, ClassValue, FunctionValue, ContainerValue, ConstantValue)) or (
        path_of(value) in OF_THE_CONTEXT
    )


def _rebound_where_imported(
    owner: Owner, reading: Reading, function: WorkerFunction, linker: Linker, asker: str
) -> Iterator[Setter]:
    """Where the module of a function gives a name that it has imported another value."""
    module = function.module
    if module is not owner.module and reading.written in module.outline.imports:
        for facts in setters_of(reading.written, module):
            for span in rebound(reading.written, facts, module):
                yield Setter(module, facts, span, is_called(facts, module, linker, asker))


def _filling(owner: Owner, code: WorkerCode, linker: Linker, setters: Iterable[Setter]) -> list[Module]:
    """The modules that fill a container when they are imported; none if workers fill it themselves. `setters` are the
    places that change it, some in the modules' own code."""
    fillers = [facts for facts in changing(owner.name, owner.module) if not facts.is_module_body]
    if any(each.facts in fillers for each in code.functions):
        return []
    elsewhere = (each for each in setters if each.module is not owner.module)
    filling = [each.module for each in elsewhere if _is_at_import(each)] if linker.moving_to is not None else []
    for facts in fillers:
        named, asker = outer_function(facts, owner.module), code.root.site.module.path
        if linker.moving_to is not None:
            filling += deriving(bases_noting(facts, owner.module, linker, asker), linker, asker)
        for module in linker.first_party.naming_in_text(Words({named.name}), code.root.site.module.path):
            if module is not owner.module and runs_on_import(named, module, linker):
                filling.append(module)
    return filling


def _names_filling(owner: Owner) -> frozenset[str]:
    """The names of an object, and of the functions of its module that fill it, by which other modules do."""
    fillers = (facts for facts in changing(owner.name, owner.module) if not facts.is_module_body)
    return frozenset({owner.name, *(outer_function(facts, owner.module).name for facts in fillers)})


def _is_at_import(setter: Setter) -> bool:
    """Whether the import of a module runs a place."""
    return setter.facts.is_module_body and guard_of(setter.span.start, setter.module) is None
