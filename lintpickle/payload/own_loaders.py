"""Loaders that are the program's own: plain classes that take the items of a dataset where they are used."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from lintpickle.parsing.imports import ImportedName
from lintpickle.payload.imported_modules import import_places
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.program.module import Module
from lintpickle.resolution.name_targets import NameTarget

_OF_CLASS = re.compile(r"(?<![\w.])(?P<owner>(?:\w+\.)*)(?P<name>\w*Loader)\b")
_CALLED = re.compile(r"(?<![\w.])(?P<owner>(?:\w+\.)+)(?P<name>\w*data_?loaders?\w*)\s*\(")
_NAMED = re.compile(r"Loader\b|data_?loader")
_PLAIN_BASES = ((), ("object",))


def loads_by_own_classes(modules: Iterable[Module], linker: LinkedProgram) -> bool:
    """Whether all that is called a loader in some modules is made by classes of the program that derive from nothing,
    and there is such a class: what stands for objects (`dataloader`) then stands for theirs."""
    is_one = False
    for module in modules:
        known = linker.remembered(("own loaders", module.path), partial(_is_of_own_classes, module, linker))
        if known is None:
            return False
        is_one |= known
    return is_one


def _is_of_own_classes(module: Module, linker: LinkedProgram) -> bool | None:
    """Whether a module names a loader class of the program; None if it may get a loader from elsewhere."""
    imported: dict[str, ImportedName] = {}
    for _, written in import_places(module):
        if written is None:
            return None
        imported.update({each.name or each.module: each for each in written})
    loaders = {name: each for name, each in imported.items() if _NAMED.search(name)}
    if not all(_is_own(each, module, linker) for each in loaders.values()):
        return None
    for found in _CALLED.finditer(module.code):
        head = found["owner"].partition(".")[0]
        if head in imported and not _is_own(imported[head], module, linker):
            return None
    names = {(found["owner"], found["name"]) for found in _OF_CLASS.finditer(_without_imports(module))}
    for owner, name in names:
        places = linker.places.of_name(module, f"{owner}{name}")
        if not places and not owner and name in loaders:
            places = tuple(linker.places.imported(module, loaders[name], ""))
        if not places or not all(_is_plain_class(place, name) for place in places):
            return None
    return bool(names)


def _without_imports(module: Module) -> str:
    code = module.code
    for place, _ in reversed(list(import_places(module))):
        code = code[: place.start] + code[place.end :]
    return code


def _is_own(imported: ImportedName, module: Module, linker: LinkedProgram) -> bool:
    """Whether an import is from a module of the program."""
    source = module.absolute(imported, linker.program.finder)
    found = linker.program.find(source, module) if source else None
    return found is not None and found.first_party


def _is_plain_class(place: NameTarget, name: str) -> bool:
    module, block = place
    headers = [header for header in block.classes if header.name == name]
    return module.first_party and bool(headers) and all(each.bases in _PLAIN_BASES for each in headers)
