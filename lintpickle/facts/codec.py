"""Facts as plain values that `marshal` can write, and back: for the cache, and for other processes.

Facts are compared by identity, so a record that is used in several places must be decoded as one object. The encoded
form is therefore a table of records; a record inside another one is stored as its index in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts import records, values
from lintpickle.facts.methods import Methods, ReadMethod
from lintpickle.parsing import imports, members, outline
from lintpickle.prefilter import marks

Table: TypeAlias = "tuple[tuple[Any, ...], ...]"
"""One row per record: the number of its class, then its fields. The last row is the outermost record."""


MakeMethods: TypeAlias = "Callable[[Mapping[str, records.FunctionFacts], tuple[members.Member, ...]], Methods]"


class NotEncodable(Exception):
    """The record is nested too deeply to be encoded."""


def encode(record: object) -> Table:
    """The table of a record and everything in it, without methods that are read on demand. Raises NotEncodable."""
    encoder = _Encoder()
    try:
        encoder.index(record)
    except RecursionError:
        raise NotEncodable from None
    return tuple(encoder.rows)


def decode(table: Table, methods: MakeMethods | None = None) -> Any:
    """The record that was given to `encode`. `methods` recreates the mapping of a class's methods, which are read on
    demand: it receives those that were read with the class, and the class's members."""
    built: list[Any] = []

    def value(item: Any) -> Any:
        kind = type(item)
        if kind is int:
            return built[item]
        if kind is tuple:
            return Span(*item) if len(item) == 2 else item[0]
        if kind is list:
            return tuple([value(each) for each in item])
        if kind is dict:
            return {key: value(each) for key, each in item.items()}
        return item

    classes = _classes()
    for number, *parts in table:
        made = classes[number]
        if made is Methods:
            assert methods is not None
            built.append(methods(value(parts[0]), value(parts[1])))
        else:
            built.append(made(*[value(part) for part in parts]))
    return built[-1]


class _Encoder:
    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self._indices: dict[int, int] = {}
        self._kept: list[object] = []

    def index(self, record: object) -> int:
        known = self._indices.get(id(record))
        if known is not None:
            return known
        number, names = _layout()[type(record)]
        if isinstance(record, Methods):
            row = (number, self._value(record.eager), self._value(record.members))
        else:
            row = (number, *[self._value(getattr(record, name)) for name in names])
        self.rows.append(row)
        self._kept.append(record)
        self._indices[id(record)] = len(self.rows) - 1
        return len(self.rows) - 1

    def _value(self, item: object) -> Any:
        match item:
            case None | bool() | str():
                return item
            case Span():
                return (item.start, item.end)
            case tuple():
                return [self._value(each) for each in item]
            case dict():
                return {key: self._value(each) for key, each in item.items()}
            case frozenset():
                return item
            case _ if type(item) in _layout():
                return self.index(item)
            case _:
                return (item,)


@cache
def _classes() -> tuple[type, ...]:
    """The classes of facts, in an order that depends only on their names."""
    found = {
        each.__name__: each
        for module in (records, values, outline, imports, members, marks)
        for each in _records_of(module)
    }
    return (*(found[name] for name in sorted(found)), ReadMethod, Methods)


def _records_of(module: ModuleType) -> Iterable[type]:
    """The records that a module defines or imports."""
    found = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Struct))
    return (each for each in found if each not in (Struct, Span))


@cache
def _layout() -> dict[type, tuple[int, tuple[str, ...]]]:
    """The number and the names of the fields of each class."""
    return {
        each: (number, each.__struct_fields__ if issubclass(each, Struct) else ())
        for number, each in enumerate(_classes())
    }
