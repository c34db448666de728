"""The payload kind of a class according to its header. Only outlines are used; no block is parsed."""

from __future__ import annotations

from lintpickle.catalog import Catalog
from lintpickle.limits import BASES
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.outline import ClassHeader
from lintpickle.program.cuts import Cuts
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.resolution.star_imports import StarImports


class ClassHeaderKinds:
    """Finds the kinds of classes. Results are kept for a run."""

    def __init__(self, program: Program, stars: StarImports, catalog: Catalog, cuts: Cuts) -> None:
        self._program = program
        self._stars = stars
        self._catalog = catalog
        self._cuts = cuts
        self._known: dict[tuple[str, str], str | None] = {}
        self._of_names: dict[tuple[str, str], str | None] = {}

    def kind(self, module: Module, header: ClassHeader, depth: int = 0) -> str | None:
        """The kind of a class of the module: that of the closest base class with a kind, otherwise that of a
        decorator."""
        key = (module.path, header.name)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._kind(module, header, depth)
        return self._known[key]

    def _kind(self, module: Module, header: ClassHeader, depth: int) -> str | None:
        if depth > BASES.most:
            self._cuts.note_of(BASES, module)
            return None
        for base in header.bases:
            kind = self._of_name(module, base, depth, set())
            if kind is not None:
                return kind
        for decorator in header.decorators:
            kind = self._catalog.kind_by_decorator(decorator)
            if kind is not None:
                return kind
        return None

    def kind_of_name(self, module: Module, dotted: str) -> str | None:
        """The kind of the class that a dotted name stands for in the module."""
        key = (module.path, dotted)
        if key not in self._of_names:
            self._of_names[key] = self._of_name(module, dotted, 0, set())
        return self._of_names[key]

    def _of_name(self, module: Module, dotted: str, depth: int, asked: set[tuple[str, str]]) -> str | None:
        """`asked` holds the modules and names that were looked up on the way, because modules can import stars from one
        another."""
        if (module.path, dotted) in asked:
            return None
        asked.add((module.path, dotted))
        head, _, rest = dotted.partition(".")
        for block in module.outline.binding(head):
            for header in block.classes:
                if header.name == head:
                    return self.kind(module, header, depth + 1)
        if imported := module.outline.importing(head):
            kinds = (self._imported(module, each, rest, depth, asked) for each in imported)
            return next((kind for kind in kinds if kind is not None), None)
        for star in self._stars.binding(module, head):
            source = module.absolute(star, self._program.finder)
            target = self._program.find(source, module) if source else None
            kind = self._of_name(target, dotted, depth + 1, asked) if target is not None else None
            if kind is not None:
                return kind
        return None if module.outline.binding(head) else self._catalog.kind_by_name(dotted)

    def _imported(
        self, module: Module, imported: ImportedName, rest: str, depth: int, asked: set[tuple[str, str]]
    ) -> str | None:
        source = module.absolute(imported, self._program.finder)
        if source is None:
            return None
        parts = [part for part in (source, imported.name, rest) if part]
        return self._of_path(".".join(parts), module, depth + 1, asked)

    def _of_path(self, path: str, importer: Module, depth: int, asked: set[tuple[str, str]]) -> str | None:
        kind = self._catalog.kind_of_class(path)
        if kind is not None:
            return kind
        if depth > BASES.most:
            self._cuts.note_of(BASES, importer)
            return None
        owner = path.rpartition(".")[0]
        while owner:
            target = self._program.find(owner, importer)
            if target is not None:
                return self._of_name(target, path[len(owner) + 1 :], depth + 1, asked)
            if self._program.file_of(owner, importer) is not None:
                return None
            owner = owner.rpartition(".")[0]
        return self._catalog.kind_by_name(path)
