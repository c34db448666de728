"""Which names code may reach through the names that it reads. Only outlines and `ast` are used; no block is parsed by
libcst.

There may be too many, but never too few, as far as linking follows names: an object that code uses comes from a class
or function that the code, or something it reaches, names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

from lintpickle.parsing.imports import imported_in
from lintpickle.parsing.names_read import names_read, names_run
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module
from lintpickle.program.reached import Ends, ReachedNames
from lintpickle.resolution.name_targets import NameTarget, NameTargets

_Key: TypeAlias = tuple[str, int]
_DOTTED = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*")


class NameReach:
    """`sought` are components of dotted names; `parts` are substrings to look for in them. `places` finds first-party
    code, `reached` holds the results so far."""

    def __init__(
        self, places: NameTargets, sought: Collection[str], parts: Collection[str], reached: ReachedNames
    ) -> None:
        self._where = places
        self._sought = frozenset(sought)
        self._parts = tuple(parts)
        self._by_text = _Walked(self._following_text, reached.by_text)
        self._by_tree = _Walked(self._following_tree, reached.by_tree)

    def reaches(self, module: Module, block: Block) -> bool:
        """Whether a sought name occurs in what the block runs outside a main guard, or in a function, class or value of
        the program that this leads to."""
        tree = None
        names: Collection[str] | None = block.runs
        if names is None:
            tree = module.facts.tree(block)
            names = names_run(tree)
        if self.is_sought(names):
            return True
        first = tuple(self._places(module, names, tree))
        return self._by_text.leads(first) and self._by_tree.leads(first)

    def leads(self, module: Module, block: Block) -> bool:
        """The same of everything in the block, whether that runs by itself or not."""
        place = ((module, block),)
        return self._by_text.leads(place) and self._by_tree.leads(place)

    def _following_text(self, module: Module, block: Block) -> tuple[NameTarget, ...] | None:
        """Like `_following_tree`, but for all words in the text, including comments and strings: what cannot be reached
        in this way need not be parsed."""
        text = module.facts.text(block)
        names = frozenset(map(_without_space, _DOTTED.findall(text)))
        if self.is_sought(names):
            return None
        return tuple(self._places(module, names, module.facts.tree(block) if "import" in text else None))

    def _following_tree(self, module: Module, block: Block) -> tuple[NameTarget, ...] | None:
        """The places that a whole block leads to; None if a sought name occurs in it."""
        tree = module.facts.tree(block)
        names = names_read(tree)
        return None if self.is_sought(names) else tuple(self._places(module, names, tree))

    def is_sought(self, names: Collection[str]) -> bool:
        """Whether one of these names is sought, or has a sought part."""
        together = " ".join(names)
        if any(part in together for part in self._parts):
            return True
        return not self._sought.isdisjoint(together.replace(".", " ").split())

    def _places(self, module: Module, names: Collection[str], tree: ast.Module | None) -> Iterator[NameTarget]:
        """Where names of a block lead. `tree` is the tree of the block if it may contain imports of them."""
        inside = list(imported_in(tree)) if tree is not None else []
        for name in names:
            head, _, rest = name.partition(".")
            yield from self._where.of_name(module, name)
            for alias, imported in inside:
                if alias == head:
                    yield from self._where.imported(module, imported, rest)


class _Walked:
    """Searches from places for the goal. `following` returns the next places, or None at the goal. `known` holds the
    results for places that have been searched completely."""

    def __init__(self, following: Callable[[Module, Block], tuple[NameTarget, ...] | None], known: Ends) -> None:
        self._following = following
        self._known = known
        self._steps: dict[_Key, tuple[NameTarget, ...] | None] = {}

    def leads(self, places: Iterable[NameTarget]) -> bool:
        """Whether any of the places leads to the goal."""
        return any(map(self._leads, places))

    def _leads(self, place: NameTarget) -> bool:
        before: dict[_Key, _Key | None] = {}
        waiting: list[tuple[NameTarget, _Key | None]] = [(place, None)]
        while waiting:
            place, key_before = waiting.pop()
            key = (place[0].path, place[1].span.start)
            if key in before or key[1] in self._known.others.get(key[0], ()):
                continue
            before[key] = key_before
            is_leading = key[1] in self._known.leading.get(key[0], ())
            if not is_leading and key not in self._steps:
                self._steps[key] = self._following(*place)
            following = () if is_leading else self._steps[key]
            if is_leading or following is None:
                step: _Key | None = key
                while step is not None:
                    self._known.leading.setdefault(step[0], set()).add(step[1])
                    step = before[step]
                return True
            waiting += ((next_place, key) for next_place in following)
        for path, start in before:
            self._known.others.setdefault(path, set()).add(start)
        return False


def _without_space(name: str) -> str:
    return name if name.isascii() and " " not in name and "\n" not in name else "".join(name.split())
