"""A sample of all programs in which every pair of parts that fit occurs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product

from .composing import Choice, fits
from .parts import BOUNDARIES, CARRIERS, HAZARDS, LAYOUTS, PLACES
from .twins import TWINS

SEED = 1
_TRIES = 40
_KINDS = ("hazard", "carrier", "boundary", "place", "layout", "twin")
_PARTS = {
    "hazard": tuple(HAZARDS),
    "carrier": tuple(CARRIERS),
    "boundary": tuple(BOUNDARIES),
    "place": tuple(PLACES),
    "layout": LAYOUTS,
    "twin": tuple(name for name in TWINS if name),
}

Pair = tuple[str, str, str, str]


def sample(seed: int = SEED) -> list[Choice]:
    """Choices in which every hazard meets every carrier, and every two other parts that fit meet at least once; those
    with a twin are fewer, for there each twin only has to meet every other part."""
    return list(drawn(seed))


def drawn(seed: int = SEED) -> Iterator[Choice]:
    """The choices of `sample` one by one, in their order, none twice."""
    before: set[Choice] = set()
    for choice in _covering(seed, random.Random(seed)):
        if choice not in before:
            before.add(choice)
            yield choice


def _covering(seed: int, chance: random.Random) -> Iterator[Choice]:
    seen: set[Pair] = set()
    for hazard, carrier in product(_PARTS["hazard"], _PARTS["carrier"]):
        choice = _best({"hazard": hazard, "carrier": carrier, "twin": ""}, seed, chance, seen)
        if choice is not None:
            seen |= _pairs(choice)
            yield choice
    for twins in (("",), _PARTS["twin"]):
        for first, second in combinations(_KINDS, 2):
            values = {**_PARTS, "twin": twins}
            for one, other in product(values[first], values[second]):
                if (first, one, second, other) in seen or (not twins[0] and "twin" in (first, second)):
                    continue
                if twins[0] and "twin" not in (first, second):
                    continue
                fixed = {first: one, second: other, **({} if twins[0] else {"twin": ""})}
                choice = _best(fixed, seed, chance, seen)
                if choice is not None:
                    seen |= _pairs(choice)
                    yield choice


def _best(fixed: dict[str, str], seed: int, chance: random.Random, seen: set[Pair]) -> Choice | None:
    """The choice with these parts that meets most pairs not met before, of those that chance proposes."""
    best, most = None, -1
    for _ in range(_TRIES):
        choice = Choice(**{kind: fixed.get(kind) or _pick(kind, fixed, chance) for kind in _KINDS}, seed=seed)
        if fits(choice):
            new = len(_pairs(choice) - seen)
            if new > most:
                best, most = choice, new
    return best


def _pick(kind: str, fixed: dict[str, str], chance: random.Random) -> str:
    return fixed[kind] if kind in fixed else chance.choice(_PARTS[kind])


def _pairs(choice: Choice) -> set[Pair]:
    named = [(kind, getattr(choice, kind)) for kind in _KINDS]
    return {(*one, *other) for one, other in combinations(named, 2)}
