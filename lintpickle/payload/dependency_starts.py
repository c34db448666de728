"""Which functions and classes of installed packages may lead to a boundary, by their text and imports alone."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.names import BoundaryNames
from lintpickle.limits import DEPENDENCY_STEPS
from lintpickle.parsing.names_read import names_read
from lintpickle.parsing.outline import Block, ClassHeader
from lintpickle.prefilter.screen import Screen
from lintpickle.program.cuts import Cuts
from lintpickle.program.module import Module
from lintpickle.resolution.name_targets import NameTarget, NameTargets

_Key = tuple[str, int]


class DependencyStarts:
    """Remembers the answers for one linker. `places` finds the code of dependencies too."""

    def __init__(self, places: NameTargets, names: BoundaryNames, screen: Screen, cuts: Cuts) -> None:
        self._where = places
        self._names = names
        self._screen = screen
        self._cuts = cuts
        self._known: dict[_Key, bool] = {}
        self._unsearched: set[_Key] = set()
        """The blocks from which it goes on beyond the limit. Every module that asks for one has reached it."""
        self._pickling: dict[_Key, bool] = {}
        self._steps: dict[_Key, tuple[NameTarget, ...]] = {}

    def named(self, module: Module, dotted: str) -> tuple[NameTarget, ...]:
        """The blocks of dependencies that a dotted name of a module stands for and that may lead to a boundary."""
        return tuple(
            (found, block)
            for found, block in self._where.of_name(module, dotted)
            if not found.first_party and self.leads(found, block)
        )

    def leads(self, module: Module, block: Block) -> bool:
        """Whether a boundary is named in a block, or in a function or class of the same package that the block leads
        to in a few steps."""
        key = _key(module, block)
        if key not in self._known:
            self._known[key] = self._search(module, block)
        if key in self._unsearched:
            self._cuts.note_of(DEPENDENCY_STEPS, module, block.span.start)
        return self._known[key]

    def _search(self, module: Module, block: Block) -> bool:
        seen, reached = {_key(module, block)}, [(module, block)]
        for _ in range(DEPENDENCY_STEPS.most):
            if any(self._pickles(*place) for place in reached):
                return True
            following = [each for place in reached for each in self._following(*place)]
            reached = [place for key, place in {_key(*each): each for each in following}.items() if key not in seen]
            seen.update(_key(*place) for place in reached)
        if any(self._pickles(*place) for place in reached):
            return True
        if reached:
            self._unsearched.add(_key(module, block))
        return False

    def _pickles(self, module: Module, block: Block) -> bool:
        key = _key(module, block)
        if key not in self._pickling:
            is_asked = any(True for _ in self._screen.boundary.plots_in(module.lexicon, (block,)))
            names = self._names.in_block(module, block) if is_asked else frozenset[str]()
            self._pickling[key] = not self._names.are_copiers(names, module)
        return self._pickling[key]

    def _following(self, module: Module, block: Block) -> tuple[NameTarget, ...]:
        key = _key(module, block)
        if key not in self._steps:
            self._steps[key] = tuple(self._places(module, block))
        return self._steps[key]

    def _places(self, module: Module, block: Block) -> Iterator[NameTarget]:
        """Where the names of a block lead within its package, to functions and classes."""
        package = module.name.partition(".")[0]
        for name in sorted(names_read(module.facts.tree(block))):
            for found, inner in self._where.of_name(module, name):
                is_definition = inner.is_class or inner.defines_function
                if is_definition and not found.first_party and found.name.partition(".")[0] == package:
                    yield found, inner

    def methods(self, module: Module, block: Block) -> Iterator[str]:
        """The names of the public methods of the classes of a block, inherited ones included."""
        yield from self._methods(module, block, set())

    def _methods(self, module: Module, block: Block, seen: set[_Key]) -> Iterator[str]:
        key = _key(module, block)
        if key in seen or not block.classes:
            return
        seen.add(key)
        yield from (name for name, _ in module.facts.methods(block) if not name.startswith("_"))
        for header in block.classes:
            for found, inner in self._bases(module, header):
                yield from self._methods(found, inner, seen)

    def _bases(self, module: Module, header: ClassHeader) -> Iterator[NameTarget]:
        for base in header.bases:
            yield from (place for place in self._where.of_name(module, base) if not place[0].first_party)


def _key(module: Module, block: Block) -> _Key:
    return module.path, block.span.start
