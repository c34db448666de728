"""What code may reach by the names that it reads: over outlines and `ast` alone, so that no room need be parsed.

There may be too much in it, never too little, as far as linking follows names: an object that code works on comes from
a class or a function that the code, or what it reaches, names somewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from lintpickle.project.places import Place, Places
from lintpickle.project.program import Module
from lintpickle.source.imports import imported_in
from lintpickle.source.outline import Plot
from lintpickle.source.reads import names_read, names_run


class Reach:
    """`sought` are components of dotted names, `parts` are looked for in them as substrings. `places` are those of
    first-party code."""

    def __init__(self, places: Places, sought: Collection[str], parts: Collection[str]) -> None:
        self._where = places
        self._sought = frozenset(sought)
        self._parts = tuple(parts)
        self._steps: dict[int, tuple[Place, ...] | None] = {}
        self._clean: set[int] = set()

    def reaches(self, module: Module, plot: Plot) -> bool:
        """Whether a name that is sought stands in what the plot runs outside of a main guard, or in a function,
        class or value of the program that this leads to."""
        tree = None
        names: Collection[str] | None = plot.runs
        if names is None:
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

    def _following(self, module: Module, plot: Plot) -> tuple[Place, ...] | None:
        """The places that a whole plot leads to; None if a name that is sought stands in it."""
        if id(plot) not in self._steps:
            tree = module.facts.tree(plot)
            names = names_read(tree)
            self._steps[id(plot)] = None if self._is_sought(names) else tuple(self._places(module, names, tree))
        return self._steps[id(plot)]

    def _is_sought(self, names: Collection[str]) -> bool:
        return any(
            not self._sought.isdisjoint(name.split(".")) or any(part in name for part in self._parts) for name in names
        )

    def _places(self, module: Module, names: Collection[str], tree: ast.Module | None) -> Iterator[Place]:
        """Where names of a plot lead; `tree` is that of the plot, if it may import some of them
        itself."""
        inside = list(imported_in(tree)) if tree is not None else []
        for name in names:
            head, _, rest = name.partition(".")
            yield from self._where.of_name(module, name)
            for alias, imported in inside:
                if alias == head:
                    yield from self._where.imported(module, imported, rest)
