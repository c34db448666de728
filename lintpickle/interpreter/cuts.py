"""Which limits were reached while modules were judged, and what was being followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from lintpickle.interpreter.abstract_values import Site
from lintpickle.limits import Cut, Limit

_Item = TypeVar("_Item")


class Cuts:
    """Takes note of them for one evaluator."""

    def __init__(self) -> None:
        self._at: Site | None = None
        self._times: dict[tuple[str, Site | None], int] = {}

    def note(self, limit: Limit) -> None:
        """A limit is reached."""
        key = (limit.name, self._at)
        self._times[key] = self._times.get(key, 0) + 1

    @contextmanager
    def at(self, site: Site) -> Iterator[None]:
        """A context in which what is at a place is followed. There must be no `yield` in the block: see `within`."""
        before, self._at = self._at, site
        try:
            yield
        finally:
            self._at = before

    def within(self, site: Site, items: Iterable[_Item]) -> Iterator[_Item]:
        """The items that are found by following what stands at a place; their user may follow something else."""
        remaining = iter(items)
        while True:
            with self.at(site):
                try:
                    item = next(remaining)
                except StopIteration:
                    return
            yield item

    @property
    def found(self) -> dict[str, set[Cut]]:
        """What was reached, by the path of the module in which what was followed stands ("" if it was none)."""
        found: dict[str, set[Cut]] = {}
        for (limit, site), times in self._times.items():
            path = site.module.path if site is not None else ""
            row = site.module.document.position(site.span.start).row if site is not None else 0
            found.setdefault(path, set()).add(Cut(limit, path, row, times))
        return found
