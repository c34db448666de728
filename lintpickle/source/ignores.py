"""What `.gitignore`, `.ignore` and `exclude` leave out."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.input_limits import IGNORE_FILE
from lintpickle.source.patterns import Patterns

IGNORE_FILES = (".gitignore", ".ignore")
_SPECIAL = frozenset("*?[]!#/\\ ")


class Excluder:
    """The `exclude` patterns of one configuration: written as in `.gitignore`, relative to the folder `root`.

    Raises `LintpickleError` for a pattern that git would not understand.
    """

    def __init__(self, patterns: Sequence[str], root: Path) -> None:
        self._root = _prefix(str(root))
        plain = not any(pattern.startswith("!") for pattern in patterns)
        self._names = frozenset(item for item in patterns if plain and not _SPECIAL & set(item))
        special = [item.removeprefix("./") for item in patterns if item not in self._names]
        self._special = Patterns(special)
        if self._special.invalid:
            raise LintpickleError(f'exclude: "{self._special.invalid[0]}" is no pattern; write it as in .gitignore')

    def excludes(self, path: str, is_directory: bool) -> bool:
        """Whether a pattern matches the absolute `path` itself; its parents are not checked."""
        name = path.rpartition(os.sep)[2]
        if name in self._names:
            return True
        if not self._special:
            return False
        inside = path.startswith(self._root)
        relative = path[len(self._root) :] if inside else name
        return _verdict(self._special, relative, is_directory) is True

    def excludes_within_root(self, path: str) -> bool:
        """Whether a pattern matches the absolute `path` or a folder above it, up to the root."""
        whole = Path(path)
        above = [str(parent) for parent in whole.parents if str(parent).startswith(self._root)]
        return self.excludes(path, disk.is_folder(whole)) or any(self.excludes(parent, True) for parent in above)


class _Level(Struct, frozen=True):
    """The patterns of one file; they are relative to the folder `base`, which ends with a separator."""

    base: str
    patterns: Patterns


class Ignores(Struct, frozen=True):
    """The ignore files of a folder and of those above it, outermost first. As in git, the innermost file with a
    matching pattern decides. Any `.ignore` wins over any `.gitignore`."""

    own: tuple[_Level, ...] = ()
    git: tuple[_Level, ...] = ()

    def entered(self, directory: str, names: Collection[str]) -> Ignores:
        """The rules inside `directory`, whose entries are `names`. A repository starts anew: `.gitignore` files outside
        it do not count."""
        own, git = self.own, self.git
        if ".git" in names:
            git = _read(directory, ".git/info/exclude")
        if ".gitignore" in names:
            git += _read(directory, ".gitignore")
        if ".ignore" in names:
            own += _read(directory, ".ignore")
        return self if own is self.own and git is self.git else Ignores(own, git)

    def ignores(self, path: str, is_directory: bool) -> bool:
        """Whether the entry at the absolute `path` is ignored, assuming that the folders above it are not."""
        for levels in (self.own, self.git):
            for level in reversed(levels):
                verdict = _verdict(level.patterns, path[len(level.base) :], is_directory)
                if verdict is not None:
                    return verdict
        return False


def ignores_above(directory: str) -> Ignores:
    """The rules from files above a folder, in its repository, for the entries of that folder. There are none outside a
    repository, and none for a folder that is itself ignored, because the user named it."""
    chain = [Path(directory)]
    while not _has(chain[-1], ".git"):
        if chain[-1] == chain[-1].parent:
            return Ignores()
        chain.append(chain[-1].parent)
    rules = Ignores()
    for folder, below in zip(chain[:0:-1], chain[-2::-1], strict=True):
        rules = rules.entered(str(folder), [name for name in (".git", *IGNORE_FILES) if _has(folder, name)])
        if rules.ignores(str(below), True):
            return Ignores()
    return rules


def _has(folder: Path, name: str) -> bool:
    return disk.exists(folder / name)


def _read(directory: str, name: str) -> tuple[_Level, ...]:
    """The rules of an ignore file; none when it cannot be read, as git does."""
    try:
        text = disk.text(Path(directory) / name, encoding="utf-8-sig", errors="surrogateescape", limit=IGNORE_FILE.most)
    except OSError:
        return ()
    patterns = Patterns(text.split("\n"))
    return (_Level(_prefix(directory), patterns),) if patterns else ()


def _prefix(directory: str) -> str:
    return directory if directory.endswith(os.sep) else directory + os.sep


def _verdict(patterns: Patterns, relative: str, is_folder: bool) -> bool | None:
    return patterns.verdict(relative.replace(os.sep, "/") if os.sep != "/" else relative, is_folder)
