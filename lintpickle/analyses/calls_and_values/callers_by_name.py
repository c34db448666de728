"""Who calls a function, by its name in the text of the program: whether that can be the program that starts workers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.at_import.import_runs import names_kept, runs_on_import
from lintpickle.analyses.at_import.import_time import callable_name, functions_of
from lintpickle.analyses.at_import.naming_modules import has_another
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.imported_modules import imported_by_functions, imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_DEEPEST = 3
"""How many callers of callers are asked: what is called from further away may be called by anybody."""


def is_called_by_others_alone(function: FunctionFacts, home: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether all calls of a function that are seen end in modules that have nothing to do with the program that starts
    the workers: scripts beside it, or other commands of its command line. A function that nobody is seen to call may be
    called by anybody, and so may one that its module keeps in a table."""
    return not _may_be_called(function, home, code, linker, 0, set())


def runs_on_import_of_workers(function: FunctionFacts, code: WorkerCode, linker: Linker) -> bool:
    """Whether a module that workers import names a function in what it does at import, and means it."""
    imported = imported_with([code.root.site.module, *(each.module for each in code.functions)], linker)
    return any(
        runs_on_import(function, module, linker) and _means(function, module, linker)
        for module in _naming(function, code, linker)
        if module in imported
    )


def _naming(function: FunctionFacts, code: WorkerCode, linker: Linker) -> Iterator[Module]:
    words = Words({callable_name(function)})
    return linker.first_party.naming_in_text(words, code.root.site.module.path)


def _means(function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether the name of a function stands for it in a module."""
    found = linker.evaluator.names.lookup(module, function.name)
    return any(each.function is function for each in found)


def _may_be_called(
    function: FunctionFacts, home: Module, code: WorkerCode, linker: Linker, depth: int, seen: set[int]
) -> bool:
    if function.is_module_body or depth > _DEEPEST or names_kept(function, home, linker):
        return True
    seen.add(id(function))
    found = calls_by_name(function, code.root.site.module.path, linker)
    callers = [each for each in found if not has_another(function, home, each[0])]
    if not callers:
        return True
    return any(
        _is_of_the_program(module, code, linker)
        and not _is_another_command(caller, module, code)
        and _may_be_called(caller, module, code, linker, depth + 1, seen)
        for module, caller, _ in callers
        if id(caller) not in seen
    )


def _is_another_command(function: FunctionFacts, module: Module, code: WorkerCode) -> bool:
    """Whether a function is a command of a command line, as click and typer make them, and not the one that starts the
    workers."""
    if not function.decorated_by("command") or code.boundary is None:
        return False
    return all(site.module is not module for site in code.way)


def calls_by_name(
    function: FunctionFacts, asker: str, linker: Linker
) -> tuple[tuple[Module, FunctionFacts, Span], ...]:
    """Where the name of a function is called, each with the function around it. `asker` is as for
    `OwnModules.search`."""
    name = callable_name(function)
    called = re.compile(rf"(?<!def )(?<!class )\b{re.escape(name)}\(")
    modules = tuple(linker.first_party.naming_in_text(Words({name}), asker, called))
    return linker.remembered(("calls by name", name), lambda: tuple(_calls(called, modules)))


def _calls(called: re.Pattern[str], modules: Iterable[Module]) -> Iterator[tuple[Module, FunctionFacts, Span]]:
    for module in modules:
        for caller in functions_of(module, called, lambda facts: True):
            for found in called.finditer(module.code, caller.span.start, caller.span.end):
                if owns(caller, found.start()):
                    yield module, caller, Span(*found.span())


def _is_of_the_program(module: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether a module is imported by the program that starts the workers, or imports what starts them, be it in a
    function."""
    start = code.root.site.module
    starts = [site.module for site in code.way]
    if module in imported_with(starts, linker) or start in imported_with([module], linker):
        return True
    later = imported_by_functions([module], linker)
    return bool(later) and start in imported_with(later, linker)
