"""Which functions run when modules are imported because other modules call them, or when scripts begin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_runs import (
    calling,
    is_called_under_guard,
    names_kept,
    runs_on_import,
    uses_at_import,
)
from lintpickle.analyses.at_import.import_time import (
    callable_name,
    callers_in,
    is_called_by,
    is_main_file,
    outer_function,
)
from lintpickle.analyses.at_import.naming_modules import imported_by, modules_naming
from lintpickle.analyses.calls_and_values.name_uses import UsedName
from lintpickle.analyses.calls_and_values.wrapping_functions import decorated_with, without_makers
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.imported_modules import imports_module, lists_module
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module
from lintpickle.source.file_kinds import PlaceKind

_MODULES_ON_THE_WAY = 3
"""Through how many modules a call is followed that one of them may make when it is imported."""
_IMPORTING = re.compile(
    r"^[ \t]*(?:from|import)[ \t]|[\"'][^\"'\n]*[.:][^\"'\n]*[\"']|\bimport_module\(|__import__\(", re.MULTILINE
)
"""What stands in modules that may import others."""
_LISTING = re.compile(r"\b__(?:path|name|package)__\b|[\"'][\w.]+[\"']")
"""What stands in modules that may import those of a package which they list: its name in quotes, or its own."""
_PROGRAM = "main"
"""The name of the function that starts the workers, as a rule, so that a script which calls it needs a guard."""


def runs_on_another_import(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    """Whether a module that names a function's own may call it when it is imported, outside of its main guard, or calls
    a function of another one that does. A script that nobody imports does so only as the program that it is, for
    workers of its own."""
    question = ("runs on another import", home.path, function.qualname, asker)
    return linker.remembered(question, lambda: _runs_on_another_import(function, home, linker, asker))


def _runs_on_another_import(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    steps, seen = list(_first_steps(function, home, linker)), {id(function)}
    if any(
        runs_on_import(each, place, linker) and _is_concerned(place, linker, asker)
        for each, place in steps
        if place is not home
    ):
        return True
    for _ in range(_MODULES_ON_THE_WAY):
        further: list[tuple[FunctionFacts, Module]] = []
        for called, place in steps:
            for module in _calling_modules(called, place, linker, asker):
                if runs_on_import(called, module, linker) and _is_concerned(module, linker, asker):
                    return True
                further += ((each, module) for each in callers_in(called, module))
            for kept, module in _modules_with_tables(called, place, linker, asker):
                if uses_at_import(kept, module, linker).is_called and _is_concerned(module, linker, asker):
                    return True
                further += ((each, module) for each in calling(kept, module, linker))
        steps = [(each, module) for each, module in further if id(each) not in seen]
        seen.update(id(each) for each, _ in steps)
    return False


def _first_steps(function: FunctionFacts, home: Module, linker: Linker) -> Iterator[tuple[FunctionFacts, Module]]:
    """A function and what calls it in its module, each with that; for `migrate`, instead of what is put around others
    and the decorator that does so, these others."""
    for each in without_makers(_with_callers(function, home), home, linker):
        decorated = decorated_with(each, home, linker, home.path)
        yield from ((one.facts, one.module) for one in decorated) if decorated else ((each, home),)


def _with_callers(function: FunctionFacts, home: Module) -> list[FunctionFacts]:
    """A function, and those of its module that call it, also by way of others; of functions in others, these too."""
    found, seen = [function], {id(function)}
    for each in found:
        callers = [other for other in (outer_function(each, home), *callers_in(each, home)) if id(other) not in seen]
        seen.update(map(id, callers))
        found += callers
    return found


def _is_concerned(module: Module, linker: Linker, asker: str) -> bool:
    return module.path == asker or is_imported(module, linker, asker)


def is_called_as_kept(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    """Whether the program calls a function out of what its module keeps it in: `COMMANDS[name](args)`."""
    return not function.is_module_body and any(
        bool(calling(kept, module, linker)) or is_called_under_guard(kept, module, linker)
        for kept, module in _tables(function, home, linker, asker)
    )


def calling_as_kept(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> Iterator[FunctionFacts]:
    """The functions of the program that may call a function out of what its module keeps it in."""
    for kept, module in _tables(function, home, linker, asker) if not function.is_module_body else ():
        yield from calling(kept, module, linker)


def _tables(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> Iterator[tuple[UsedName, Module]]:
    """What a module keeps a function in, each with the module, and with the others that name it."""
    yield from ((UsedName(name, True), home) for name in sorted(names_kept(function, home, linker)))
    yield from _modules_with_tables(function, home, linker, asker)


def _modules_with_tables(
    function: FunctionFacts, home: Module, linker: Linker, asker: str
) -> Iterator[tuple[UsedName, Module]]:
    """The other modules that name what a module keeps a function in, each with that."""
    for name in sorted(names_kept(function, home, linker)):
        for module in linker.first_party.naming_in_text(Words({name}), asker, imported_by(home)):
            if module is not home and _may_call(name, module):
                yield UsedName(name, True), module


def runs_in_scripts_alone(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    """Whether only scripts call a function, outside of their main guards, also by way of others: their workers run
    them again, and so have what it sets. Measured with CPython 3.11 under spawn and forkserver: `python main.py` and
    `python -m main` are run again, a file `__main__.py` is not, nor is a notebook."""
    if function.is_module_body:
        return False
    question = ("runs in scripts alone", home.path, function.qualname, asker)
    return linker.remembered(question, lambda: _runs_in_scripts_alone(function, home, linker, asker))


def _runs_in_scripts_alone(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> bool:
    function = outer_function(function, home)
    waiting, seen, is_called = [(function, home, 0)], {id(function)}, False
    while waiting:
        called, place, rounds = waiting.pop()
        if called.name == _PROGRAM:
            return False
        modules = [place, *_calling_modules(called, place, linker, asker)]
        modules = [each for each in modules if linker.purposes.kind(each.path) is not PlaceKind.TESTS]
        callers = [(each, module) for module in modules for each in callers_in(called, module) if each is not called]
        at_start = [module for module in modules if is_called_by(called, module, under_guard=False)]
        if any(is_called_by(called, module, under_guard=True) for module in modules if module not in at_start):
            return False
        if any(is_main_file(each) or each.document.cells is not None for each in at_start):
            return False
        callers = [(each, module) for each, module in callers if module not in at_start and id(each) not in seen]
        if (callers and rounds == _MODULES_ON_THE_WAY) or not (callers or at_start):
            return False
        is_called = is_called or bool(at_start)
        seen.update(id(each) for each, _ in callers)
        waiting += ((each, module, rounds + 1) for each, module in callers)
    return is_called


def _calling_modules(function: FunctionFacts, home: Module, linker: Linker, asker: str) -> Iterator[Module]:
    """The other modules that may call a function, by its name."""
    name = callable_name(function)
    if not function.is_module_body:
        naming = modules_naming(name, function, home, linker, asker)
        yield from (module for module in naming if _may_call(name, module))


def _may_call(name: str, module: Module) -> bool:
    """Whether a module has something of that name that is not its own: from an import, or as an attribute. (`setup.py`
    names functions in strings.)"""
    if module.outline.importing(name) or module.outline.stars:
        return True
    return re.search(rf"\.\s*{re.escape(name)}\b", module.code) is not None


def is_imported(module: Module, linker: Linker, asker: str) -> bool:
    """Whether another module of the program imports this one, in a function or not, by a statement, by its name in
    quotes, or because it lists the modules of a package. A package is imported with what is in it."""
    if module.file.is_package:
        return True
    return linker.remembered(("is imported", module.path, asker), lambda: _is_imported(module, linker, asker))


def _is_imported(module: Module, linker: Linker, asker: str) -> bool:
    package, _, last = module.name.rpartition(".")
    naming = linker.first_party.naming_in_text(Words({last}), asker, _IMPORTING)
    if any(each.path != module.path and imports_module(each, module, linker.program) for each in naming):
        return True
    around = linker.program.find(package, module) if package else None
    if around is not None and lists_module(around, module, linker):
        return True
    of_package = Words({package.rpartition(".")[2]} if package else ())
    listing = linker.first_party.naming_in_text(of_package, asker, _LISTING)
    return any(each.path != module.path and lists_module(each, module, linker) for each in listing)
