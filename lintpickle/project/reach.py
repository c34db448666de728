"""What code may reach by the names that it reads: over outlines and `ast` alone, so that no room need be parsed.

There may be too much in it, never too little, as far as linking follows names: an object that code works on comes from
a class or a function that the code, or what it reaches, names somewhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from lintpickle.project.module import Module
from lintpickle.project.places import Place, Places
from lintpickle.source.imports import imported_in
from lintpickle.source.outline import Plot
from lintpickle.source.reads import names_read, names_run

_DOTTED = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*")


class Reach:
    """`sought` are components of dotted names, `parts` are looked for in them as substrings. `places` are those of
    first-party code."""

    def __init__(self, places: Places, sought: Collection[str], parts: Collection[str]) -> None:
        self._where = places
        self._sought = frozenset(sought)
        self._parts = tuple(parts)
        self._by_text = _Walked(self._following_text)
        self._by_tree = _Walked(self._following_tree)

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
        first = tuple(self._places(module, names, tree))
        return self._by_text.leads(first) and self._by_tree.leads(first)

    def _following_text(self, module: Module, plot: Plot) -> tuple[Place, ...] | None:
        """The same as `_following_tree`, of all words in the text, those of comments and strings too: what cannot be
        reached so need not be parsed."""
        text = module.facts.text(plot)
        names = frozenset(map(_without_space, _DOTTED.findall(text)))
        if self._is_sought(names):
            return None
        return tuple(self._places(module, names, module.facts.tree(plot) if "import" in text else None))

    def _following_tree(self, module: Module, plot: Plot) -> tuple[Place, ...] | None:
        """The places that a whole plot leads to; None if a name that is sought stands in it."""
        tree = module.facts.tree(plot)
        names = names_read(tree)
        return None if self._is_sought(names) else tuple(self._places(module, names, tree))

    def _is_sought(self, names: Collection[str]) -> bool:
        together = " ".join(names)
        if any(part in together for part in self._parts):
            return True
        return not self._sought.isdisjoint(together.replace(".", " ").split())

    def _places(self, module: Module, names: Collection[str], tree: ast.Module | None) -> Iterator[Place]:
        """Where names of a plot lead; `tree` is that of the plot, if it may import some of them itself."""
        inside = list(imported_in(tree)) if tree is not None else []
        for name in names:
            head, _, rest = name.partition(".")
            yield from self._where.of_name(module, name)
            for alias, imported in inside:
                if alias == head:
                    yield from self._where.imported(module, imported, rest)


class _Walked:
    """Places that have been walked through. `following` gives the next ones; None at the goal. Of each it is known
    afterwards whether it leads there, but of those that a walk has only passed on its way to others."""

    def __init__(self, following: Callable[[Module, Plot], tuple[Place, ...] | None]) -> None:
        self._following = following
        self._steps: dict[int, tuple[Place, ...] | None] = {}
        self._leading: set[int] = set()
        self._clean: set[int] = set()

    def leads(self, places: Iterable[Place]) -> bool:
        """Whether any of the places leads to the goal."""
        return any(map(self._leads, places))

    def _leads(self, place: Place) -> bool:
        before: dict[int, int | None] = {}
        waiting: list[tuple[Place, int | None]] = [(place, None)]
        while waiting:
            place, key_before = waiting.pop()
            key = id(place[1])
            if key in before or key in self._clean:
                continue
            before[key] = key_before
            if key not in self._steps:
                self._steps[key] = self._following(*place)
            following = self._steps[key]
            if following is None or key in self._leading:
                step: int | None = key
                while step is not None:
                    self._leading.add(step)
                    step = before[step]
                return True
            waiting += ((next_place, key) for next_place in following)
        self._clean |= before.keys()
        return False


def _without_space(name: str) -> str:
    return name if name.isascii() and " " not in name and "\n" not in name else "".join(name.split())
