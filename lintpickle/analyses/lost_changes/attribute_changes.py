"""Where functions change attributes, or what attributes hold."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.lost_changes.container_methods import CHANGING
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Item, chain, holder_of, without_narrowing


class AttributeChange(Struct, frozen=True):
    """A change of an attribute of `target`, or of an item of it."""

    target: Expr
    attribute: str
    event: Store | ItemStore | Called

    @property
    def is_of_part(self) -> bool:
        """Whether it changes something that is in what the attribute holds: `owner.rows[key].append(row)`."""
        event = self.event
        return isinstance(event, ItemStore) and event.key is None and isinstance(without_narrowing(event.target), Item)

    @property
    def written(self) -> str:
        return ".".join((*(chain(self.target) or ()), self.attribute))


def changes_of(facts: FunctionFacts) -> Iterator[AttributeChange]:
    """Where a function stores an attribute of something, or an item of one."""
    for event in facts.events:
        match event:
            case Store(target=target, attribute=attribute):
                yield AttributeChange(target, attribute, event)
            case ItemStore(target=target):
                inner = holder_of(target)
                if isinstance(inner, Attribute):
                    yield AttributeChange(inner.base, inner.name, event)
            case _:
                pass


def changes_by_calls(facts: FunctionFacts) -> Iterator[AttributeChange]:
    """Where a function calls a method of what an attribute holds that changes a container: `return
    self.ids.setdefault(token, number)`."""
    for event in facts.events:
        match event:
            case Called(call=Call(function=Attribute(base=Attribute(base=target, name=attribute), name=method))):
                if method in CHANGING:
                    yield AttributeChange(target, attribute, event)
            case _:
                pass
