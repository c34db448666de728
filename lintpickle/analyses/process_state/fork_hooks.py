"""What the hooks of `os.register_at_fork` do: they run as a process is forked, and workers that start otherwise lack
it. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.main_state.main_setters import Met, Setting, modules_of_program
from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.analyses.main_state.reset_at_fork import REGISTERS, is_made_alike
from lintpickle.analyses.process_state.process_settings import NOT_THERE
from lintpickle.analyses.process_state.setting_makers import makings
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.analyses.process_state.setting_uses import Dependence, uses_in_workers
from lintpickle.analyses.workers.runs_elsewhere import runs_in_workers
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, chain, ending_name, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, FunctionValue, ModuleValue, Site
from lintpickle.interpreter.partials import without_partials
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import MERGING_METHODS, PUTTING_METHODS
from lintpickle.payload.entry_arguments import UNKNOWN_ARGUMENTS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_reader import code_of
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_REGISTER = "register_at_fork"
_HOOKS = ("after_in_child", "before")
_CHANGING = frozenset({"clear", *PUTTING_METHODS, *MERGING_METHODS})
_AS_AT_IMPORT = Met("there it is as at import", "changed")
_SEED, _DRAWS = "random.seed", "random."
SEED_OF_RANDOM = "the seed of `random`"


class _Changed(Struct, frozen=True):
    """An attribute that a hook changes, and where."""

    attribute: str
    site: Site
    function: FunctionFacts


def attributes_set_at_fork(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The attributes that functions of workers read, each once, and that hooks change."""
    told = set[str]()
    for changed in _changed(code, linker):
        read = re.compile(rf"\b\w+\.{re.escape(changed.attribute)}\b(?!\s*[-+*/|&]?=[^=])")
        for function in code.functions:
            module, facts = function.module, function.facts
            found = read.search(module.code, facts.header.end, facts.span.end) if module.first_party else None
            if found is not None and changed.attribute not in told:
                told.add(changed.attribute)
                yield (
                    function,
                    Reading(found.group(), Span(*found.span()), False),
                    _setting(changed.site, changed.function, _AS_AT_IMPORT),
                )


def settings_made_at_fork(code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Dependence, Setting]]:
    """What of the process hooks set, in words, with what depends on it in the workers: the seed of `random`, and the
    settings that other workers get along from the process that starts them, or the server. (All others, `main` sets, as
    far as `process_settings` is concerned.)"""
    running = _hooks(code, linker)
    uses = list(uses_in_workers(code, linker)) if running else []
    for place, spec in enumerate(linker.catalog.settings()) if running else ():
        depending = [(function, used.dependences[place]) for function, used in uses if place in used.dependences]
        made = (
            (hook, each.span)
            for hook in running
            for each in (makings(spec, hook.module) if spec.only is not None and depending else ())
            if each.function is hook.facts
        )
        first = next(made, None)
        if first is not None:
            hook, span = first
            function, (written, where) = depending[0]
            setting = _setting(Site(hook.module, span), hook.facts, NOT_THERE)
            yield spec.what, Dependence(function, written, where), setting
    seeded = next((found for hook in running for found in _called(hook, _SEED)), None)
    drawing = next(_drawn(code), None) if seeded is not None else None
    if drawing is not None and seeded is not None:
        met = Met("there each process draws its own seed at random", "set")
        yield SEED_OF_RANDOM, drawing, _setting(Site(seeded[0].module, seeded[1]), seeded[0].facts, met)


def _hooks(code: WorkerCode, linker: Linker) -> list[WorkerFunction]:
    """What runs as a process of the program is forked, and that no worker runs otherwise."""
    if linker.moving_to is None:
        return []
    asker = code.root.site.module.path
    found = linker.remembered(("fork hooks", asker), lambda: tuple(_all_hooks(linker, asker)))
    there = modules_of_program(code, linker) if found else frozenset()
    return [
        each
        for each in found
        if each.module.path in there and not runs_in_workers(each.facts, each.module, linker, asker)
    ]


def _all_hooks(linker: Linker, asker: str) -> Iterator[WorkerFunction]:
    for root in linker.activations_with({_REGISTER}, REGISTERS, asker):
        for event in root.function.events:
            if not isinstance(event, Called) or ending_name(event.call.function) != _REGISTER:
                continue
            for hook in filter(None, map(event.call.keyword, _HOOKS)):
                for function in _functions(hook, root, asker, linker):
                    yield from code_of(function, UNKNOWN_ARGUMENTS, (), linker)


def _functions(hook: Expr, root: RootFrame, asker: str, linker: Linker) -> Iterator[FunctionValue]:
    """What a hook is; of a parameter, or a method of one, with what calls give the function that registers it."""
    found = [*_functions_in(hook, root.frame, linker)]
    if found:
        yield from found
    elif root.function.parameters:
        seen = set[int]()
        for frame in frames_of_calls(root.function, asker, linker):
            for each in _functions_in(hook, frame, linker):
                if id(each.facts) not in seen:
                    seen.add(id(each.facts))
                    yield each


def _functions_in(hook: Expr, frame: Frame, linker: Linker) -> Iterator[FunctionValue]:
    for traced in without_partials(linker.evaluate(hook, frame), linker.evaluator):
        if isinstance(traced.value, FunctionValue):
            yield traced.value


def _changed(code: WorkerCode, linker: Linker) -> Iterator[_Changed]:
    """The attributes that hooks change, but for those that they make again as they were made first."""
    for hook in _hooks(code, linker):
        for event in hook.facts.events:
            found = _attribute_changed(event)
            if found is None:
                continue
            holder, attribute, value = found
            holders = (traced.value for traced in linker.evaluate(holder, hook.frame))
            is_of_library = any(isinstance(each, (ExternalValue, ModuleValue)) for each in holders)
            if not is_of_library and not is_made_alike(attribute, value, hook.facts, hook.module):
                yield _Changed(attribute, Site(hook.module, event.span), hook.facts)


def _attribute_changed(event: Event) -> tuple[Expr, str, Expr | None] | None:
    """What an event changes: whose attribute, its name, and the value that it gets; None for the value if the event
    changes what the attribute holds (`self.entries.clear()`)."""
    match event:
        case Store(target=target, attribute=attribute, value=value):
            return target, attribute, value
        case ItemStore(target=target):
            held = without_narrowing(target)
        case Called(call=Call(function=Attribute(base=base, name=method))) if method in _CHANGING:
            held = without_narrowing(base)
        case _:
            return None
    return (held.base, held.name, None) if isinstance(held, Attribute) else None


def _drawn(code: WorkerCode) -> Iterator[Dependence]:
    """Where workers draw from `random` itself."""
    for function in code.functions:
        for event in function.facts.events if function.module.first_party else ():
            path = _path_called(event, function)
            if path.startswith(_DRAWS) and path.rpartition(".")[2].islower() and path != _SEED:
                yield Dependence(function, path, event.span)


def _called(function: WorkerFunction, path: str) -> Iterator[tuple[WorkerFunction, Span]]:
    return ((function, each.span) for each in function.facts.events if _path_called(each, function) == path)


def _path_called(event: object, function: WorkerFunction) -> str:
    parts = chain(event.call.function) if isinstance(event, Called) else None
    return imported_path(parts, function.module) or "" if parts is not None else ""


def _setting(site: Site, hook: FunctionFacts, met: Met) -> Setting:
    return Setting(met, f"by `{hook.name}()`, as a process is forked", site, setter=hook)
