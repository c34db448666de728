"""What the attributes of one object hold while its construction is followed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from operator import is_

from msgspec.structs import replace

from lintpickle.facts.records import ItemStore, Lambda
from lintpickle.facts.values import UNNAMED, Call, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import Done, Doubt, joined
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.in_containers import contents
from lintpickle.interpreter.parts import PUTTING, done_within, key_lost


class HeldAttributes:
    """The stores on an object, in order. Later ones replace those of the same attribute, or may do so."""

    def __init__(self) -> None:
        self._held: dict[int, Held] = {}
        """What is held, by its number, in order."""
        self._numbers: dict[str, list[int]] = {}
        """The numbers of what each attribute holds that was ever stored in."""
        self._free = count()

    @property
    def held(self) -> tuple[Held, ...]:
        """What all attributes hold, in order."""
        return tuple(self._held.values())

    def of(self, attribute: str) -> list[Held]:
        """What an attribute holds, in order."""
        return [self._held[number] for number in self._numbers.get(attribute, ())]

    def has_had(self, attribute: str) -> bool:
        """Whether something was ever stored in an attribute."""
        return attribute in self._numbers

    def has_own(self, attribute: str) -> bool:
        """Whether an attribute itself holds something, and not only what it holds."""
        return any(held.direct for held in self.of(attribute))

    def may_have_made(self, attribute: str) -> bool:
        """Whether an attribute may hold what a call gave, or a container that is written out with such things."""
        return any(
            isinstance(without_narrowing(each), Call)
            for held in self.of(attribute)
            for option in options_of(without_narrowing(held.value))
            for each in (option, *contents(option))
        )

    def add(self, held: Held) -> None:
        """Note what is put into the container that an attribute holds."""
        number = next(self._free)
        self._held[number] = held
        self._numbers.setdefault(held.attribute, []).append(number)

    def store_where(self, held: Held, is_gone: Callable[[Held], bool]) -> None:
        """Note a store that replaces some of what the attribute may hold for sure."""
        gone = self.drop(held.attribute, is_gone)
        self.store(replace(held, before=gone) if gone else held, replaces=False)

    def put_into(self, held: Held, event: ItemStore) -> None:
        """Note what is put into the container itself that an attribute holds: it may replace what was there under the
        key."""
        done = Done(event, held.frame, (held.attribute,), PUTTING, held.doubts)
        before = self.of(held.attribute)
        if key_lost(replace(done, path=())) is not None:
            self.do(done)
        left = set(map(id, self.of(held.attribute)))
        gone = tuple(each for each in before if id(each) not in left)
        self.add(replace(held, before=gone) if gone else held)

    def put(self, held: Held, replaces: bool) -> None:
        """Note what is put into an object that is a container itself: it may replace what was there under the key."""
        is_named = held.key is not None and held.key.item is not None
        if replaces and is_named:
            self.drop(held.attribute, lambda each: each.key == held.key)
        self.add(held)

    def store(self, held: Held, replaces: bool = True) -> None:
        """Note a store: it replaces what the attribute held, or may do so."""
        if held.attribute == UNNAMED:
            pass  # It is not known which attribute it replaces.
        elif replaces:
            gone = self.drop(held.attribute, lambda _: True)
            held = replace(held, before=gone) if gone else held
            self._change(UNNAMED, _may_be_gone)
        else:
            self._change(held.attribute, lambda each: each if _stays(each, held) else _may_be_gone(each))
        self.add(held)

    def delete(self, attribute: str, is_certain: bool) -> None:
        """Note that an attribute is deleted, or may be."""
        if is_certain:
            self.drop(attribute, lambda _: True)
        else:
            self._change(attribute, _may_be_gone)

    def drop(self, attribute: str, is_gone: Callable[[Held], bool]) -> tuple[Held, ...]:
        """Note that some of what an attribute may hold is replaced for sure, and give that."""
        gone = {number for number in self._numbers.get(attribute, ()) if is_gone(self._held[number])}
        if gone:
            self._numbers[attribute] = [number for number in self._numbers[attribute] if number not in gone]
        return tuple(self._held.pop(number) for number in sorted(gone))

    def do(self, done: Done) -> None:
        """Note what is done to the value of an attribute, or to a part of that; `done.path` begins with the
        attribute."""
        attribute, *rest = done.path
        inner = replace(done, path=tuple(rest))
        lost = key_lost(inner)
        if lost is not None:
            self.drop(attribute, lambda held: held.key == lost)
        self._change(attribute, lambda held: _after(held, inner))

    def keep_from(self, before: Sequence[Held], is_gone: Callable[[Held], bool]) -> None:
        """Keep what was held before something that may not have been done, but for what is gone all the same."""
        if len(before) <= len(self._held) and all(map(is_, before, self._held.values())):
            return  # Nothing was replaced, as in most calls.
        kept = {_store_of(each) for each in self._held.values()}
        for each in before:
            if _store_of(each) not in kept and not is_gone(each):
                self.add(_may_be_gone(each))

    def hold_only(self, held: Iterable[Held]) -> None:
        """Hold this and nothing else, as one of several ways has left it."""
        self._held.clear()
        for numbers in self._numbers.values():
            numbers.clear()
        for each in held:
            self.add(each)

    def _change(self, attribute: str, after: Callable[[Held], Held]) -> None:
        """Hold what becomes of each thing that an attribute holds, in its place."""
        for number in self._numbers.get(attribute, ()):
            self._held[number] = after(self._held[number])


def _after(held: Held, done: Done) -> Held:
    """What an attribute or its container holds, after something that is done to what the attribute holds."""
    of_held = done if held.key is None else done_within(done, held.key, isinstance(held.key.item, str) or None)
    return replace(held, done=(*held.done, of_held)) if of_held is not None else held


def _stays(held: Held, stored: Held) -> bool:
    """Whether a store that may replace something leaves this for sure; which of two lambdas it is does not matter."""
    return isinstance(held.value, Lambda) and isinstance(stored.value, Lambda)


def _may_be_gone(held: Held) -> Held:
    """What an attribute holds, where something may have replaced it."""
    return replace(held, doubts=joined(held.doubts, (Doubt.BRANCH,)))


def _store_of(held: Held) -> tuple[str, int, int]:
    """What tells a store from others, whatever is doubted of it."""
    return held.attribute, id(held.value), id(held.frame)
