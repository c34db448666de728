"""Which files to check: the paths that a user names, and the files below them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.source.ignores import Excluder, Ignores, ignores_above
from lintpickle.tree import is_inside, tree_around

SUFFIXES = (".py", ".pyi", ".ipynb")
_RUN_BY_PYTHON = re.compile(rb"#![^\n]*(?:\bpython(?!2)[\d.]*|\bpypy(?!2)[\d.]*|\buv run\b[^\n]*)(?=\s|$)")
_COMMENTS = rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*"
_RUN_BY_SHELL_FIRST = re.compile(
    rb"#![^\n]*\b(?:ba|da|k|z)?sh\b[^\n]*\n" + _COMMENTS + rb"""(?:'''|\"\"\"|['\"]exec['\"])(?s:.*)python"""
)
"""How a file begins that a shell runs, to give it to a Python: that reads what the shell does as a string."""
_LONGEST_BEGINNING = 1000
_SCRIPT_FOLDERS = frozenset({"bin", "scripts"})
"""Folders in which files without a suffix are programs, even if they are only executable once they are installed."""
_RESOURCE_FORK = "._"
"""How the names of files begin in which macOS keeps the resources of others (AppleDouble)."""


class DiscoverySettings(Protocol):
    """The part of the settings that discovery reads. `exclude` patterns are relative to the folder `root`."""

    @property
    def exclude(self) -> tuple[str, ...]: ...
    @property
    def extend_exclude(self) -> tuple[str, ...]: ...
    @property
    def force_exclude(self) -> bool: ...
    @property
    def respect_gitignore(self) -> bool: ...
    @property
    def root(self) -> Path: ...


class FolderSettings(Protocol):
    """Finds the settings for the files that lie directly in a folder."""

    def for_folder(self, folder: str | Path) -> DiscoverySettings: ...


class Discovered(Struct, frozen=True):
    """`files` are absolute, sorted as text, and no two are the same file. `notices` are one-line remarks."""

    files: tuple[str, ...]
    notices: tuple[str, ...] = ()


class NamedPaths(Struct, frozen=True):
    """Paths as a user named them: those that can be checked, and one line on each other one, in the order given."""

    usable: tuple[str, ...]
    problems: tuple[str, ...]


def discover(paths: Sequence[str | Path], resolver: FolderSettings) -> Discovered:
    """The files to check: `paths` that are files, and Python files, scripts and notebooks below `paths` that are
    folders.

    A path that is named is taken even if it is excluded, unless `force_exclude` is set. What macOS puts beside a file
    into archives (`._name.py`) is no Python, and is never taken. Folders are left out
    as `exclude` and, if `respect_gitignore`, the ignore files say; symbolic links to folders are not
    followed, and links to files only within the tree. Scripts are files without a suffix whose first line says that
    Python runs them, if they are executable or lie directly in a folder that is named, or in one for programs (`bin`,
    `scripts`): of all others, none is opened. Raises `LintpickleError` for paths that do not exist, for those in the
    working folder's tree that a link takes out of it, and for a bad pattern.
    """
    walk = _Walk(resolver)
    problems = sort_out(paths).problems
    if problems:
        raise LintpickleError("; ".join(problems))
    for path in paths:
        absolute = _absolute(path)
        if disk.is_folder(absolute):
            walk.add_folder(str(absolute))
        else:
            walk.add_named_file(str(absolute))
    return Discovered(tuple(sorted(walk.found.values())), tuple(walk.notices))


def sort_out(paths: Sequence[str | Path]) -> NamedPaths:
    """The paths of a user that can be checked, and the problem with each of the others."""
    usable = []
    problems = []
    for path in paths:
        problem = _problem(path)
        if problem is None:
            usable.append(os.fspath(path))
        else:
            problems.append(problem)
    return NamedPaths(tuple(usable), tuple(problems))


def _problem(path: str | Path) -> str | None:
    name = os.fspath(path)
    try:
        absolute = _absolute(path)
        exists = absolute.exists()
    except (OSError, ValueError) as error:
        return f"{name} cannot be read: {getattr(error, 'strerror', error)}"
    if not exists:
        return f"{name} does not exist"
    outside = leads_outside(str(absolute), os.getcwd())
    return None if outside is None else f"{name} leads out of its project, to {outside}: name that to check it"


def is_excluded(path: str | Path, settings: DiscoverySettings) -> bool:
    """Whether `exclude` leaves out a path, or a folder above it up to `settings.root`. Ignore files do not
    count.
    """
    return _excluder(settings).excludes_within_root(str(_absolute(path)))


def leads_outside(path: str, folder: str) -> str | None:
    """The real target of an absolute path in the tree around a folder, if a link leads out of that tree."""
    tree = tree_around(folder, os.getcwd(), disk.exists)
    if not is_inside(path, tree):
        return None
    real = disk.real_path(path)
    return None if is_inside(real, disk.real_path(tree)) else real


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(path))  # Path.absolute keeps "..", Path.resolve follows links


def _excluder(settings: DiscoverySettings) -> Excluder:
    return Excluder((*settings.exclude, *settings.extend_exclude), settings.root)


class _Walk:
    """Collects files by their real path, and remembers the excluder of each configuration."""

    def __init__(self, resolver: FolderSettings) -> None:
        self.found: dict[str, str] = {}
        self.notices: list[str] = []
        self._resolver = resolver
        self._excluders: dict[tuple[tuple[str, ...], tuple[str, ...], Path], Excluder] = {}

    def add_named_file(self, path: str) -> None:
        if os.path.basename(path).startswith(_RESOURCE_FORK):
            return
        settings = self._resolver.for_folder(Path(path).parent)
        if not (settings.force_exclude and self._excluder_for(settings).excludes_within_root(path)):
            self._add(path, disk.real_path(path))

    def add_folder(self, top: str) -> None:
        settings = self._resolver.for_folder(top)
        if settings.force_exclude and self._excluder_for(settings).excludes_within_root(top):
            return
        real_top = disk.real_path(top)
        tree = disk.real_path(tree_around(top, os.getcwd(), disk.exists))
        pending = [(top, ignores_above(top))]
        while pending:
            folder, above = pending.pop()
            try:
                entries = disk.entries(folder)
            except OSError as error:
                self.notices.append(f"{folder}: the folder cannot be read: {error.strerror}")
                continue
            settings = self._resolver.for_folder(folder)
            excluder = self._excluder_for(settings)
            rules = Ignores()
            if settings.respect_gitignore:
                rules = above.entered(folder, {entry.name for entry in entries})
            holds_scripts = folder == top or os.path.basename(folder) in _SCRIPT_FOLDERS
            for entry in entries:
                is_folder = _is_folder(entry)
                is_source = is_folder or _is_source(entry)
                if not is_source and not _may_be_script(entry, holds_scripts):
                    continue
                if excluder.excludes(entry.path, is_folder) or rules.ignores(entry.path, is_folder):
                    continue
                if not is_source and not _is_run_by_python(entry.path):
                    continue
                if is_folder:
                    pending.append((entry.path, rules))
                elif entry.is_symlink():
                    real = disk.real_path(entry.path)
                    if is_inside(real, real_top) or is_inside(real, tree):
                        self._add(entry.path, real)
                    else:
                        leads = "a link that leads out of the project"
                        self.notices.append(f"{entry.path}: not checked, for it is {leads}, to {real}")
                else:
                    self._add(entry.path, real_top + entry.path[len(top) :])

    def _excluder_for(self, settings: DiscoverySettings) -> Excluder:
        key = (settings.exclude, settings.extend_exclude, settings.root)
        if key not in self._excluders:
            self._excluders[key] = _excluder(settings)
        return self._excluders[key]

    def _add(self, path: str, real: str) -> None:
        """Record a file. Of several names of one file, its real path is kept, otherwise the first in order."""
        known = self.found.get(real)
        if known is None or (path != real, path) < (known != real, known):
            self.found[real] = path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_source(entry: os.DirEntry[str]) -> bool:
    try:
        is_named_so = entry.name.endswith(SUFFIXES) and not entry.name.startswith(_RESOURCE_FORK)
        return is_named_so and disk.entry_is_file(entry)
    except OSError:
        return False


def _may_be_script(entry: os.DirEntry[str], is_among_scripts: bool) -> bool:
    try:
        if "." in entry.name or not entry.is_file(follow_symlinks=False):
            return False
        return is_among_scripts or bool(entry.stat().st_mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH))
    except OSError:
        return False


def _is_run_by_python(path: str) -> bool:
    """Whether a file begins with a line that names Python as what runs it, or with lines by which a shell finds one."""
    try:
        with disk.opened(path) as file:
            beginning = file.read(_LONGEST_BEGINNING)
    except OSError:
        return False
    return any(form.match(beginning) is not None for form in (_RUN_BY_PYTHON, _RUN_BY_SHELL_FIRST))
