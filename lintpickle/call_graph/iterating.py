"""Ways to go through what is found step by step, of which those who ask may need the first few only."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import tee
from typing import TypeVar

_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


def in_turn(iterators: Iterable[Iterator[_Item]]) -> Iterator[_Item]:
    """One item of each iterator, then the next one of each, so that a limit leaves something of all."""
    waiting = deque(iterators)
    while waiting:
        each = waiting.popleft()
        for item in each:
            yield item
            waiting.append(each)
            break


def found_once(known: dict[_Key, Iterator[_Item]], key: _Key, find: Callable[[], Iterator[_Item]]) -> Iterator[_Item]:
    """What is found under a key, from the start: what others have asked for by now is not sought again."""
    known[key], found = tee(known[key] if key in known else find())
    return found
