"""Which star imports of a module can bind a name. Only outlines are used."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.parsing.imports import ImportedName
from lintpickle.program.module import Module
from lintpickle.program.program import Program


class _Sources(Struct, frozen=True):
    """The files that the star imports of a module lead to, including those of these files, and so on."""

    files: frozenset[str]
    names: frozenset[str]
    """The names that any of them binds at module level."""
    is_complete: bool
    """Whether every star import on the way leads to a file."""


class StarImports:
    """The star imports of a program. Results are kept for a run."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._leading: dict[str, _Sources] = {}

    def binding(self, module: Module, name: str) -> list[ImportedName]:
        """The star imports of the module, in order, whose source binds the name at module level or gets it by a star
        import. `__all__` is ignored."""
        if not module.outline.stars:
            return []
        sources = self._sources(module.path)
        if name not in sources.names:
            return []
        file_survey = self._program.file_survey
        binding = {path for path in sources.files if name in file_survey.bound(path)}
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
                leading = [source for _, source in file_survey.stars(file)]
                is_complete = is_complete and len(leading) == len(file_survey.all_stars(file))
                new = set(leading) - found
                found |= new
                waiting += new
            names = frozenset[str]().union(*map(file_survey.bound, found))
            self._leading[path] = _Sources(frozenset(found), names, is_complete)
        return self._leading[path]
