"""The classes that a library offers to its users: those that a package exports, and public ones of public modules."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from lintpickle import disk
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import is_special_name
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.resolution.name_targets import NameTargets

_DECLARATIONS = (
    ("setup.py", re.compile(r"\bsetup\s*\(")),
    ("setup.cfg", re.compile(r"^\[metadata\]", re.MULTILINE)),
    ("pyproject.toml", re.compile(r"^\[(?:project|build-system|tool\.poetry)\]", re.MULTILINE)),
)
"""Files that say that a folder is built into a distribution, by what stands in them."""
_PROGRAMS = frozenset({"projects", "experiments", "research", "recipes"})
"""Folders at the top of a project whose packages are programs that use its library."""
_INSTALLED = ".dist-info"
_FOR_SCRIPTING = re.compile(r"torch_?script|script(?:ed|able|module)", re.IGNORECASE)
"""What stands in the names of classes that are made for TorchScript alone, and saved by its own means."""


class PublicClasses:
    """Answers questions about public classes, cached for a run. `root` is the folder of the project."""

    def __init__(self, program: Program, places: NameTargets, root: str) -> None:
        self._program = program
        self._places = places
        self._root = root
        self._known: dict[tuple[str, str], bool] = {}
        self._folders: dict[str, bool] = {}
        self._aliases: dict[str, dict[str, list[str]]] = {}

    def has(self, class_: ClassValue) -> bool:
        """Whether the users of a library are offered a class: the project is a distribution, and a package around the
        class exports it; unless it is made for TorchScript alone."""
        return self.exports(class_.facts.qualname, class_.module)

    def exports(self, name: str, module: Module) -> bool:
        """The same, for the name of a class at the top of a module."""
        key = (module.path, name)
        if key not in self._known:
            is_named = name.isidentifier() and _is_public(name) and not self._is_of_program(module)
            self._known[key] = is_named and self.is_distributed(module) and self._is_exported(name, module)
        return self._known[key]

    def _is_of_program(self, module: Module) -> bool:
        """Whether a module is part of a program that the project shows beside its library."""
        below = module.path.removeprefix(self._root.rstrip(os.sep) + os.sep)
        return below.partition(os.sep)[0] in _PROGRAMS

    def is_distributed(self, module: Module) -> bool:
        """Whether a module is in a distribution."""
        return self.distribution(module) is not None

    def distribution(self, module: Module) -> str | None:
        """The innermost folder around the packages of a module, up to the project's, that is built into a
        distribution."""
        top = module.path
        for _ in range(len(module.name.split(".")) + module.file.is_package):
            top = os.path.dirname(top)
        root = self._root.rstrip(os.sep)
        while True:
            if self._declares(top):
                return top
            if top == root or not top.startswith(root + os.sep):
                return None
            top = os.path.dirname(top)

    def may_have(self, module: Module, block: Block) -> bool:
        """Whether users may get a class of the block, judging by its name."""
        return any(_is_public(header.name) for header in block.classes)

    def offers(self, class_: ClassValue) -> bool:
        """Whether users can get at a class by public names, if the project is a library: in its own module, or in a
        package that exports it."""
        return self.is_reached(class_.facts.qualname, class_.module)

    def is_reached(self, name: str, module: Module) -> bool:
        """The same, for the name of a class or function at the top of a module, or of a class's method
        ("Class.method")."""
        name, _, method = name.partition(".")
        if not name.isidentifier() or not _is_public(name) or (method and not _is_public_method(method)):
            return False
        return all(map(_is_public, module.name.split("."))) or self._is_exported(name, module)

    def _is_exported(self, name: str, module: Module) -> bool:
        return any(self._exports(package, name, module) for package in self._packages(module))

    def _packages(self, module: Module) -> Iterator[Module]:
        """The packages around a module, and itself if it is one."""
        parts = module.name.split(".")
        for length in range(len(parts), 0, -1):
            package = self._program.find(".".join(parts[:length]), module)
            if package is not None and package.file.is_package:
                yield package

    def _exports(self, package: Module, name: str, module: Module) -> bool:
        """Whether a package binds a class of a module to a public name: the class stands in it, or is imported."""
        outline = package.outline
        if package is module:
            bound = {name}
        else:
            bound = set(self._aliases_in(package).get(name, ()))
            given = module.outline.exports
            if outline.stars and (given is None or name in given):
                bound.add(name)
        offered = {each for each in bound if not each.startswith("_")}
        if outline.exports is not None:
            offered &= set(outline.exports)
        return any(
            found is module and name in block.names
            for each in offered
            for found, block in self._places.of_name(package, each)
        )

    def _aliases_in(self, package: Module) -> dict[str, list[str]]:
        """The names to which a package binds what it imports, by what that is called where it comes from."""
        if package.path not in self._aliases:
            found: dict[str, list[str]] = {}
            for alias, imported in package.outline.imports.items():
                if imported.name is not None:
                    found.setdefault(imported.name, []).append(alias)
            self._aliases[package.path] = found
        return self._aliases[package.path]

    def _declares(self, folder: str) -> bool:
        if folder not in self._folders:
            self._folders[folder] = any(_says(os.path.join(folder, name), form) for name, form in _DECLARATIONS) or (
                disk.is_folder(folder) and any(name.endswith(_INSTALLED) for name in disk.names(folder))
            )
        return self._folders[folder]


def _is_public(name: str) -> bool:
    return not name.startswith("_") and not _FOR_SCRIPTING.search(name)


def _is_public_method(name: str) -> bool:
    return name.isidentifier() and (is_special_name(name) or not name.startswith("_"))


def _says(path: str, form: re.Pattern[str]) -> bool:
    try:
        return disk.is_file(path) and form.search(disk.text(path)) is not None
    except (OSError, UnicodeDecodeError):
        return False
