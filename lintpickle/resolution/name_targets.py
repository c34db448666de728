"""Where a name leads: the blocks that may define it. Only outlines are used; no block is parsed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from lintpickle.limits import IMPORTS
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.outline import Block
from lintpickle.program.cuts import Cuts
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.resolution.star_imports import StarImports

NameTarget: TypeAlias = tuple[Module, Block]
_Asked: TypeAlias = set[tuple[str, str, str]]
"""Modules by their paths, each with a name and the attribute of it that was looked up."""


class NameTargets:
    """Follows names through the imports of a program; with `only_own`, only in first-party modules."""

    def __init__(self, program: Program, stars: StarImports, cuts: Cuts, only_own: bool = False) -> None:
        self._program = program
        self.cuts = cuts
        self._only_own = only_own
        self._known: dict[tuple[str, str], tuple[NameTarget, ...]] = {}
        self._stars = stars

    def of_name(self, module: Module, dotted: str) -> tuple[NameTarget, ...]:
        """The blocks that may define a dotted name of a module, define the object of which it is an attribute, or add
        something to that object. Blocks with only imports and constants are left out."""
        head, _, rest = dotted.partition(".")
        outline = module.outline
        if head not in outline.imports and not outline.binding(head) and not outline.stars:
            return ()
        key = (module.path, dotted)
        if key not in self._known:
            self._known[key] = tuple(self._of_name(module, head, rest, 0, set())) if head else ()
        return self._known[key]

    def imported(self, module: Module, imported: ImportedName, rest: str) -> Iterator[NameTarget]:
        """The same blocks for the attribute `rest` of what an import in the module binds."""
        return self._imported(module, imported, rest, 1, set())

    def _of_name(self, module: Module, head: str, rest: str, depth: int, asked: _Asked) -> Iterator[NameTarget]:
        """`asked` holds the lookups on the way, because modules can import stars from one another."""
        if (module.path, head, rest) in asked:
            return
        if depth > IMPORTS.most:
            self.cuts.note_of(IMPORTS, module)
            return
        asked.add((module.path, head, rest))
        blocks = [block for block in module.outline.binding(head) if not block.bare]
        yield from ((module, block) for block in dict.fromkeys((*blocks, *module.outline.filling(head))))
        imported = module.outline.importing(head)
        for each in imported:
            yield from self._imported(module, each, rest, depth + 1, asked)
        if not imported and not blocks:
            for star in self._stars.binding(module, head):
                named = ImportedName(star.module, head, star.level)
                yield from self._imported(module, named, rest, depth + 1, asked)

    def _imported(
        self, module: Module, imported: ImportedName, rest: str, depth: int, asked: _Asked
    ) -> Iterator[NameTarget]:
        source = module.absolute(imported, self._program.finder)
        if source and self._program.file_of(source.partition(".")[0], module) is None:
            return
        parts = [part for part in (source, imported.name, *rest.split(".")) if part]
        for length in range(len(parts), 0, -1):
            target = self._program.find(".".join(parts[:length]), module)
            if target is not None:
                if length < len(parts) and (target.first_party or not self._only_own):
                    yield from self._of_name(target, parts[length], ".".join(parts[length + 1 :]), depth, asked)
                return
