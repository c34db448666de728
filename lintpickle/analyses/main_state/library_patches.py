"""What the main process replaces in libraries, or adds to their classes, and workers use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.mock_patches import calls_in_force, patched_by
from lintpickle.analyses.calls_and_values.stored_by_call import stored_by_call
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by
from lintpickle.analyses.process_state.process_settings import NOT_THERE
from lintpickle.analyses.process_state.setting_makers import is_below
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.analyses.process_state.setting_uses import MARKS, OF_BUILTINS, Dependence, used_by
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Event, Store
from lintpickle.facts.values import Expr, chain
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words

_NAMING_BUILTINS = Words({"builtins"})
_ON_CLASS = re.compile(
    r"""\b[A-Z]\w*\.([a-z]\w*)[ \t]*=(?!=)|\bsetattr\([ \t]*(?:\w+\.)*[A-Z]\w*[ \t]*,[ \t]*["'](\w+)["']"""
)
_SENT_ALONG = frozenset({"sys.argv", "sys.path"})
"""What each worker is given as it is in main when the worker starts (`get_preparation_data`), under every method."""
_OF_PLAIN_DATA = frozenset(
    name for kind in (str, bytes, list, tuple, dict, set, int, float, object) for name in dir(kind)
)


def patches_made(code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Dependence, Setting]]:
    """The library functions and values that workers use, each once, with how the main process replaces them."""
    told: set[str] = set()
    known = [pattern for spec in linker.catalog.settings() for pattern in spec.by]
    may_add_builtins = linker.first_party.is_anywhere(_NAMING_BUILTINS, code.root.site.module.path)
    for path, dependence in (each for function in code.functions for each in used_by(function)):
        owner, _, name = path.rpartition(".")
        if path in _SENT_ALONG or path.startswith(MARKS) or (path.startswith(OF_BUILTINS) and not may_add_builtins):
            continue
        if path in told or not owner or any(is_below(path, pattern) for pattern in known):
            continue
        if not _is_own(owner, dependence, linker):
            told.add(path)
            patching = (setter for made, setter in _stored_under(name, code, linker) if made == path)
            setting = set_by(of_the_program(patching, code, linker), NOT_THERE, linker, code.root.site.module.path)
            if setting is not None:
                yield path, dependence, setting


def _is_own(owner: str, dependence: Dependence, linker: Linker) -> bool:
    """Whether a path is that of a module of the program, or of something in one."""
    module = dependence.function.module
    found = linker.program.find(owner, module) or linker.program.find(owner.rpartition(".")[0] or owner, module)
    return found is not None and found.first_party


def methods_added(code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Dependence, Setting]]:
    """The methods that workers call on objects of unknown classes, each once, that only the main process gives a class
    of a library which their module names: `logging.Logger.trace = trace`."""
    told: set[str] = set()
    stored = linker.remembered("names stored on classes", lambda: _stored_on_classes(linker))
    for path, dependence in (each for function in code.functions for each in used_by(function) if stored):
        name = path[1:]
        if not path.startswith(".") or name not in stored or name in told:
            continue
        told.add(name)
        here = dependence.function.module
        for class_, setters in _classes_given(name, code, linker).items():
            if class_.partition(".")[0] in here.code:
                found = of_the_program(setters, code, linker)
                met = _without(class_.rpartition(".")[2], name, setters)
                setting = set_by(found, met, linker, code.root.site.module.path)
                if setting is not None:
                    yield f"{class_}.{name}", dependence, setting


def _stored_on_classes(linker: Linker) -> frozenset[str]:
    """The names under which the modules that are judged store something on what is written like a class."""
    found = (each for module in linker.scope for each in _ON_CLASS.finditer(module.code))
    names = frozenset(each[1] or each[2] for each in found)
    return frozenset(name for name in names - _OF_PLAIN_DATA if not name.startswith("__"))


def _without(class_: str, name: str, setters: Iterable[Setter]) -> Met:
    """What a worker meets of a method that main gives a class: its old one, if main keeps that, or none."""
    keeping = re.compile(rf"=\s*[\w.]*\b{re.escape(class_)}\.{re.escape(name)}\b")
    if any(keeping.search(each.module.code) for each in setters):
        return NOT_THERE
    error = f"AttributeError: '{class_}' object has no attribute '{name}'"
    return Met(error, "set", error)


def _classes_given(name: str, code: WorkerCode, linker: Linker) -> dict[str, list[Setter]]:
    """The classes of libraries under which something is stored by that name, by their paths, with what stores it."""
    found: dict[str, list[Setter]] = {}
    for path, setter in _stored_under(name, code, linker):
        owner = path.rpartition(".")[0]
        if (
            owner.rpartition(".")[2][:1].isupper()
            and linker.program.find(owner.partition(".")[0], setter.module) is None
        ):
            found.setdefault(owner, []).append(setter)
    return found


def _stored_under(name: str, code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Setter]]:
    """The functions that store something by that name on a module or class that they import, each with the path."""
    word = re.escape(name)
    # It begins with the word: see `prefilter.words.alone`.
    form = re.compile(rf"""{word}(?:(?<=\.{word})(?:\s*=(?!=)|["']\s*,)|(?<=["']{word})["']\s*(?:\]\s*=(?!=)|,))""")
    for root in linker.activations_with({name}, form, code.root.site.module.path):
        module = root.frame.module
        patched = _patched(name, root)
        yield from ((path, Setter(module, root.function, span, True)) for path, span in patched)
        for event in root.function.events:
            for target in _given_by(event, name, root, linker):
                parts = chain(target)
                path = imported_path((*parts, name), module) if parts is not None else None
                if path is not None:
                    yield path, Setter(module, root.function, event.span, True)


def _patched(name: str, root: RootFrame) -> Iterator[tuple[str, Span]]:
    """The paths of what tests replace under that name: `patch("time.time", …)`, `patch.object(time, "time", …)`."""
    module = root.frame.module
    for call in calls_in_force(root.function):
        patched = patched_by(call, module)
        if patched is None or patched.name != name:
            continue
        parts = chain(patched.holder) if patched.holder is not None else None
        path = imported_path((*parts, name), module) if parts is not None else f"{patched.path}.{name}"
        if path is not None and (patched.holder is None or parts is not None):
            yield path, call.span


def _given_by(event: Event, name: str, root: RootFrame, linker: Linker) -> Iterator[Expr]:
    """What is given an attribute of that name."""
    match event:
        case Store(target=target, attribute=attribute) if attribute == name:
            yield target
        case Called(call=call):
            yield from (each.target for each in stored_by_call(call, root, name, linker))
        case _:
            pass
