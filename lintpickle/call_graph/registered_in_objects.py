"""Registries that are objects or classes: what `@MODELS.register("small")` and `MODELS.register("small", Small)` put
into a container of theirs, in whatever module of the program that stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from lintpickle.facts.methods import names_holding
from lintpickle.facts.records import BlockFacts, Called, ClassFacts, FunctionFacts, ItemStore
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Collection,
    Expr,
    Item,
    Name,
    Parameter,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    AbstractValue,
    ClassValue,
    ContainerValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Slot,
    SlotKey,
    TracedValue,
    is_none,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.slots import slot_key, with_slots
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import PUTTING_METHODS
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.resolution.kept_values import holds_given
from lintpickle.resolution.registrations import Undecorated

_DEEPEST_KEY = 8
"""How many steps a key is followed back to where it is written."""
_DEEPEST = 3
"""How many methods of a registry may lead from the one that is called to the one that puts something in."""
_Registry: TypeAlias = InstanceValue | ClassValue


class RegisteredInObjects:
    """Finds them. `asker` gives the path of the module that is judged now."""

    def __init__(self, evaluator: Evaluator, first_party: FirstPartyModules, asker: Callable[[], str]) -> None:
        self._evaluator = evaluator
        self._first_party = first_party
        self._asker = asker
        self._methods: dict[tuple[int, str], tuple[ClassFacts, frozenset[str]]] = {}
        self._under_way: set[tuple[int, str]] = set()
        self._slots: dict[tuple[int, str], tuple[_Registry, tuple[Slot, ...]]] = {}

    def with_registered(self, found: Iterable[TracedValue], registry: _Registry, attribute: str) -> list[TracedValue]:
        """What an attribute of an object or class is, with what decorators and statements of any module put into it by
        way of methods."""
        values = list(found)
        if not any(isinstance(each.value, ContainerValue) for each in values):
            return values
        key = (_identity(registry), attribute)
        name = _name_of(registry) if key not in self._under_way else None
        methods = self._registering(registry, attribute) if name is not None else frozenset()
        if name is None or not methods:
            return values
        slots = self._known(key, registry, name, methods)
        return [with_slots(each, slots, self._evaluator.cuts) for each in values] if slots else values

    def _known(self, key: tuple[int, str], registry: _Registry, name: str, methods: frozenset[str]) -> tuple[Slot, ...]:
        """What is put into an attribute, found once, unless that had to end early."""
        words, form = Words({name}), _calling(name, methods)
        modules = self._first_party.search(words, self._asker(), form)  # This module asks too, though others have.
        if key in self._slots or not modules:
            return self._slots[key][1] if modules else ()
        self._under_way.add(key)
        try:
            slots = tuple(self._put_into(registry, name, modules, form, key[1], methods))
        finally:
            self._under_way.discard(key)
        if not self._under_way and not self._evaluator.is_spent:
            self._slots[key] = (registry, slots)
        return slots

    def _registering(self, registry: _Registry, attribute: str) -> frozenset[str]:
        """The methods of a class that put something into an attribute, or in which one of these is called."""
        class_ = registry.class_ if isinstance(registry, InstanceValue) else registry
        key = (_identity(registry), attribute) if registry is class_ else (id(class_.facts), f".{attribute}")
        if key not in self._methods:
            line = [each for each in self._evaluator.classes.mro(class_) if isinstance(each, ClassValue)]
            puts = "|".join(PUTTING_METHODS)
            form = rf"\.{re.escape(attribute)}\s*(?:\[[^\n]*\]\s*=[^=]|\.\s*(?:{puts}|update)\s*\()"
            found, new = (
                set[str](),
                {each for each in _holding(form, line) if self._keeps_given(class_, each, attribute)},
            )
            for _ in range(_DEEPEST if new else 0):
                found |= new
                new = _holding(rf"\.(?:{'|'.join(map(re.escape, sorted(found)))})\b", line) - found
            found -= {"__init__", "__new__"}
            if registry is class_:
                found = {each for each in found if self._is_of_class(class_, each)}
            self._methods[key] = (class_.facts, frozenset(found))
        return self._methods[key][1]

    def _keeps_given(self, class_: ClassValue, name: str, attribute: str) -> bool:
        """Whether a method, or a function in it, puts something that it is given into an attribute."""
        found = self._evaluator.classes.find_method(class_, name)
        return found is not None and any(
            isinstance(event, ItemStore)
            and isinstance(event.target, Attribute)
            and event.target.name == attribute
            and holds_given(event.value)
            for function in (found[1], *found[1].functions)
            for event in function.events
        )

    def _is_of_class(self, class_: ClassValue, name: str) -> bool:
        found = self._evaluator.classes.find_method(class_, name)
        return found is not None and found[1].decorated_by("classmethod", "staticmethod")

    def _put_into(
        self,
        registry: _Registry,
        name: str,
        paths: Sequence[str],
        form: re.Pattern[str],
        attribute: str,
        methods: frozenset[str],
    ) -> Iterator[Slot]:
        for module in self._first_party.modules(paths):
            is_another = bool(module.outline.binding(name)) and module is not _home_of(registry)
            for block in module.outline.blocks if not is_another else ():
                is_named = form.search(module.code, block.span.start, block.span.end)
                facts = module.facts_of(block) if is_named else None
                frame = self._evaluator.module_frame(module, facts.body) if facts is not None else None
                for call, base in _registrations(facts, block, methods) if facts is not None else ():
                    if frame is not None and self._is_any(registry, base, frame):
                        yield from self._put_by(call, frame, registry, attribute, methods, 0)

    def _is_any(self, registry: _Registry, value: Expr, frame: Frame) -> bool:
        return any(_identity(each.value) == _identity(registry) for each in self._evaluator.evaluate(value, frame))

    def _put_by(
        self, call: Call, frame: Frame, registry: _Registry, attribute: str, methods: frozenset[str], level: int
    ) -> Iterator[Slot]:
        """What a call of a method of the registry, or of what such a method gives, puts into the attribute."""
        called = (traced.value for traced in self._evaluator.evaluate(call.function, frame))
        for callee in {id(each): each for each in called if isinstance(each, FunctionValue)}.values():
            inner = self._evaluator.enter(callee, call, frame)
            for event in inner.function.events if inner is not None else ():
                assert inner is not None
                match event:
                    case ItemStore(target=Attribute(base=base, name=filled)) if filled == attribute:
                        if self._is_any(registry, base, inner):
                            yield Slot(self._key(event.key, inner), event.value, inner)
                    case Called(call=Call(function=Attribute(base=base, name=method)) as further) if (
                        method in methods and level < _DEEPEST and self._is_any(registry, base, inner)
                    ):
                        yield from self._put_by(further, inner, registry, attribute, methods, level + 1)
                    case _:
                        pass

    def _key(self, key: Expr | None, frame: Frame) -> SlotKey:
        """Under which key something is put in: the one that is given, else the name of what is put in."""
        given, names = set[SlotKey](), set[SlotKey]()
        for option, home in _written_for(key, frame) if key is not None else ():
            match option:
                case Attribute(base=base, name="__name__"):
                    found = (each.value for each in self._evaluator.evaluate(base, home))
                    named = [each.facts.name for each in found if isinstance(each, (ClassValue, FunctionValue))]
                    names.update(SlotKey(item=name) for name in named)
                case _:
                    read = [each.value for each in self._evaluator.evaluate(option, home)]
                    given.update(slot_key(each) or SOME_ITEM for each in read if not is_none(each))
        keys = given or names
        return keys.pop() if len(keys) == 1 else SOME_ITEM


def _written_for(key: Expr, frame: Frame, level: int = 0) -> Iterator[tuple[Expr, Frame]]:
    """The expressions that a key may stand for, as they are written where the registry is called."""
    key = without_narrowing(key)
    match key:
        case Choice(options=parts) | Item(base=Collection(elements=parts), key=None):
            for part in parts if level < _DEEPEST_KEY else ():
                yield from _written_for(part, frame, level + 1)
        case Item(base=base, key=None) if level < _DEEPEST_KEY and options_of(base) != (base,):
            for option in options_of(base):
                inner = without_narrowing(option)
                item = Item(key.span, inner, None) if isinstance(inner, Collection) else inner
                yield from _written_for(item, frame, level + 1)
        case Parameter(name=name, owner=owner) | Captured(name=name, owner=owner):
            home = frame.enclosing(owner)
            bound = home.bindings.get(name) if home is not None else None
            if level < _DEEPEST_KEY and bound is not None and bound.expr is not None and bound.frame is not None:
                yield from _written_for(bound.expr, bound.frame, level + 1)
            else:
                yield key, frame
        case _:
            yield key, frame


@lru_cache(maxsize=1024)
def _calling(name: str, methods: frozenset[str]) -> re.Pattern[str]:
    """How the call of a method of a registry stands in the text."""
    return re.compile(rf"\b{re.escape(name)}\s*\.\s*(?:{'|'.join(map(re.escape, sorted(methods)))})\b")


def _identity(value: AbstractValue) -> int:
    """What an object or class is known by, whatever was done to it; 0 for what is no registry."""
    match value:
        case InstanceValue(call=Call() as made):
            return id(made)
        case ClassValue(facts=facts):
            return id(facts)
        case _:
            return 0


def _name_of(registry: _Registry) -> str | None:
    """The name of the module's level by which a registry is known; None if it has none."""
    match registry:
        case InstanceValue(call=Call(span=span), frame=Frame(module=module) as frame) if frame.function.is_module_body:
            block = module.outline.block_at(span.start)
            return block.names[0] if block is not None and len(block.names) == 1 else None
        case ClassValue(facts=facts) if not facts.is_local and "." not in facts.qualname:
            return facts.name
        case _:
            return None


