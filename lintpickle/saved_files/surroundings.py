"""What a project and its environment define: found by reading their files, never by importing them."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from lintpickle import disk
from lintpickle.cache.facts import FactsCache
from lintpickle.catalog import load_catalog
from lintpickle.diagnostics import LintpickleError, Location, Span
from lintpickle.engine.preparation import environment_of
from lintpickle.engine.roots import Project, program_files, project_root
from lintpickle.imports.environment import NO_ENVIRONMENT, Environment
from lintpickle.imports.import_roots import project_roots
from lintpickle.imports.module_finder import ModuleFinder
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.spill_file import SpillFile
from lintpickle.resolution.module_bindings import ModuleBinding
from lintpickle.resolution.names import NameResolver
from lintpickle.resolution.star_imports import StarImports
from lintpickle.saved_files.records import Place
from lintpickle.settings import SettingsResolver

_MOST_FILES = 20_000
"""Files of an installed package that are searched for a name."""
_MOST_PLACES = 8
_MAKES_NAMES = re.compile(
    r"\bdef\s+__getattr__\b|\bglobals\(\)|\bvars\(\)|\blocals\(\)|\bexec\(|\bsys\.modules\[|\b__dict__\b|\bsetattr\("
)
"""What stands in a module that may bind names in ways that its text does not show."""


class Library:
    """The modules that are found from some folders on, and what they define."""

    def __init__(self, roots: Iterable[str], environment: Environment) -> None:
        self.finder = ModuleFinder(tuple(roots), environment)
        nothing = Words(frozenset())
        vocabulary = Vocabulary(frozenset(), frozenset(), frozenset(), frozenset())
        cache, spill_file = FactsCache(None, "", vocabulary), SpillFile(nothing, is_open=False)
        self.program = Program(self.finder, frozenset(), vocabulary, cache, spill_file, lambda: nothing)
        self.stars = StarImports(self.program)
        self.names = NameResolver(self.program, self.stars, load_catalog())

    def has_module(self, name: str) -> bool:
        """Whether an import of the module finds anything."""
        return self.finder.find(name) is not None or self.finder.is_compiled(name)

    def module(self, name: str) -> Module | None:
        """The module of that name, if its source can be read."""
        return self.program.find(name)

    def bindings(self, module: Module, name: str) -> tuple[ModuleBinding, ...]:
        """What the module binds a name to; a builtin is nothing that it binds."""
        found = self.names.lookup(module, name)
        return tuple(each for each in found if each.path is None or not each.path.startswith("builtins."))

    def may_bind_unseen(self, module: Module, name: str) -> bool:
        """Whether the module may have a name that its text does not show."""
        if self.stars.may_bind(module, name) or self.program.finder.find(f"{module.name}.{name}") is not None:
            return True
        return _MAKES_NAMES.search(module.code) is not None

    def place(self, binding: ModuleBinding, name: str) -> Place | None:
        """Where a binding stands, if it was read."""
        home = binding.module
        if home is None:
            return None
        found = binding.class_ or binding.function or binding.value
        span = found.span if found is not None else Span(0, 0)
        qualified = binding.class_.qualname if binding.class_ is not None else name
        return Place(home.name, qualified, home.document.location(span))

    def place_in(self, module: Module, name: str) -> Location | None:
        """Where the module itself defines a name at its own level, not by an import."""
        blocks = module.outline.binding(name)
        return module.document.location(Span(blocks[0].span.start, blocks[0].span.start)) if blocks else None


class Surroundings:
    """The project of a folder, with its environment and the standard library."""

    def __init__(self, folder: Path, resolver: SettingsResolver) -> None:
        if not disk.is_folder(folder):
            raise LintpickleError(f"--project {folder}: there is no such folder")
        root = project_root(folder / "_", resolver, [folder])
        self._project = Project(root, resolver.for_folder(root), ())
        self.environment = environment_of(self._project)
        self._resolver = resolver
        src = [str(path) for path in self._project.settings.src]
        self.library = Library(dict.fromkeys([str(folder), *project_roots(root, src, ())]), self.environment)
        self._standard: Library | None = None
        self._files: list[str] | None = None

    @property
    def root(self) -> Path:
        return self._project.root

    @property
    def standard(self) -> Library:
        """The standard library of the Python that runs lintpickle."""
        if self._standard is None:
            self._standard = Library([sysconfig.get_path("stdlib")], NO_ENVIRONMENT)
        return self._standard

    def is_standard(self, module: str) -> bool:
        """Whether a module belongs to the standard library, and nothing of the project hides it."""
        return module.partition(".")[0] in sys.stdlib_module_names and not self.library.has_module(
            module.partition(".")[0]
        )

    def parent_of(self, module: str) -> str:
        """The closest enclosing package of a module that exists; "" if there is none."""
        library = self.standard if self.is_standard(module) else self.library
        parent = module.rpartition(".")[0]
        while parent and not library.has_module(parent):
            parent = parent.rpartition(".")[0]
        return parent

    def elsewhere(self, name: str, module: str) -> tuple[Place, ...]:
        """Where the project, or the installed package that a module belonged to, defines something of that name."""
        found: list[Place] = []
        for path in self._candidates(module):
            place = self._defined(path, name)
            if place is not None:
                found.append(place)
            if len(found) == _MOST_PLACES:
                break
        return tuple(
            sorted(found, key=lambda each: (not _is_script(each), each.path) if module == "__main__" else each.path)
        )

    def _candidates(self, module: str) -> Iterator[str]:
        if self._files is None:
            self._files = [path for path in program_files(self._project, self._resolver) if path.endswith(".py")]
        yield from self._files
        top = self.library.finder.find(module.partition(".")[0])
        if top is not None and top.path and not top.first_party and top.is_package:
            yield from _python_files(os.path.dirname(top.path))

    def _defined(self, path: str, name: str) -> Place | None:
        try:
            data = disk.read(path)
        except OSError:
            return None
        if name.encode("utf-8", "surrogatepass") not in data:
            return None
        module = self.library.program.load(path)
        if not isinstance(module, Module):
            return None
        location = self.library.place_in(module, name)
        return Place(module.name, name, location) if location is not None else None


def _is_script(place: Place) -> bool:
    return "." not in place.module


def _python_files(folder: str) -> Iterator[str]:
    count = 0
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                count += 1
                if count > _MOST_FILES:
                    return
                yield os.path.join(parent, name)
