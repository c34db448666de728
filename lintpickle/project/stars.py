"""Which star imports of a module can bind a name: over outlines alone, and only those of modules that hold the word."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.project.module import Module
from lintpickle.project.program import Program
from lintpickle.source.imports import ImportedName


class _Sources(Struct, frozen=True):
    """The files that the star imports of a module lead to, and those of these, and so on."""

    all: frozenset[str]
    on_shelf: frozenset[str]
    others: frozenset[str]


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
        candidates = self._program.survey.holding(name) & sources.on_shelf | sources.others
        binding = {path for path in candidates if self._program.survey.binds(path, name)}
        if not binding:
            return []
        return [
            star
            for star, source in self._program.survey.stars(module.path)
            if source in binding or not binding.isdisjoint(self._sources(source).all)
        ]

    def _sources(self, path: str) -> _Sources:
        if path not in self._leading:
            found: set[str] = set()
            waiting = [path]
            while waiting:
                new = {source for _, source in self._program.survey.stars(waiting.pop())} - found
                found |= new
                waiting += new
            on_shelf = frozenset(filter(self._program.survey.is_on_shelf, found))
            self._leading[path] = _Sources(frozenset(found), on_shelf, frozenset(found) - on_shelf)
        return self._leading[path]
