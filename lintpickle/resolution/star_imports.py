"""Which star imports of a module can bind a name. Only outlines are used, and those of files that nothing else has read
only if their bytes contain the name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from lintpickle import disk
from lintpickle.parsing.imports import ImportedName
from lintpickle.program.module import Module
from lintpickle.program.program import Program

_STATEMENT = re.compile(rb"^[ \t]*from[ \t]*(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]*\*", re.MULTILINE)
_TRIPLE_QUOTES = re.compile(rb"\"{3}|'{3}")


class _Sources(Struct, frozen=True):
    """The files that the star imports of a module lead to, including those of these files, and so on."""

    files: frozenset[str]
    names: frozenset[str]
    """The names that those bind at module level that have been read."""
    unread: frozenset[str]
    is_complete: bool
    """Whether every star import on the way leads to a file."""


class StarImports:
    """The star imports of a program. Results are kept for a run."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._leading: dict[str, _Sources] = {}
        self._unread: dict[str, bytes] = {}
        """The bytes of files that have not been read as modules."""
        self._stars_of_unread: dict[str, list[ImportedName] | None] = {}

    def binding(self, module: Module, name: str) -> list[ImportedName]:
        """The star imports of the module, in order, whose source binds the name at module level or gets it by a star
        import. `__all__` is ignored."""
        if not module.outline.stars:
            return []
        sources = self._sources(module.path)
        word = name.encode()
        found = {path for path in sources.unread if not name.isascii() or word in self._unread[path]}
        if name in sources.names:
            found.update(sources.files - sources.unread)
        file_survey = self._program.file_survey
        binding = {path for path in found if name in file_survey.bound(path)}
        if not binding:
            return []
        return [
            star
            for star, source in file_survey.stars(module.path)
            if source in binding or not binding.isdisjoint(self._sources(source).files)
        ]

    def may_bind(self, module: Module, name: str) -> bool:
        """Whether a star import of the module may bind the name: one does, or one cannot be resolved."""
        if not module.outline.stars:
            return False
        return not self._sources(module.path).is_complete or bool(self.binding(module, name))

    def _sources(self, path: str) -> _Sources:
        if path not in self._leading:
            file_survey = self._program.file_survey
            found: set[str] = set()
            waiting = [path]
            is_complete = True
            while waiting:
                file = waiting.pop()
                stars = self._stars(file)
                leading = [source for _, source in file_survey.leading(stars, file)]
                is_complete = is_complete and len(leading) == len(stars)
                new = set(leading) - found
                found |= new
                waiting += new
            unread = frozenset(filter(self._is_unread, found))
            names = frozenset[str]().union(*map(file_survey.bound, found - unread))
            self._leading[path] = _Sources(frozenset(found), names, unread, is_complete)
        return self._leading[path]

    def _stars(self, path: str) -> Sequence[ImportedName]:
        """The star imports of a file."""
        if not self._is_unread(path):
            return self._program.file_survey.all_stars(path)
        if path not in self._stars_of_unread:
            self._stars_of_unread[path] = _stars_in(self._unread[path])
        found = self._stars_of_unread[path]
        return self._program.file_survey.all_stars(path) if found is None else found

    def _is_unread(self, path: str) -> bool:
        """Whether a file has not been read as a module, but its bytes could be."""
        if not self._program.file_survey.is_unread(path):
            return False
        if path not in self._unread:
            try:
                self._unread[path] = disk.read(path)
            except OSError:
                return False
        return True


def _stars_in(data: bytes) -> list[ImportedName] | None:
    """The star imports in the bytes of a file; None if only a parser can tell."""
    count = sum(rest.lstrip()[:1] == b"*" for rest in data.split(b"import")[1:])
    if not count:
        return []
    stars = _STATEMENT.findall(data)
    if len(stars) != count or _TRIPLE_QUOTES.search(data):
        return None
    return [ImportedName(name.decode(), "*", len(dots)) for dots, name in stars]
