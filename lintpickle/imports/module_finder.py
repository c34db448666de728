"""Module names and files: which file an import finds, and the module name of a file. Folders are listed; no file is
read."""

# Links must not be followed, and many thousands of paths pass here: os.path, not pathlib.

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from lintpickle import disk
from lintpickle.imports.environment import Environment
from lintpickle.imports.folders import FolderCache, is_installed
from lintpickle.imports.import_roots import lies_below
from lintpickle.imports.installed import distributions_of_top_levels
from lintpickle.input_limits import MODULE_NAME
from lintpickle.parsing.imports import ImportedName

_STRICT_EDITABLE = f"{os.sep}__editable__."
_ADDED_BY_SCRIPTS = ("lib", "libs", "src")
"""Folders that scripts often add to `sys.path` themselves (`sys.path.insert(0, os.path.join(here, "lib"))`)."""


class ModuleFile(Struct, frozen=True):
    """A module and where it is.

    `path` is the absolute file, "" for a namespace package; it identifies the module, for there is one
    ModuleFile for a file. `name` is dotted; dots inside the name of a folder or file are written %2E.
    `first_party` is false for whatever is installed. `distribution` is the normalized name of the
    distribution that installed the module, if that is cheaply known.
    """

    name: str
    path: str
    is_package: bool
    first_party: bool
    distribution: str | None


class _Place(Struct, frozen=True):
    """Where a name leads: a file ("" for a namespace package), and the folders that hold its submodules."""

    file: str
    folders: tuple[str, ...] = ()


_NO_SOURCE = _Place("")
"""An extension module: it hides modules later in the search, and has no source."""


