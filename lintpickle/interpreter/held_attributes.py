"""What the attributes of one object hold while its construction is followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_

from msgspec.structs import replace

from lintpickle.facts.records import Lambda
from lintpickle.facts.values import UNNAMED, Call, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import Done, Doubt, joined
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.in_containers import contents
from lintpickle.interpreter.parts import done_within


class HeldAttributes:
    """The stores on an object, in order. Later ones replace those of the same attribute, or may do so."""

    def __init__(self) -> None:
        self.held: list[Held] = []
        self._names: set[str] = set()
        """The attributes that were ever held."""

    def has_had(self, attribute: str) -> bool:
        """Whether something was ever stored in an attribute."""
        return attribute in self._names

    def has_own(self, attribute: str) -> bool:
        """Whether an attribute itself holds something, and not only what it holds."""
        return any(held.direct and held.attribute == attribute for held in self.held)

    def may_have_made(self, attribute: str) -> bool:
        """Whether an attribute may hold what a call gave, or a container that is written out with such things."""
        return any(
            isinstance(without_narrowing(each), Call)
            for held in self.held
            if held.attribute == attribute
            for option in options_of(without_narrowing(held.value))
            for each in (option, *contents(option))
        )

    def add(self, held: Held) -> None:
        """Note what is put into the container that an attribute holds."""
        self._names.add(held.attribute)
        self.held.append(held)

    def store_where(self, held: Held, is_gone: Callable[[Held], bool]) -> None:
        """Note a store that replaces some of what the attribute may hold for sure."""
        gone = tuple(each for each in self.held if each.attribute == held.attribute and is_gone(each))
        if gone:
            self.held = [each for each in self.held if not any(each is other for other in gone)]
            held = replace(held, before=gone)
        self.store(held, replaces=False)

    def put(self, held: Held, replaces: bool) -> None:
        """Note what is put into an object that is a container itself: it may replace what was there under the key."""
        is_named = held.key is not None and held.key.item is not None
        if replaces and is_named:
            self.held = [each for each in self.held if each.attribute != held.attribute or each.key != held.key]
        self.add(held)

    def store(self, held: Held, replaces: bool = True) -> None:
        """Note a store: it replaces what the attribute held, or may do so."""
        is_first = self._names.isdisjoint((held.attribute, UNNAMED))
        if is_first or held.attribute == UNNAMED:
            pass  # It replaces nothing, or it is not known which attribute it replaces.
        elif replaces:
            others = [each for each in self.held if each.attribute != held.attribute]
            if len(others) < len(self.held):
                held = replace(held, before=tuple(each for each in self.held if each.attribute == held.attribute))
            self.held = [_may_be_gone(each) if each.attribute == UNNAMED else each for each in others]
        else:
            self.held = [each if _stays(each, held) else _may_be_gone(each) for each in self.held]
        self.add(held)

    def delete(self, attribute: str, is_certain: bool) -> None:
        """Note that an attribute is deleted, or may be."""
        if is_certain:
            self.held = [held for held in self.held if held.attribute != attribute]
        else:
            self.held = [_may_be_gone(held) if held.attribute == attribute else held for held in self.held]

    def drop(self, attribute: str, is_gone: Callable[[Held], bool]) -> None:
        """Note that some of what an attribute may hold is replaced for sure."""
        self.held = [held for held in self.held if held.attribute != attribute or not is_gone(held)]

    def do(self, done: Done) -> None:
        """Note what is done to the value of an attribute, or to a part of that; `done.path` begins with the
        attribute."""
        attribute, *rest = done.path
        inner = replace(done, path=tuple(rest))
        self.held = [_after(held, inner) if held.attribute == attribute else held for held in self.held]

    def keep_from(self, before: Sequence[Held], is_gone: Callable[[Held], bool]) -> None:
        """Keep what was held before something that may not have been done, but for what is gone all the same."""
        if len(before) <= len(self.held) and all(map(is_, before, self.held)):
            return  # Nothing was replaced, as in most calls.
        kept = {_store_of(each) for each in self.held}
        missing = (each for each in before if _store_of(each) not in kept)
        self.held += [_may_be_gone(each) for each in missing if not is_gone(each)]


def _after(held: Held, done: Done) -> Held:
    """What an attribute or its container holds, after something that is done to what the attribute holds."""
    of_held = done if held.key is None else done_within(done, held.key, isinstance(held.key.item, str) or None)
    return replace(held, done=(*held.done, of_held)) if of_held is not None else held


def _stays(held: Held, stored: Held) -> bool:
    """Whether a store that may replace something leaves this for sure; which of two lambdas it is does not matter."""
    if held.attribute != stored.attribute:
        return True
    return isinstance(held.value, Lambda) and isinstance(stored.value, Lambda)


def _may_be_gone(held: Held) -> Held:
    """What an attribute holds, where something may have replaced it."""
    return replace(held, doubts=joined(held.doubts, (Doubt.BRANCH,)))


def _store_of(held: Held) -> tuple[str, int, int]:
    """What tells a store from others, whatever is doubted of it."""
    return held.attribute, id(held.value), id(held.frame)
