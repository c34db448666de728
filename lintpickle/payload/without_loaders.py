"""Datasets of programs that have no loader: they take the items themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.by_kind import ALWAYS_FOLLOWED_KINDS
from lintpickle.payload.imported_modules import imports_module
from lintpickle.payload.never_loaded import names_loaders
from lintpickle.payload.own_loaders import loads_by_own_classes
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.payload.unused import MAIN_GUARD
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_IMPORTING = Words({"import"})
_OF_FILES = "".join(
    f"(?<!{kind})"
    for kind in ("SourceFile", "Safe", "Full", "Unsafe", "Base", "FileSystem", "Package", "Extension", "Resource")
)
"""What loaders are called that load no datasets: those of `importlib`, PyYAML and Jinja."""
_LOADING = re.compile(rf"{_OF_FILES}Loader\b|data_?loader(?!\s+import\b)")
"""What stands in programs that may load a dataset in a way that is not followed, beside the names of trainers."""


def is_used_without_loaders(class_: ClassValue, linker: LinkedProgram) -> bool:
    """Whether nothing in the program loads datasets, and a script of it (a file with a main guard) imports the module
    of a dataset's class. What a library offers to its users, these may load."""
    module = class_.module
    if linker.classes.kind(class_) not in ALWAYS_FOLLOWED_KINDS:
        return False
    if linker.users.may_ship(class_) or linker.public.has(class_):
        return False
    if linker.has_loaders(module) or names_loaders(module, linker):
        return False
    first_party = linker.first_party
    if first_party.is_anywhere(Words(linker.catalog.trainer_names()), module.path):
        return False
    if first_party.is_anywhere(_IMPORTING, module.path, _LOADING) and not _loads_in_process(module, linker):
        return False
    return any(map(partial(_is_imported_by_script, linker=linker, asker=module), _homes(module, linker)))


def _loads_in_process(module: Module, linker: LinkedProgram) -> bool:
    """Whether what the program calls loaders are classes of its own, and it starts no workers that these may use."""
    if linker.has_workers(module):
        return False
    return loads_by_own_classes(linker.first_party.naming(_IMPORTING, module.path, _LOADING), linker)


def _homes(module: Module, linker: LinkedProgram) -> Iterator[Module]:
    """A module, and the packages in which it stands, which may pass on what it defines."""
    yield module
    name = module.name.rpartition(".")[0]
    while name:
        package = linker.program.find(name, module)
        if package is not None:
            yield package
        name = name.rpartition(".")[0]


def _is_imported_by_script(home: Module, linker: LinkedProgram, asker: Module) -> bool:
    words = Words({home.name.rpartition(".")[2]})
    return any(
        linker.purposes.is_library(script.path) and imports_module(script, home, linker.program)
        for script in linker.first_party.naming_in_text(words, asker.path, MAIN_GUARD)
    )