class ModuleFinder:
    """Finds modules over the roots of a project and its environment.

    `roots` are absolute folders as `project_roots` gives them. `libraries` are top-level names that well-known
    libraries have, installed or not. Each folder is listed once, and what was seen is kept: use one finder for one run.
    """

    def __init__(self, roots: Sequence[str], environment: Environment, libraries: Collection[str] = ()) -> None:
        self._libraries = frozenset(libraries)
        roots = tuple(dict.fromkeys(os.path.abspath(root) for root in roots))
        # A folder around the project (above its top package) is searched last, and what is in it is not ours.
        around = frozenset(root for root in roots[1:] if lies_below(roots[0], root))
        self._own_roots = frozenset(roots) - around
        self._roots = (
            *(root for root in roots if root not in around),
            *(root for root in roots if root in around),
        )
        self._real_roots = {disk.real_path(root): root for root in reversed(roots)}
        self._prefix = environment.prefix
        self._installed = tuple(self._seen_from_root(folder) for folder in environment.site_packages)
        self._editables = {name: self._seen_from_root(path) for name, path in environment.editables.items()}
        self._namespaces = {
            name: tuple(self._seen_from_root(folder) for folder in folders)
            for name, folders in environment.namespaces.items()
        }
        self._bases = dict.fromkeys((*self._roots, *self._installed), "")
        self._bases.update({path: name for name, path in self._editables.items() if not path.endswith(".py")})
        self._folders = FolderCache()
        self._places: dict[tuple[str, str], _Place | None] = {}
        self._modules: dict[str, ModuleFile] = {}
        self._distributions: dict[str, dict[str, str]] = {}

    def find(self, name: str, importer: str | None = None) -> ModuleFile | None:
        """What `import name` finds; None if that is unknown, has no source, or is of the standard library.

        `name` is absolute and dotted. `importer` is the absolute path of the importing file. If its folder is
        no package, the folder is searched before anything else, as it is for a script; and the folders from
        there up to the project's root are searched when nothing else answers, with those called `lib`, `libs` or
        `src` in them; for a well-known library, without those that are packages. A module that stands in the way of a
        package (`utils.py` for `import utils.files`) is passed by. Packages beat modules, and both beat
        namespace packages. The result may be called differently: a file has one name, by whatever name it is imported.
        """
        if name.count(".") > MODULE_NAME.most:
            return None
        place = self._place(name, os.path.dirname(importer) if importer else "")
        if place is None or place is _NO_SOURCE:
            return None
        if place.file:
            linked = _STRICT_EDITABLE in place.file
            return self.module_of(self._seen_from_root(place.file) if linked else place.file)
        first_party = any(self._is_first_party(folder) for folder in place.folders)
        if first_party:
            name = self._names(place.folders[0], [])[0]
        return ModuleFile(name, "", True, first_party, None)

    def is_compiled(self, name: str) -> bool:
        """Whether `import name` finds an extension module or byte code, which has no source."""
        return self._place(name, "") is _NO_SOURCE

    def module_of(self, path: str) -> ModuleFile:
        """What a file is as a module: found again by its name wherever that is possible.

        The name is counted from the closest of: roots, site-packages, folders of `.pth` files, editable
        installs. A file below none of these is called after the packages around it, or by itself.
        """
        known = self._modules.get(path)
        if known is not None:
            return known
        path = os.path.abspath(path)
        module = self._modules.get(path)
        if module is None:
            name = self._name_of(path)
            is_package = os.path.basename(path) == "__init__.py" and name != "__init__"
            first_party = self._is_first_party(path)
            distribution = None if first_party else self._distribution_of(path)
            module = self._modules[path] = ModuleFile(name, path, is_package, first_party, distribution)
        return module

    def resolve_relative(self, module: ModuleFile, level: int, name: str | None) -> str | None:
        """The absolute name behind `from ..name import x` in `module` (two dots are `level` 2), None if that
        leads too high. To a module at the top its siblings count as one package."""
        parts = module.name.split(".")
        kept = len(parts) - level + module.is_package
        if level < 1 or kept < 0:
            return None
        return ".".join([*parts[:kept], *([name] if name else [])]) or None

    def absolute(self, imported: ImportedName, importer: ModuleFile) -> str | None:
        """The absolute dotted name of an import's module. None if it points above the top package."""
        if imported.level == 0:
            return imported.module
        return self.resolve_relative(importer, imported.level, imported.module or None)

    def submodules(self, name: str) -> tuple[str, ...]:
        """The absolute names of the modules and packages directly in the package `name`, sorted."""
        place = self._place(name, "")
        folders = place.folders if place is not None else ()
        children = {child for folder in folders for child in self._folders.importable(folder)}
        served = [full.split(".") for full in (*self._editables, *self._namespaces)]
        parents = name.split(".")
        children |= {full[len(parts)] for full in served if (parts := full[: len(parents)]) == parents != full}
        return tuple(sorted(f"{name}.{child}" for child in children))

    def _place(self, name: str, folder: str) -> _Place | None:
        """Where `name` leads when it is imported from a file in `folder` ("": from nowhere in particular)."""
        if name.count(".") > MODULE_NAME.most:
            return None
        if (name, folder) not in self._places:
            parent, dot, last = name.rpartition(".")
            part = last.replace("%2E", ".")
            if part in ("", ".", "..") or not {"/", os.sep, "\0"}.isdisjoint(part):
                place = None
            elif not dot:
                place = self._top_level_place(part, folder)
            else:
                package = self._place(parent, folder)
                place = self._search(name, part, package.folders) if package is not None else None
                if place is None and package is not None and package.file and not package.folders:
                    place = self._place_beyond(name, folder)
            self._places[name, folder] = place
        return self._places[name, folder]

    def _place_beyond(self, name: str, folder: str) -> _Place | None:
        """Where a name leads whose parent is no package for a file in `folder`: such a file is imported by a script
        further up, whose folder is searched."""
        above = next(islice(self._up_to_root(folder), 1, None), None)
        return self._place(name, above) if above is not None else None

    def _top_level_place(self, name: str, folder: str) -> _Place | None:
        own = (folder, *self._roots) if folder and not self._folders.is_package(folder) else self._roots
        if name in sys.stdlib_module_names:
            place = self._search(name, name, own)
            return place if place is not None and place.file else None
        place = self._search(name, name, (*own, *self._installed))
        if place is None or (not place.file and place is not _NO_SOURCE):
            above = sorted(self._up_to_root(folder), key=self._folders.is_package)
            if name in self._libraries:
                above = [each for each in above if not self._folders.is_package(each)]
            beside = (os.path.join(each, inner) for each in above for inner in _ADDED_BY_SCRIPTS)
            nearby = self._search(name, name, (*above, *beside))
            if nearby is not None and (place is None or nearby.file):
                return nearby
        return place

    def _search(self, name: str, part: str, folders: tuple[str, ...]) -> _Place | None:
        """Search for `part`, the last part of `name`, in `folders`, then among the editable installs."""
        portions = []
        for folder in folders:
            listing = self._folders.listing(folder)
            if part in listing.folders:
                inner = os.path.join(folder, part)
                if self._folders.is_package(inner):
                    return _Place(os.path.join(inner, "__init__.py"), (inner,))
                portions.append(inner)
            if part in listing.sources:
                return _Place(os.path.join(folder, f"{part}.py"))
            if part in listing.binaries:
                return _NO_SOURCE
        editable = self._editables.get(name)
        if editable is not None:
            if editable.endswith(".py"):
                return _Place(editable)
            if self._folders.is_package(editable):
                return _Place(os.path.join(editable, "__init__.py"), (editable,))
            portions.append(editable)
        portions += self._namespaces.get(name, ())
        if portions or name in self._namespaces:
            return _Place("", tuple(dict.fromkeys(portions)))
        return None

    def _name_of(self, path: str) -> str:
        folder, file = os.path.split(path)
        stem, suffix = os.path.splitext(file)
        names = self._names(folder, [] if file == "__init__.py" else [_escaped(stem if suffix == ".py" else file)])
        places = [self._place(name, "") for name in names]
        for name, place in zip(names, places, strict=True):
            if place is not None and place.file == path:
                return name
        return names[0] if places[0] is None else f"{names[0]}{_escaped(suffix)}"

    def _names(self, folder: str, last: list[str]) -> list[str]:
        """The names of the module `last` in `folder` (or of the folder, if that is empty), the best first:
        those counted from the closest base, but bases that are packages themselves come last."""
        plain: list[str] = []
        inside: list[str] = []
        parts, current = last, folder
        while True:
            base = self._bases.get(current)
            if base is not None:
                name = ".".join([*base.split("."), *parts] if base else parts) or "__init__"
                (inside if not base and self._folders.is_package(current) else plain).append(name)
            above, part = os.path.split(current)
            if above == current:
                break
            parts, current = [_escaped(part), *parts], above
        if plain or inside:
            return plain + inside
        while self._folders.is_package(folder):
            folder, part = os.path.split(folder)
            last = [_escaped(part), *last]
        return [".".join(last)]

    def _is_first_party(self, path: str) -> bool:
        for folder in _upwards(path):
            if folder in self._own_roots:
                return True
            if folder == self._prefix or is_installed(os.path.basename(folder)):
                return False
        return False

    def _up_to_root(self, folder: str) -> Iterator[str]:
        """A first-party folder and those above it, up to its root."""
        if folder and self._is_first_party(folder):
            for above in _upwards(folder):
                yield above
                if above in self._own_roots:
                    return

    def _distribution_of(self, path: str) -> str | None:
        inner = path
        for folder in _upwards(os.path.dirname(path)):
            if folder in self._installed and is_installed(folder):
                if folder not in self._distributions:
                    self._distributions[folder] = distributions_of_top_levels(folder)
                top, _ = os.path.splitext(os.path.basename(inner))
                return self._distributions[folder].get(top)
            inner = folder
        return None

    def _seen_from_root(self, path: str) -> str:
        """`path` by its name below a root, if links lead to it from there."""
        real = disk.real_path(path)
        for folder in _upwards(real):
            if folder in self._real_roots:
                return os.path.normpath(os.path.join(self._real_roots[folder], os.path.relpath(real, folder)))
        return os.path.abspath(path)


def _upwards(path: str) -> Iterator[str]:
    """A path and all folders above it."""
    while True:
        yield path
        above = os.path.dirname(path)
        if above == path:
            return
        path = above


def _escaped(part: str) -> str:
    return part.replace(".", "%2E")
