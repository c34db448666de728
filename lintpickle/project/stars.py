"""Which star imports of a module can bind a name: over outlines alone."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.project.module import Module
from lintpickle.project.program import Program
from lintpickle.source.imports import ImportedName


class _Sources(Struct, frozen=True):
    """The files that the star imports of a module lead to, and those of these, and so on."""

    files: frozenset[str]
    names: frozenset[str]
    """What any of them binds at module level."""


class Stars:
    """The star imports of a program, remembered for a run."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._leading: dict[str, _Sources] = {}

    def binding(self, module: Module, name: str) -> list[ImportedName]:
        """The star imports of the module whose source binds the name at module level, or gets it by a star import
        itself; in their order. `__all__` is not asked."""
        if not module.outline.stars:
            return []
        sources = self._sources(module.path)
        if name not in sources.names:
            return []
        survey = self._program.survey
        binding = {path for path in sources.files if name in survey.bound(path)}
        return [
            star
            for star, source in survey.stars(module.path)
            if source in binding or not binding.isdisjoint(self._sources(source).files)
        ]

    def may_bind(self, module: Module, name: str) -> bool:
        """Whether a star import of the module may bind the name: one of them does, or one leads nowhere."""
        if not module.outline.stars:
            return False
        survey = self._program.survey
        files = {module.path, *self._sources(module.path).files}
        leads_nowhere = any(len(survey.all_stars(path)) > len([*survey.stars(path)]) for path in files)
        return leads_nowhere or bool(self.binding(module, name))

    def _sources(self, path: str) -> _Sources:
        if path not in self._leading:
            found: set[str] = set()
            waiting = [path]
            while waiting:
                new = {source for _, source in self._program.survey.stars(waiting.pop())} - found
                found |= new
                waiting += new
            names = frozenset[str]().union(*map(self._program.survey.bound, found))
            self._leading[path] = _Sources(frozenset(found), names)
        return self._leading[path]
