"""Registries that are tables or lists of a module: what decorators of that module, and `__init_subclass__`, put into
them for definitions of other modules. What its own module registers is read with the module (`registrations`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from lintpickle.facts.records import ClassFacts, FunctionFacts
from lintpickle.facts.values import Expr, Name, uncalled
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    ClassValue,
    ContainerValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.items import keys_of
from lintpickle.interpreter.slots import with_slots
from lintpickle.parsing.outline import Block
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.resolution.kept_values import kept_of
from lintpickle.resolution.registrations import (
    ON_SUBCLASSING,
    Registrar,
    Subclassing,
    Undecorated,
    decorated_by,
    derived_in,
    deriving_from,
    registrars_of,
    subclassing_into,
    table_of_subclasses,
)

_Way: TypeAlias = Registrar | Subclassing


class RegisteredInModules:
    """Finds them. `asker` gives the path of the module that is judged now."""

    def __init__(self, evaluator: Evaluator, first_party: FirstPartyModules, asker: Callable[[], str]) -> None:
        self._evaluator = evaluator
        self._first_party = first_party
        self._asker = asker
        self._slots: dict[tuple[str, str], tuple[Slot, ...]] = {}
        self._under_way: set[tuple[str, str]] = set()

    def with_registered(self, found: Iterable[TracedValue], name: str, module: Module) -> list[TracedValue]:
        """What a name of a module is, with what definitions of other modules are put into it."""
        values = list(found)
        if not module.first_party or not any(isinstance(each.value, ContainerValue) for each in values):
            return values
        ways: tuple[_Way, ...] = (*registrars_of(name, module), *subclassing_into(name, module))
        return self._extended(values, (module.path, name), ways, module)

    def with_subclasses(
        self, found: Iterable[TracedValue], owner: InstanceValue | ClassValue, name: str
    ) -> list[TracedValue]:
        """What an attribute of a class or object is, with the classes of other modules that a class of its line puts
        into it as they derive from it."""
        values = list(found)
        if not any(isinstance(each.value, ContainerValue) for each in values):
            return values
        for each in self._evaluator.classes.mro(owner):
            if isinstance(each, ClassValue) and each.module.first_party and ON_SUBCLASSING in each.facts.methods:
                how = table_of_subclasses(each.facts, name, each.module.code)
                if how is not None:
                    return self._extended(values, (each.module.path, f"{each.facts.name}.{name}"), (how,), each.module)
        return values

    def _extended(
        self,
        values: list[TracedValue],
        key: tuple[str, str],
        ways: tuple[_Way, ...],
        home: Module,
    ) -> list[TracedValue]:
        if key in self._under_way or not ways:
            return values
        self._under_way.add(key)
        try:
            slots = self._known(key, ways, home)
        finally:
            self._under_way.discard(key)
        return [with_slots(each, slots, self._evaluator.cuts) for each in values] if slots else values

    def _known(self, key: tuple[str, str], ways: tuple[_Way, ...], home: Module) -> tuple[Slot, ...]:
        """What is put into it, found once, unless that had to end early; each module that asks is noted."""
        named = [(way, self._naming(way)) for way in ways]
        if key not in self._slots:
            found = tuple(slot for way, paths in named for slot in self._put_by(way, paths, home))
            if len(self._under_way) > 1 or self._evaluator.is_spent:
                return found
            self._slots[key] = found
        return self._slots[key]

    def _naming(self, way: _Way) -> tuple[str, ...]:
        if isinstance(way, Registrar):
            return self._first_party.search(Words({way.name}), self._asker(), decorated_by(way.name))
        return self._first_party.search(Words({way.owner}), self._asker(), _derived_from(way.owner))

    def _put_by(self, way: _Way, paths: Iterable[str], home: Module) -> Iterator[Slot]:
        for module in self._first_party.modules(tuple(paths)):
            if module is not home:
                yield from (
                    self._decorated(way, module, home)
                    if isinstance(way, Registrar)
                    else self._derived(way, module, home)
                )

    def _decorated(self, registrar: Registrar, module: Module, home: Module) -> Iterator[Slot]:
        form = decorated_by(registrar.name)
        for block in module.outline.blocks:
            found = form.search(module.code, block.span.start, block.span.end) if _is_definition(block) else None
            facts = module.facts_of(block) if found is not None else None
            frame = self._evaluator.module_frame(module, facts.body) if facts is not None else None
            definitions: list[FunctionFacts | ClassFacts] = (
                [*facts.functions.values(), *facts.classes.values()] if facts is not None else []
            )
            for defined in definitions:
                for decorator in defined.decorators:
                    if found is not None and frame is not None and self._is_one(decorator, registrar, frame, home):
                        key, name = found.group(1) or found.group(2), Name(defined.header, defined.name)
                        is_innermost = isinstance(defined, FunctionFacts) and decorator is defined.decorators[-1]
                        given = Undecorated(name.span, name) if is_innermost else name
                        value = kept_of(given, decorator, registrar.kept)
                        yield Slot(SlotKey(item=key) if key and not registrar.is_list else SOME_ITEM, value, frame)

    def _is_one(self, decorator: Expr, registrar: Registrar, frame: Frame, home: Module) -> bool:
        """Whether a decorator is the function of the registry's module, or what that makes."""
        called = uncalled(decorator)
        found = (each.value for each in self._evaluator.evaluate(called, frame))
        return any(
            isinstance(each, FunctionValue) and each.module is home and each.facts.name == registrar.name
            for each in found
        )

    def _derived(self, how: Subclassing, module: Module, home: Module) -> Iterator[Slot]:
        deriving = deriving_from(how.owner, module)
        for key, name in derived_in(module, how):
            block = module.outline.block_at(name.span.start) if name.name in deriving else None
            facts = module.facts_of(block) if block is not None else None
            frame = self._evaluator.module_frame(module, facts.body) if facts is not None else None
            for traced in self._evaluator.evaluate(name, frame) if frame is not None else ():
                if frame is not None and isinstance(traced.value, ClassValue):
                    line = self._evaluator.classes.mro(traced.value)[1:]
                    if any(isinstance(each, ClassValue) and _is_owner(each, how, home) for each in line):
                        keys = keys_of(key, frame, self._evaluator) if how.key is not None else ()
                        yield Slot(keys[0] if len(keys) == 1 else SOME_ITEM, name, frame)


def _is_owner(class_: ClassValue, how: Subclassing, home: Module) -> bool:
    return class_.module is home and class_.facts.name == how.owner


def _is_definition(block: Block) -> bool:
    return len(block.names) == 1 and (block.is_class or block.defines_function)


def _derived_from(name: str) -> re.Pattern[str]:
    """How a class stands in the text that derives from one of a name, as far as one sees: from another one of its
    module, too."""
    return re.compile(rf"\bclass\s+\w+\s*\([^()]*\b{re.escape(name)}\b")
