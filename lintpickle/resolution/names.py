"""From a name in one module to its definition in another: dotted names and module-level bindings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.catalog import Catalog
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Constant
from lintpickle.limits import ALIASES
from lintpickle.parsing.imports import ImportedName
from lintpickle.program.cuts import Cuts
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.resolution.declared_globals import is_set_by_functions, set_by_functions
from lintpickle.resolution.module_bindings import Binding, ModuleBinding
from lintpickle.resolution.module_containers import with_fillings
from lintpickle.resolution.star_imports import StarImports
from lintpickle.resolution.thread_stand_ins import without_stand_ins


class NameResolver:
    """Resolves names over the modules of a program."""

    def __init__(self, program: Program, stars: StarImports, catalog: Catalog) -> None:
        self._catalog = catalog
        self._program = program
        self._stars = stars
        self.cuts = Cuts()
        """The limits that are reached on the way to what names stand for, and by those who ask."""
        self._known: dict[tuple[str, str], tuple[ModuleBinding, ...]] = {}
        self._dotted: dict[tuple[str, str], tuple[ModuleBinding, ...]] = {}

    def lookup(self, module: Module, name: str, _seen: int = 0) -> tuple[ModuleBinding, ...]:
        """All bindings that `name` can have in the scope of `module`; a builtin if the module does not bind it."""
        key = (module.path, name)
        if key not in self._known:
            self._known[key] = ()
            try:
                self._known[key] = tuple(self._lookup(module, name, _seen))
            except BaseException:
                del self._known[key]
                raise
        return self._known[key]

    def may_come_by_star(self, module: Module, name: str) -> bool:
        """Whether a star import of the module may bind the name, as far as is known."""
        return self._stars.may_bind(module, name)

    def _lookup(self, module: Module, name: str, seen: int) -> Iterator[ModuleBinding]:
        found = False
        for block in module.blocks_binding(name):
            if name in block.classes:
                class_ = block.classes[name]
                yield ModuleBinding(module, class_=class_, block=block, bound=_binding(class_.span, module))
                found = True
            elif name in block.functions:
                function = block.functions[name]
                yield ModuleBinding(module, function=function, block=block, bound=_binding(function.span, module))
                found = True
            if name in block.values:
                value = block.values[name]
                bound = _binding(value.span, module)
                yield ModuleBinding(module, value=with_fillings(value, name, module), block=block, bound=bound)
                found = True
                if is_set_by_functions(name, module):
                    if isinstance(value, Constant):
                        yield ModuleBinding(path=f"{module.name}.{name}")
                    yield from set_by_functions(name, module)
        if name in module.outline.imports:
            if not _is_redefined(name, module):
                yield from self._imported(module, name, seen + 1)
            found = True
        if not found and module.outline.binding(name):
            return
        if not found and is_set_by_functions(name, module):
            yield from set_by_functions(name, module)
            return
        if not found and module.outline.is_builtin(name):
            yield ModuleBinding(path=f"builtins.{name}")
            found = True
        if not found:
            for star in self._stars.binding(module, name):
                source = module.absolute(star, self._program.finder)
                if source is not None and (definitions := self._through_star(source, module, name, seen)):
                    yield from definitions
                    return
            yield from self._of_library(module, name)

    def _of_library(self, module: Module, name: str) -> Iterator[ModuleBinding]:
        """What a star import of a module that is not read binds, if the catalog knows a boundary or hazard of that name
        there. The last such import counts."""
        for star in reversed(module.outline.stars):
            source = module.absolute(star, self._program.finder)
            path = f"{source}.{name}"
            is_known = source is not None and self._catalog.is_hazard_or_boundary(path)
            if is_known and self._program.find(source or "", module) is None:
                yield ModuleBinding(path=path)
                return

    def _through_star(self, source: str, importer: Module, name: str, seen: int) -> tuple[ModuleBinding, ...]:
        target = self._program.find(source, importer)
        if target is None:
            return ()
        if seen > ALIASES.most:
            self.cuts.note_of(ALIASES, importer)
            return ()
        if target.outline.exports is not None and name not in target.outline.exports:
            return ()
        if target.outline.exports is None and name.startswith("_"):
            return ()
        if not target.outline.binding(name) and name not in target.outline.imports and not target.outline.stars:
            return ()
        return tuple(
            d for d in self.lookup(target, name, seen + 1) if d.path is None or not d.path.startswith("builtins.")
        )

    def _imported(self, module: Module, name: str, seen: int) -> Iterator[ModuleBinding]:
        """What the imports of a name bind, without repetitions."""
        paths = module.outline.import_ways.get(name)
        if paths is None:
            yield from self.imported(module, module.outline.imports[name], seen)
            return
        ways = without_stand_ins(paths)
        found = [(way, self.imported(module, way.imported, seen)) for way in ways]
        read = [way for way, definitions in found if any(each.path is None for each in definitions)]
        known: set[tuple[int, int, int, str | None]] = set()
        own_name = self._catalog.own_name
        for way, definitions in found:
            if way not in read and any(_are_one(way.imported, other.imported) for other in read):
                continue
            bound = Binding(module, way.span, way.always, True, way.fallback, len(ways) < len(paths))
            for each in definitions:
                key = _key(each if each.path is None else replace(each, path=own_name(each.path)))
                if key not in known:
                    known.add(key)
                    yield replace(each, bound=bound)

    def imported(self, importer: Module, imported: ImportedName, seen: int = 0) -> tuple[ModuleBinding, ...]:
        """What an import binds."""
        source = importer.absolute(imported, self._program.finder)
        if source is None:
            return ()
        if imported.name is None:
            return self._module(source, importer, seen, is_imported=True)
        dotted = f"{source}.{imported.name}" if source else imported.name
        return self.dotted(dotted, importer, seen + 1)

    def dotted(self, path: str, importer: Module | None = None, seen: int = 0) -> tuple[ModuleBinding, ...]:
        """The bindings of an absolute dotted name: the longest prefix that is a module is found, and the rest looked up
        in it."""
        key = (path, importer.path if importer is not None else "")
        if key not in self._dotted:
            self._dotted[key] = (ModuleBinding(path=path),)
            try:
                self._dotted[key] = self._resolve(path, importer, seen)
            except BaseException:
                del self._dotted[key]
                raise
        return self._dotted[key]

    def _resolve(self, path: str, importer: Module | None, seen: int) -> tuple[ModuleBinding, ...]:
        external = (ModuleBinding(path=path),)
        if self._program.file_of(path.partition(".")[0], importer) is None:
            return external
        if seen > ALIASES.most:
            if importer is not None:
                self.cuts.note_of(ALIASES, importer)
            return external
        if self._program.file_of(path, importer) is not None:
            return self._module(path, importer, seen, is_imported=False)
        head, _, name = path.rpartition(".")
        if not head:
            return external
        module = self._program.find(head, importer)
        if module is not None:
            found = self.lookup(module, name, seen + 1)
            return tuple(d for d in found if d.path is None or not d.path.startswith("builtins.")) or external
        if self._program.file_of(head, importer) is not None:
            return external
        results: list[ModuleBinding] = []
        for owner in self.dotted(head, importer, seen + 1):
            if owner.path is not None and owner.path != head:
                results.extend(self.dotted(f"{owner.path}.{name}", importer, seen + 1))
            elif owner.class_ is not None and owner.module is not None:
                results.extend(_member(owner, name))
        return tuple(results) or external

    def _module(self, path: str, importer: Module | None, seen: int, is_imported: bool) -> tuple[ModuleBinding, ...]:
        """The binding of a module's name: what its package binds to the last part of the name, otherwise the module.
        `from a import b` and `import a.b as c` ask the package for its attribute (CPython's IMPORT_FROM). A module that
        `is_imported` by its name becomes that attribute, unless the package imports it and binds the name
        afterwards."""
        head, _, name = path.rpartition(".")
        package = self._program.find(head, importer) if head else None
        if package is None or name not in package.outline.bound:
            return (ModuleBinding(path=path, is_module=True),)
        own = package.outline.imports.get(name)
        if is_imported and (own is None or package.absolute(own, self._program.finder) != path):
            return (ModuleBinding(path=path, is_module=True),)
        bound_otherwise = bool(package.outline.binding(name))
        return self.lookup(package, name, seen + 1) or (ModuleBinding(path=path, is_module=not bound_otherwise),)


def _is_redefined(name: str, module: Module) -> bool:
    """Whether a class or function of the module's own level takes the place of what imports in front of it have bound
    (`from redis import Redis`, then `class Redis(Broker):`)."""
    defined = [block.span for block in module.outline.binding(name) if block.is_class or block.defines_function]
    if not defined:
        return False
    word = re.escape(name)
    importing = re.compile(rf"^[ \t]*(?:from\s+\S+\s+)?import\b[^\n]*(?<![\w.]){word}\b[^\n]*", re.MULTILINE)
    imports = [found.end() for found in importing.finditer(module.code)]
    if not imports or max(imports) > defined[-1].start:
        return False
    header = re.compile(rf"\b(?:class|def)\s+{word}\b[^:]*:").search(module.code, defined[-1].start, defined[-1].end)
    between = module.code[max(imports) : header.end()] if header is not None else ""
    return len(re.findall(rf"(?<![\w.]){word}\b", between)) == 1  # nothing reads what was imported


def _binding(span: Span, module: Module) -> Binding:
    """The place where a statement at module level binds a name."""
    block = module.outline.block_at(span.start)
    return Binding(module, span, block is not None and (block.always_binds or block.is_class or block.defines_function))


def _are_one(unread: ImportedName, read: ImportedName) -> bool:
    """Whether two imports are of one object, and only the second can be found from where the module is now: `from
    .parts import Part`, otherwise `from parts import Part`."""
    return unread.name == read.name and unread.module.rpartition(".")[2] == read.module.rpartition(".")[2]


def _key(definition: ModuleBinding) -> tuple[int, int, int, str | None]:
    """What distinguishes a definition from others."""
    return id(definition.class_), id(definition.function), id(definition.value), definition.path


def _member(owner: ModuleBinding, name: str) -> Iterator[ModuleBinding]:
    assert owner.class_ is not None
    for inner in owner.class_.classes:
        if inner.name == name:
            yield ModuleBinding(owner.module, class_=inner, block=owner.block)
    if name in owner.class_.methods:
        yield ModuleBinding(owner.module, function=owner.class_.methods[name], block=owner.block)
