"""The calls in a function that may concern what one of its calls makes: most concern other objects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.facts.records import Called, FunctionFacts, Implied, ItemStore, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Expr,
    Item,
    Mapping,
    Name,
    Sum,
    before_puts,
    without_narrowing,
)
from lintpickle.interpreter.parts import is_item_step, part_of
from lintpickle.program.module import Module
from lintpickle.resolution.module_containers import with_fillings


class _Table(Struct, frozen=True):
    """The places of calls among the events of a function, by what they concern: the identity of a call that is written
    out there, or a name of the module's level. `names` are those that may hold what a call makes;
    `stored_on` is what something is stored on."""

    function: FunctionFacts
    places: dict[int | str, list[int]]
    names: dict[int, list[str]]
    stored_on: frozenset[int | str]


class MadeEvents:
    """Remembers them, for one evaluator: many objects are made by one function."""

    def __init__(self) -> None:
        self._known: dict[int, _Table] = {}

    def of(self, made: Sequence[Call], function: FunctionFacts, module: Module) -> Iterator[Called | Implied]:
        """The calls, written out or implied, on what one of some calls gives or on a container that it is put into, or
        that are given one of these, in order."""
        table = self._table_of(function, module)
        keys = [key for call in made for key in (id(call), *table.names.get(id(call), ()))]
        for place in sorted({place for key in keys for place in table.places.get(key, ())}):
            event = function.events[place]
            if isinstance(event, (Called, Implied)):
                yield event

    def is_concerned(self, call: Call, function: FunctionFacts, module: Module) -> bool:
        """Whether something else in a function concerns what one of its calls gives. In other statements of a module's
        level, there may be more."""
        table = self._table_of(function, module)
        return function.is_module_body or id(call) in table.places or id(call) in table.stored_on

    def _table_of(self, function: FunctionFacts, module: Module) -> _Table:
        if id(function) not in self._known:
            self._known[id(function)] = _table(function, module)
        return self._known[id(function)]


def _table(function: FunctionFacts, module: Module) -> _Table:
    places: defaultdict[int | str, list[int]] = defaultdict(list)
    stored_on: set[int | str] = set()
    for place, event in enumerate(function.events):
        match event:
            case Called(call=call):
                keys = {key for argument in call.arguments for key in _keys_of(argument.value, True)}
                if isinstance(call.function, Attribute):
                    keys.update(_keys_of(call.function.base))
                elif isinstance(without_narrowing(call.function), Item):
                    keys.update(_keys_of(call.function))
            case Implied(target=target):
                keys = set(_keys_of(target))
            case Store(target=target) | ItemStore(target=target):
                stored_on.update(_keys_of(target))
                continue
            case _:
                continue
        for key in keys:
            places[key].append(place)
    names: defaultdict[int, list[str]] = defaultdict(list)
    for name in [key for key in places if isinstance(key, str)] if function.is_module_body else ():
        for key in _keys_of_name(name, module):
            names[key].append(name)
    return _Table(function, dict(places), dict(names), frozenset(stored_on))


def _keys_of_name(name: str, module: Module) -> set[int]:
    """The calls whose results a name of the module's level may hold, or a container that it holds."""
    values = [block.values[name] for block in module.blocks_binding(name) if name in block.values]
    found = {key for value in values for key in _keys_in(with_fillings(value, name, module), True)}
    return {key for key in found if isinstance(key, int)}


def _keys_of(value: Expr, is_given: bool = False) -> Iterator[int | str]:
    """What an expression concerns: through attributes, items and methods, what it begins with; of an item of a display,
    or of one that is given to a function, what is in that."""
    root, path = part_of(value)
    yield from _keys_in(root, is_given or (bool(path) and is_item_step(path[0])))


def _keys_in(value: Expr, are_items: bool) -> Iterator[int | str]:
    waiting, seen = [value], set[int]()
    while waiting:
        each = without_narrowing(waiting.pop())
        if id(each) in seen:
            continue
        seen.add(id(each))
        match each:
            case Call(function=called, span=span):
                yield id(each)
                # The calls of one chain (`Made().with_rows(rows).sorted()`) start at the same place.
                if isinstance(called, Attribute) and called.base.span.start == span.start:
                    waiting.append(part_of(called.base)[0])
            case Name(name=name):
                yield name
            case Choice(options=inner):
                waiting += inner
            case Collection(elements=inner) | Sum(parts=inner) if are_items:
                waiting += inner
            case Sum():
                waiting += (made for made in before_puts(each) if made is not each)
            case Mapping(items=items) if are_items:
                waiting += (item for _, item in items)
            case Comprehension(element=element) if are_items:
                waiting.append(element)
            case _:
                pass
