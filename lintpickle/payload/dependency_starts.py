"""Which functions and classes of installed packages may lead to a boundary, by their text and imports alone."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.boundaries.names import BoundaryNames
from lintpickle.limits import LEVELS
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
        self._known: dict[_Key, tuple[int, bool]] = {}

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
        return self._leads(module, block, LEVELS.most)

    def _leads(self, module: Module, block: Block, levels: int) -> bool:
        key = (module.path, block.span.start)
        searched, is_leading = self._known.get(key, (-1, False))
        if is_leading or searched >= levels:
            return is_leading
        self._known[key] = (levels, False)
        is_leading = self._pickles(module, block) or any(
            self._leads(*place, levels - 1) for place in (self._places(module, block) if levels else ())
        )
        self._known[key] = (levels, is_leading)
        return is_leading

    def _pickles(self, module: Module, block: Block) -> bool:
        if not any(True for _ in self._screen.boundary.plots_in(module.lexicon, (block,))):
            return False
        return not self._names.are_copiers(self._names.in_block(module, block), module)

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
        key = (module.path, block.span.start)
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
