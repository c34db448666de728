"""The stages of judging a program in one process, counted for whoever watches a long run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

Stage: TypeAlias = Callable[[str, int, int], None]
"""Is told what is being done ("following boundaries"), how many have been done, and how many there are."""

_Item = TypeVar("_Item")


def in_stage(items: Sequence[_Item], what: str, stage: Stage | None) -> Iterator[_Item]:
    """The items, each after it was told how many came before it."""
    for done, item in enumerate(items):
        if stage is not None:
            stage(what, done, len(items))
        yield item
