"""What code may reach by the names that it reads: over outlines and `ast` alone, so that no room need be parsed.

There may be too much in it, never too little, as far as linking follows names: an object that code works on comes from
a class or a function that the code, or what it reaches, names somewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from lintpickle.project.program import Module, Program
from lintpickle.source.outline import ImportedName, Plot
from lintpickle.source.reads import imported_in, names_read, names_run

_MAX_IMPORTS = 12
_Place = tuple[Module, Plot]


class Reach:
    """`words` are looked for in names, as substrings."""

    def __init__(self, program: Program, words: Collection[str]) -> None:
        self._program = program
        self._words = tuple(words)
        self._steps: dict[int, tuple[_Place, ...] | None] = {}
        self._clean: set[int] = set()

    def reaches(self, module: Module, plot: Plot) -> bool:
        """Whether a name with one of the words stands in what the plot runs outside of a main guard, or in a function,
        class or value of the program that this leads to."""
        tree = module.facts.tree(plot)
        names = names_run(tree)
        if self._is_sought(names):
            return True
        waiting = list(self._places(module, names, tree))
        seen: set[int] = set()
        while waiting:
            place = waiting.pop()
            key = id(place[1])
            if key in seen or key in self._clean:
                continue
            seen.add(key)
            following = self._following(*place)
            if following is None:
                return True
            waiting.extend(following)
        self._clean |= seen
        return False

    def _following(self, module: Module, plot: Plot) -> tuple[_Place, ...] | None:
        """The places that a whole plot leads to; None if one of the words stands in it."""
        if id(plot) not in self._steps:
            tree = module.facts.tree(plot)
            names = names_read(tree)
            self._steps[id(plot)] = None if self._is_sought(names) else tuple(self._places(module, names, tree))
        return self._steps[id(plot)]

    def _is_sought(self, names: Collection[str]) -> bool:
        return any(word in name for name in names for word in self._words)

    def _places(self, module: Module, names: Collection[str], tree: ast.Module) -> Iterator[_Place]:
        """Where names of a plot lead; `tree` is that of the plot, which may import some of them itself."""
        inside = list(imported_in(tree))
        for name in names:
            head, _, rest = name.partition(".")
            if head:
                yield from self._of_name(module, head, rest, 0)
            for alias, imported in inside:
                if alias == head:
                    yield from self._imported(module, imported, rest, 1)

    def _of_name(self, module: Module, head: str, rest: str, depth: int) -> Iterator[_Place]:
        if depth > _MAX_IMPORTS:
            return
        plots = [plot for plot in module.outline.binding(head) if not plot.bare]
        yield from ((module, plot) for plot in plots)
        imported = module.outline.imports.get(head)
        if imported is not None:
            yield from self._imported(module, imported, rest, depth + 1)
        elif not plots:
            for star in module.outline.stars:
                yield from self._imported(module, ImportedName(star.module, head, star.level), rest, depth + 1)

    def _imported(self, module: Module, imported: ImportedName, rest: str, depth: int) -> Iterator[_Place]:
        source = module.absolute(imported, self._program.finder)
        parts = [part for part in (source, imported.name, *rest.split(".")) if part]
        for length in range(len(parts), 0, -1):
            target = self._program.find(".".join(parts[:length]), module)
            if target is not None:
                if target.first_party and length < len(parts):
                    yield from self._of_name(target, parts[length], ".".join(parts[length + 1 :]), depth)
                return
