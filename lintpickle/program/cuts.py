"""Which limits were reached while modules were judged, and what was being followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from lintpickle.diagnostics import Span
from lintpickle.limits import Cut, Limit
from lintpickle.program.module import Module

_Item = TypeVar("_Item")


class Followed(Protocol):
    """What is followed: a boundary, class or function at a place of a module."""

    @property
    def module(self) -> Module: ...

    @property
    def span(self) -> Span: ...


class Cuts:
    """Takes note of them for one linker."""

    def __init__(self) -> None:
        self._at: Followed | None = None
        self._times: dict[tuple[str, Followed | None], int] = {}
        self._of_code: dict[str, set[Cut]] = {}
        self.hide = False
        """Whether something was not read for the present root: see `Limit.hides`. What the root seems to lack may be
        there."""

    def note(self, limit: Limit) -> None:
        """A limit is reached by what is being followed."""
        self.hide = self.hide or limit.hides
        key = (limit.name, self._at)
        self._times[key] = self._times.get(key, 0) + 1

    def note_of(self, limit: Limit, module: Module, offset: int = 0) -> None:
        """A limit is reached by the code at an offset in a module, whatever is being followed. It is noted once:
        what is found out about code is remembered, and which root asks first means nothing."""
        self._note(Cut(limit.name, module.path, module.document.position(offset).row, 1))

    def note_of_program(self, limit: Limit) -> None:
        """A limit is reached by the program as a whole."""
        self._note(Cut(limit.name, "", 0, 1))

    def _note(self, cut: Cut) -> None:
        asking = self._at.module.path if self._at is not None and cut.path else ""
        self._of_code.setdefault(asking, set()).add(cut)

    @contextmanager
    def at(self, site: Followed) -> Iterator[None]:
        """A context in which what is at a place is followed. There must be no `yield` in the block: see `within`."""
        before, self._at = self._at, site
        try:
            yield
        finally:
            self._at = before

    def within(self, site: Followed, items: Iterable[_Item]) -> Iterator[_Item]:
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
        found = {path: set(cuts) for path, cuts in self._of_code.items()}
        for (limit, site), times in self._times.items():
            path = site.module.path if site is not None else ""
            row = site.module.document.position(site.span.start).row if site is not None else 0
            found.setdefault(path, set()).add(Cut(limit, path, row, times))
        return found
