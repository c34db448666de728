"""Folders as the import system sees them. Each is listed once; single files are never checked."""

# Links must not be followed, and many thousands of paths pass here: os.path, not pathlib.

from __future__ import annotations

import os

from msgspec import Struct

from lintpickle import disk

_BINARY_SUFFIXES = (".so", ".pyd", ".pyc")
_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Listing(Struct, frozen=True):
    """What a folder offers to imports: `folders` by name, `sources` (`.py`) without suffix, and `binaries`
    (extension modules and byte code) up to the first dot."""

    folders: frozenset[str]
    sources: frozenset[str]
    binaries: frozenset[str]


_EMPTY = Listing(frozenset(), frozenset(), frozenset())


class FolderCache:
    """Lists folders, and remembers what it saw."""

    def __init__(self) -> None:
        self._listings: dict[str, Listing] = {}

    def listing(self, folder: str) -> Listing:
        """The content of an absolute folder; empty if it cannot be read."""
        listing = self._listings.get(folder)
        if listing is None:
            listing = self._listings[folder] = listed(folder)
        return listing

    def is_package(self, folder: str) -> bool:
        """Whether the folder is a regular package: it has an `__init__.py`."""
        return "__init__" in self.listing(folder).sources

    def importable(self, folder: str) -> set[str]:
        """The modules and packages directly in the folder; of other folders, those that hold Python files."""
        listing = self.listing(folder)
        names = {name for name in listing.sources if name != "__init__" and name.isidentifier()}
        for name in listing.folders:
            if name.isidentifier() and self.listing(os.path.join(folder, name)).sources:
                names.add(name)
        return names


def is_installed(path: str) -> bool:
    """Whether an absolute path contains a folder for installed packages."""
    return not _INSTALLED.isdisjoint(path.split(os.sep))


def listed(folder: str) -> Listing:
    """The content of an absolute folder as it is now; empty if it cannot be read."""
    folders, sources, binaries = set(), set(), set()
    try:
        for entry in disk.entries(folder):
            name = entry.name
            if name.endswith(".py"):
                sources.add(name[:-3])
            elif name.endswith(_BINARY_SUFFIXES):
                binaries.add(name.partition(".")[0])
            elif _is_folder(entry):
                folders.add(name)
    except (OSError, ValueError):
        return _EMPTY
    return Listing(frozenset(folders), frozenset(sources), frozenset(binaries))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return disk.entry_is_folder(entry)
    except OSError:  # a loop of links
        return False
