"""Dotted names and module-level bindings: from a name in one module to what defines it in another."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.catalog import Catalog
from lintpickle.diagnostics import Span
from lintpickle.facts.records import ClassFacts, FunctionFacts, RoomFacts
from lintpickle.facts.values import Choice, Constant, Value
from lintpickle.project.module import Module
from lintpickle.project.program import Program
from lintpickle.project.stars import Stars
from lintpickle.project.stores import filled
from lintpickle.project.ways import Ways
from lintpickle.source.branches import Step
from lintpickle.source.imports import ImportedName

_BUILTINS = frozenset(dir(builtins))
_MAX_ALIASES = 24


class Definition(Struct, frozen=True):
    """A module-level binding that was found: exactly one of the four is set.

    `value` is an assigned expression in the module body of `room`; `path` is the dotted name of something that is
    not read (a library, a builtin, a module).
    """

    module: Module | None = None
    function: FunctionFacts | None = None
    class_: ClassFacts | None = None
    value: Value | None = None
    room: RoomFacts | None = None
    path: str | None = None
    is_module: bool = False


class Names:
    """Resolves names over the modules of a program."""

    def __init__(self, program: Program, stars: Stars, catalog: Catalog) -> None:
        self._catalog = catalog
        self._program = program
        self._stars = stars
        self._known: dict[tuple[str, str], tuple[Definition, ...]] = {}
        self._dotted: dict[tuple[str, str], tuple[Definition, ...]] = {}

    def lookup(self, module: Module, name: str, _seen: int = 0) -> tuple[Definition, ...]:
        """Everything that `name` can be in the scope of `module`; a builtin if the module does not bind it."""
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

    def _lookup(self, module: Module, name: str, seen: int) -> Iterator[Definition]:
        found = False
        for room in module.rooms_binding(name):
            if name in room.classes:
                yield Definition(module, class_=room.classes[name], room=room)
                found = True
            elif name in room.functions:
                yield Definition(module, function=room.functions[name], room=room)
                found = True
            if name in room.values:
                yield Definition(module, value=filled(room.values[name], name, module), room=room)
                found = True
                if isinstance(room.values[name], Constant) and _is_set_by_functions(name, module):
                    yield Definition(path=f"{module.name}.{name}")
        if (imported := module.outline.imports.get(name)) is not None:
            yield from self.imported(module, imported, seen + 1)
            found = True
        if not found and module.outline.binding(name):
            return
        if not found and name in _BUILTINS:
            yield Definition(path=f"builtins.{name}")
            found = True
        if not found:
            for star in self._stars.binding(module, name):
                source = module.absolute(star, self._program.finder)
                if source is not None and (definitions := self._through_star(source, module, name, seen)):
                    yield from definitions
                    return
            yield from self._of_library(module, name)

    def _of_library(self, module: Module, name: str) -> Iterator[Definition]:
        """What a star import of a module that is not read binds, if the catalog knows a boundary or hazard of that name
        there; the last such import tells."""
        for star in reversed(module.outline.stars):
            source = module.absolute(star, self._program.finder)
            path = f"{source}.{name}"
            is_known = source is not None and self._catalog.is_hazard_or_boundary(path)
            if is_known and self._program.find(source or "", module) is None:
                yield Definition(path=path)
                return

    def _through_star(self, source: str, importer: Module, name: str, seen: int) -> tuple[Definition, ...]:
        target = self._program.find(source, importer)
        if target is None or seen > _MAX_ALIASES:
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

    def imported(self, importer: Module, imported: ImportedName, seen: int = 0) -> tuple[Definition, ...]:
        """What an import binds."""
        source = importer.absolute(imported, self._program.finder)
        if source is None:
            return ()
        if imported.name is None:
            return self._module(source, importer, seen, is_imported=True)
        dotted = f"{source}.{imported.name}" if source else imported.name
        return self.dotted(dotted, importer, seen + 1)

    def dotted(self, path: str, importer: Module | None = None, seen: int = 0) -> tuple[Definition, ...]:
        """What an absolute dotted name is: the longest prefix that is a module is entered, the rest looked up."""
        key = (path, importer.path if importer is not None else "")
        if key not in self._dotted:
            self._dotted[key] = (Definition(path=path),)
            try:
                self._dotted[key] = self._resolve(path, importer, seen)
            except BaseException:
                del self._dotted[key]
                raise
        return self._dotted[key]

    def _resolve(self, path: str, importer: Module | None, seen: int) -> tuple[Definition, ...]:
        external = (Definition(path=path),)
        if seen > _MAX_ALIASES or self._program.file_of(path.partition(".")[0], importer) is None:
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
        results: list[Definition] = []
        for owner in self.dotted(head, importer, seen + 1):
            if owner.path is not None and owner.path != head:
                results.extend(self.dotted(f"{owner.path}.{name}", importer, seen + 1))
            elif owner.class_ is not None and owner.module is not None:
                results.extend(_member(owner, name))
        return tuple(results) or external

    def _module(self, path: str, importer: Module | None, seen: int, is_imported: bool) -> tuple[Definition, ...]:
        """What the name of a module is: what its package binds to the last part of it, else the module.

        `from a import b` and `import a.b as c` ask the package for its attribute (CPython's IMPORT_FROM). A module that
        `is_imported` by its name becomes that attribute, unless the package has imported it and bound the name later.
        """
        head, _, name = path.rpartition(".")
        package = self._program.find(head, importer) if head else None
        if package is None or name not in package.outline.bound:
            return (Definition(path=path, is_module=True),)
        own = package.outline.imports.get(name)
        if is_imported and (own is None or package.absolute(own, self._program.finder) != path):
            return (Definition(path=path, is_module=True),)
        bound_otherwise = bool(package.outline.binding(name))
        return self.lookup(package, name, seen + 1) or (Definition(path=path, is_module=not bound_otherwise),)


def in_force(definitions: tuple[Definition, ...], module: Module, place: Span) -> tuple[Definition, ...]:
    """Of what a name can be, what it can be at a place of the module's own level: an assignment before that place has
    replaced what was there, imports too, and later ones are still to come. What an assignment reads is read before it
    binds (`loaders = [iter(each) for each in loaders]`)."""
    bound = [each.value.span if each.value is not None and each.module is module else None for each in definitions]
    certain = [span for span in bound if span is not None and _always_binds(span, module)]
    last = max((span.start for span in certain if span.end <= place.start), default=None)
    reading = [span for span in certain if span.start <= place.start < span.end]
    if last is None and not reading:
        return definitions
    first = -1 if last is None else last
    return tuple(
        each
        for each, span in zip(definitions, bound, strict=True)
        if (span is None and (last is None or each.module is module))
        or (span is not None and first <= span.start < place.start and span not in reading)
    )


def still_bound(value: Value, module: Module, place: Span) -> Value:
    """Of the values that one statement of a module's own level (a loop, say, or what is under the main guard) binds to
    a name, those that it can have at a place in that statement: each assignment on the way there replaces it."""
    plot = module.outline.plot_at(place.start)
    if not isinstance(value, Choice) or plot is None:
        return value
    within = [each for each in value.options if plot.span.start <= each.span.start < plot.span.end]
    earlier = [each for each in within if each.span.end <= place.start]
    if len(within) < len(value.options) or len(within) < 2 or not earlier:
        return value
    ways = Ways(module, plot.span)
    way = ways.steps(place.start)
    passed = [each.span.start for each in earlier if _leads(ways.steps(each.span.start), way)]
    if not passed:
        return value
    left = tuple(
        each for each in within if max(passed) <= each.span.start < place.start and each.span.end <= place.start
    )
    return left[0] if len(left) == 1 else Choice(left[0].span, left)


def _leads(first: Sequence[Step], second: Sequence[Step]) -> bool:
    """Whether who takes the second way has been where the first one ends."""
    return len(first) <= len(second) and all(a is b for a, b in zip(first, second, strict=False))


def _always_binds(span: Span, module: Module) -> bool:
    """Whether the assignment whose value stands there is made once, whatever happens."""
    plot = module.outline.plot_at(span.start)
    return plot is not None and plot.always_binds


def _is_set_by_functions(name: str, module: Module) -> bool:
    """Whether a function of the module may give the name another value."""
    return "global " in module.code and declared_global(name).search(module.code) is not None


def declared_global(name: str) -> re.Pattern[str]:
    """Finds where functions declare a name of the module global."""
    return re.compile(rf"\bglobal\b[^\n]*\b{re.escape(name)}\b")


def _member(owner: Definition, name: str) -> Iterator[Definition]:
    assert owner.class_ is not None
    for inner in owner.class_.classes:
        if inner.name == name:
            yield Definition(owner.module, class_=inner, room=owner.room)
    if name in owner.class_.methods:
        yield Definition(owner.module, function=owner.class_.methods[name], room=owner.room)
