"""Configurations that only the main process fills from files and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from lintpickle.analyses.at_import.import_callers import is_imported
from lintpickle.analyses.main_state.main_attributes import Mention, is_read, mentions, names_with_attributes
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, set_by
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, without_narrowing
from lintpickle.interpreter.frames import passed_first
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_METHODS = frozenset({"merge_from_file", "merge_from_list", "merge_from_other_cfg"})
"""Methods that fill a `CfgNode` (yacs 0.1.8, and its derivatives)."""
_WORDS = Words(_METHODS)
_MERGE = re.compile(r"\.\s*merge_from_\w+\s*\(")
_DEFAULTS = Met("there it has its defaults", "configured")
_Place: TypeAlias = tuple[str, int]
"""Where an object gets its name: the path of a module, and an offset."""


def configs_set(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Mention, Setting]]:
    """The configurations that the functions of workers read with their defaults: each once, with the function that
    reads it first and an entry that it reads, and how the main process comes to have others."""
    home = code.root.site.module
    told: set[_Place] = set()
    for function in code.functions if linker.first_party.is_anywhere(_WORDS, home.path) else ():
        for name in names_with_attributes(function) if function.module.first_party else ():
            place = _place(name, function.module, linker)
            if place is None or place in told:
                continue
            entries = (mention for mention in mentions(function) if mention.name == name)
            entry = next((mention for mention in entries if is_read(mention, function)), None)
            if entry is not None:
                told.add(place)
                setting = set_by(_mergers(place, home, linker), _DEFAULTS, linker, home.path)
                if setting is not None:
                    yield function, entry, setting


def _place(name: str, module: Module, linker: Linker) -> _Place | None:
    """Where a first-party module binds what a name stands for, if that is no class or function."""
    for home, block in linker.own_places.of_name(module, name):
        if home.first_party and block.always_binds:
            return home.path, block.span.start
    return None


def _mergers(place: _Place, asker: Module, linker: Linker) -> Iterator[Setter]:
    """The code that fills the configuration. If a script starts the workers, code of other scripts does not count."""
    is_script = not is_imported(asker, linker, asker.path)
    for root in linker.activations_with(_METHODS, _MERGE, asker.path):
        for event in root.function.events:
            match event:
                case Called(call=Call(function=Attribute(base=base, name=method))) if method in _METHODS:
                    for home, facts, span in _merging(base, event.span, root, place, asker, linker):
                        is_certain = not is_script or home is asker or is_imported(home, linker, asker.path)
                        yield Setter(home, facts, span, is_certain)
                case _:
                    pass


def _merging(
    base: Expr, span: Span, root: RootFrame, place: _Place, asker: Module, linker: Linker
) -> Iterator[tuple[Module, FunctionFacts, Span]]:
    """The functions, by their modules, and calls that fill what a method is called on: its own, or those which pass it
    to that."""
    module = root.frame.module
    match without_narrowing(base):
        case Name(name=name) if _place(name, module, linker) == place:
            yield module, root.function, span
        case Parameter(name=parameter):
            for calling in linker.callers.frames(root, asker.path):
                first, hops = passed_first(calling.frame.bindings.get(parameter)), calling.hops
                if first is not None and first.frame is not None and isinstance(first.expr, Name):
                    home = first.frame.module
                    if _place(first.expr.name, home, linker) == place and hops:
                        yield home, first.frame.function, hops[0].site.span
        case _:
            pass