def _home_of(registry: _Registry) -> Module | None:
    """The module whose name leads to a registry."""
    if isinstance(registry, ClassValue):
        return registry.module
    return registry.frame.module if registry.frame is not None else None


def _holding(form: str, line: Iterable[ClassValue]) -> set[str]:
    pattern = re.compile(form)
    return {name for each in line for name in names_holding(each.facts.methods, pattern, each.module.code)}


def _registrations(facts: BlockFacts, block: Block, methods: frozenset[str]) -> Iterator[tuple[Call, Expr]]:
    """The calls by which a statement of a module's level may register something, each with what it may do that in."""
    definitions: list[FunctionFacts | ClassFacts] = [*facts.functions.values(), *facts.classes.values()]
    for defined in definitions:
        for decorator in defined.decorators:
            base = _base_of(decorator, methods)
            if base is not None:
                name = Name(defined.header, defined.name)
                is_innermost = isinstance(defined, FunctionFacts) and decorator is defined.decorators[-1]
                given = Undecorated(name.span, name) if is_innermost else name
                yield Call(decorator.span, decorator, (Argument(given),)), base
    for event in facts.body.events if not (block.is_class or block.defines_function) else ():
        match event:
            case Called(call=call) if (base := _base_of(call.function, methods)) is not None:
                yield call, base
            case _:
                pass


def _base_of(function: Expr, methods: frozenset[str]) -> Expr | None:
    """Whose method it is that one calls, or that gives what one calls."""
    while isinstance(function, Call):
        function = function.function
    return function.base if isinstance(function, Attribute) and function.name in methods else None
