"""What names of modules stand for: where they are read, and what their definitions give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import structs

from lintpickle.diagnostics import Span
from lintpickle.facts.records import BlockFacts, FunctionFacts
from lintpickle.facts.values import Choice, Expr, Name, Sum
from lintpickle.interpreter.abstract_values import (
    ConstantValue,
    Doubt,
    ExternalValue,
    Frame,
    FunctionValue,
    Hop,
    ModuleValue,
    ProductValue,
    Site,
    TracedValue,
    joined,
)
from lintpickle.interpreter.decorators import Decorators
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import made_phrase, one_of
from lintpickle.program.module import Module
from lintpickle.resolution.bindings_in_force import in_force, in_the_end, is_never_read, still_bound
from lintpickle.resolution.module_bindings import ModuleBinding

_WithRegistered: TypeAlias = Callable[[Iterable[TracedValue], str, Module], Iterable[TracedValue]]


def _as_found(found: Iterable[TracedValue], name: str, module: Module) -> Iterable[TracedValue]:
    return found


class ModuleNames:
    """Names of modules of one run, evaluated."""

    def __init__(self, evaluator: Interpreter, decorators: Decorators) -> None:
        self._evaluator = evaluator
        self._decorators = decorators
        self.with_registered: _WithRegistered = _as_found
        self._bound_there: dict[tuple[int, int], tuple[Expr, Expr]] = {}
        self._setting_frames: dict[int, Frame] = {}

    def forget(self) -> None:
        """Let go of what names were found to be where they are read."""
        self._bound_there.clear()

    def named(self, name: str, frame: Frame, site: Site) -> tuple[ModuleBinding, ...]:
        """What a name of the module's own level can be where it is read at `site`."""
        found = self._evaluator.names.lookup(frame.module, name)
        if not frame.function.is_module_body:
            return found
        if len(found) > 1:
            found = in_force(found, frame.module, site.span)
        return tuple(
            structs.replace(each, value=self._still_bound(each.value, site))
            if each.module is frame.module and isinstance(each.value, Choice)
            else each
            for each in found
        )

    def under_computed_name(self, key: Expr, frame: Frame, site: Site) -> Iterator[TracedValue]:
        """What the module has under a name that is computed: `globals()[name]`."""
        names = [traced.value for traced in self._evaluator.evaluate(key, frame)]
        for name in names:
            if isinstance(name, ConstantValue) and isinstance(name.value, str):
                found = self.values(self._evaluator.names.lookup(frame.module, name.value), site)
                yield from found if len(names) == 1 else (each.doubted(Doubt.BRANCH) for each in found)

    def _still_bound(self, value: Expr, site: Site) -> Expr:
        """The same answer to the same question: what is evaluated is known by its identity."""
        key = (id(value), site.span.start)
        if key not in self._bound_there:
            self._bound_there[key] = (value, still_bound(value, site.module, site.span))
        return self._bound_there[key][1]

    def values(
        self, definitions: tuple[ModuleBinding, ...], site: Site, there: tuple[ModuleBinding, ...] | None = None
    ) -> Iterable[TracedValue]:
        """The values one of which a name is; `there` are those definitions that it can have where it is read, if that
        is known: else, those that it has in the end. Whoever reads what an import gives is taken to have it, where the
        program goes without (`torch = None`); a function that reads a name to which the module gives an object after
        it was a module (`import model`, `model = model.Net()`) is taken to mean the object."""
        if len(definitions) < 2:
            is_chosen = any(each.is_chosen for each in definitions)
            only = (traced for each in definitions for traced in self.definition(each, site))
            return (traced.doubted(Doubt.BRANCH) for traced in only) if is_chosen else only
        if there is None:
            there = in_the_end(definitions)
            gone = (each for each in definitions if each.is_module or is_never_read(each, there))
            left_out = {id(each) for each in gone if not any(each is other for other in there)}
            definitions = tuple(each for each in definitions if id(each) not in left_out)
        is_optional = any(each.bound is not None and each.bound.imports for each in there)
        left = [each for each in there if not (is_optional and each.is_none)]
        found: list[TracedValue] = []
        for each in definitions:
            doubts = (Doubt.FALLBACK,) if each.is_fallback else ()
            if each.is_chosen or not any(each is other for other in there):
                doubts = (*doubts, Doubt.BRANCH)
            found += (traced.doubted(*doubts) for traced in self.definition(each, site))
        return one_of(found) if len(left) > 1 else found

    def definition(self, definition: ModuleBinding, site: Site) -> Iterator[TracedValue]:
        """The values that a module-level binding can be, read at `site`."""
        module = definition.module
        if definition.path is not None:
            yield self._path(definition.path, definition.is_module, site)
        elif module is None or definition.block is None:
            return
        elif definition.class_ is not None:
            class_ = self._evaluator.classes.module_level(module, definition.class_)
            yield self._decorators.of_class(class_, self._evaluator.module_frame(module, definition.block.body), site)
        elif definition.function is not None:
            function = FunctionValue(module, definition.function)
            yield from self._decorators.of_function(
                function, self._evaluator.module_frame(module, definition.block.body), site
            )
        elif definition.value is not None and definition.set_by is not None:
            frame = self.setting_frame(module, definition.set_by)
            for traced in self._evaluator.evaluate(definition.value, frame):
                hops = (Hop(made_phrase(traced.value), traced.site), *traced.hops)
                yield TracedValue(traced.value, site, hops, joined(traced.doubts, (Doubt.BRANCH,)))
        elif definition.value is not None:
            frame = self._evaluator.module_frame(module, definition.block.body)
            found = self._evaluator.in_branches_taken(self._evaluator.evaluate(definition.value, frame), frame)
            for traced in self._registered(found, definition, definition.block, module):
                hops = (Hop(made_phrase(traced.value), traced.site), *traced.hops)
                yield TracedValue(traced.value, site, hops, traced.doubts)

    def _registered(
        self, found: Iterable[TracedValue], definition: ModuleBinding, block: BlockFacts, module: Module
    ) -> Iterable[TracedValue]:
        """The same values, of containers with what other modules register in them."""
        first = definition.value.parts[0] if isinstance(definition.value, Sum) else definition.value
        name = next((name for name, value in block.values.items() if value is first), None)
        return self.with_registered(found, name, module) if name is not None else found

    def undecorated(self, traced: TracedValue) -> TracedValue:
        """A function that a name stands for, as its innermost decorator got it."""
        match traced.value:
            case FunctionValue(facts=facts) as function if facts.decorators:
                itself = structs.replace(function, undecorated=True, opaque=False)
                return structs.replace(traced, value=itself, site=Site(function.module, facts.header))
            case _:
                return traced

    def under_decorators(self, name: Name, frame: Frame) -> tuple[TracedValue, ...]:
        """The function that is defined where a name of the module stands, as its innermost decorator got it, whatever
        the name leads to after that; nothing if it is no function."""
        defined = [each.function for each in self._evaluator.names.lookup(frame.module, name.name)]
        return tuple(
            TracedValue(FunctionValue(frame.module, each, undecorated=True), Site(frame.module, each.header))
            for each in defined
            if each is not None and each.decorators and _overlap(each.span, name.span)
        )

    def setting_frame(self, module: Module, function: FunctionFacts) -> Frame:
        """The frame of a function that sets a name of its module, or fills what it holds, whoever calls it."""
        key = id(function)
        if key not in self._setting_frames:
            self._setting_frames[key] = Frame(module, function, depth=1, open=True)
        return self._setting_frames[key]

    def _path(self, path: str, is_module: bool, site: Site) -> TracedValue:
        if is_module or self._evaluator.catalog.is_module(path):
            return TracedValue(ModuleValue(path), site)
        product = self._evaluator.catalog.value(path)
        if product is not None and product.first_failing(self._evaluator.pythons):
            return TracedValue(ProductValue(product, path), site)
        return TracedValue(ExternalValue(path), site)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
