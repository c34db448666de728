"""A project kept in memory while it is edited: judged as a whole, or one file at a time when time is short."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Diagnostic
from lintpickle.engine.judge import Judge
from lintpickle.engine.preparation import environment_of
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project
from lintpickle.imports.environment import Environment
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module, Unread
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import Document

Check = Callable[[], None]
"""Called again and again during long work; raises whatever is to end it."""

LiveItem = TypeVar("LiveItem", covariant=True)


class LiveAnalysis(Analysis):
    """An analysis whose files change, and whose work can be interrupted by `check` at any time: it then raises what
    `check` raises, and can be asked again."""

    def __init__(
        self,
        project: Project,
        resolver: SettingsResolver,
        universe: Iterable[str],
        check: Check,
        fenced: Mapping[str, str],
    ) -> None:
        super().__init__(project, resolver, universe, fenced=fenced)
        self.project = project
        self.has_no_end()
        self._check = check
        self._signatures: dict[str, tuple[int, int] | None] = {}
        for path in self._universe:
            self._signatures[path] = signature(path)
        self._packages = self._packages_now()

    def read(self, path: str, document: Document | None) -> Unread | None:
        """Take a document for a file (None: the file on disk). If it cannot be analysed, the last version that could
        stays in the program, and the reason is returned."""
        if path in self._fenced:
            return Unread(path, 1, 1, self._fenced[path], given_up=True)
        before = self._program.load(path)
        if document is None:
            self._signatures[path] = signature(path)
            self._program.replace(path, None)
        now = self._program.load(path, document)
        if not isinstance(now, Unread):
            if isinstance(before, Module):
                now.facts.inherit(before.facts)
            return None
        if isinstance(before, Module):
            self._program.replace(path, before)
        return now

    def let_in(self, path: str) -> None:
        """Take a file in that was fenced so far, and is not any more."""
        if self._judging is not None:
            self._judging.given_up.pop(path, None)
        if isinstance(known := self._program.known(path), Unread) and known.given_up:
            self._program.replace(path, None)

    def add(self, path: str) -> None:
        """Report on a file that discovery leaves out, because it is open."""
        if path not in self._project.reported:
            self._project = replace(self._project, reported=(*self._project.reported, path))
            self._set_universe((*self._universe, path))

    def alone(self, path: str) -> list[Diagnostic]:
        """What the boundaries and classes of one file give away, with everything that it imports. Until the whole
        program was looked at, no other file is asked what it tells: reading them all takes seconds."""
        judging = self._judging or self._judging_of([path])
        self._settled = judging.alone(path)
        mine = (each for each in self._settled if each.location.path == path)
        return [diagnostic for diagnostic in mine if self.selections.shows(diagnostic)]

    def changed_on_disk(self) -> list[str]:
        """The files that differ from what was read, by size and time: those of the program and of installed
        packages."""
        return [path for path, known in self._signatures.items() if signature(path) != known]

    def changed_packages(self) -> list[str]:
        """The same, of installed packages only."""
        first_party = set(self._universe)
        paths = (path for path in self._signatures if path not in first_party)
        return [path for path in paths if signature(path) != self._signatures[path]]

    def packages_come_or_go(self) -> bool:
        """Whether something was installed or removed since, or the project has another environment now."""
        return self._packages_now() != self._packages

    def _packages_now(self) -> tuple[Environment, tuple[tuple[int, int] | None, ...]]:
        environment = environment_of(self._project)
        return environment, tuple(signature(folder) for folder in environment.site_packages)

    def inherit(self, other: LiveAnalysis, changed: Iterable[str]) -> None:
        """Take over the modules that another analysis has read, but for those that changed since. Both must ask the
        same rules."""
        if self.rules != other.rules or self._catalog != other._catalog:
            return
        stale = set(changed)
        for module in other._program.loaded():
            path = module.path
            if path not in stale and (path in self._signatures or os.path.exists(path)):
                module.file = self._program.finder.module_of(path)
                self._program.replace(path, module)

    def seen(self, paths: Iterable[str]) -> None:
        """Take note of how files look on disk now."""
        for path in paths:
            self._signatures[path] = signature(path)

    def packages_seen(self) -> None:
        """Take note of the files of installed packages that have been read by now."""
        paths = (module.path for module in self._program.loaded())
        self.seen([path for path in paths if path not in self._signatures])

    @property
    def _judge(self) -> Judge:
        return replace(super()._judge, link=partial(_InterruptibleLinker, self._check))


class _InterruptibleLinker(Linker):
    """A linker that calls `check` between any two values that it finds."""

    def __init__(self, check: Check, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self._check = check
        self.modules = _Watched(self.modules, check)
        self.evaluator.check = self._look_up

    def _look_up(self) -> None:
        self._check()
        self.defects.watchdog.check()

    def crossings(self, pedantic: bool) -> Iterator[Crossing]:
        for crossing in super().crossings(pedantic):
            self._check()
            yield crossing

    def _find_boundary_calls(self) -> Iterator[BoundaryCall]:
        for call in super()._find_boundary_calls():
            self._check()
            yield call

    def _find_worker_codes(self) -> Iterator[WorkerCode]:
        for code in super()._find_worker_codes():
            self._check()
            yield code


class _Watched(Sequence[LiveItem], Generic[LiveItem]):
    """A sequence that calls `check` for each item that is looked at."""

    def __init__(self, items: Sequence[LiveItem], check: Check) -> None:
        self._items = items
        self._check = check

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._items[index]

    def __iter__(self) -> Iterator[LiveItem]:
        for item in self._items:
            self._check()
            yield item


def signature(path: str) -> tuple[int, int] | None:
    """What tells whether a file has changed; None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size)
