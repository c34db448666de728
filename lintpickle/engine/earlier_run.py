"""What an earlier run left behind: recalling it, and keeping the results of this run for the next one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from lintpickle.disk import Evidence
from lintpickle.engine.moves import named_in
from lintpickle.engine.results import Results
from lintpickle.engine.snapshots import Broken, File, PinnedBy, Snapshot, Snapshots, rest_of
from lintpickle.profiling import Part, running
from lintpickle.program.program import Program
from lintpickle.source.comment_lines import Filler, gaps
from lintpickle.source.document import Document

FEW = 0.01
"""The share of a program's files that may be read anew in each run before a new snapshot is taken."""


class AskedOfFiles(Protocol):
    """What a snapshot records of single files: see `single_files.SingleFiles`."""

    def document(self, path: str) -> Document | None: ...

    def broken(self, path: str) -> Broken | None: ...

    def may_suppress(self, path: str) -> bool: ...

    def pin(self, path: str) -> PinnedBy | None: ...


class EarlierRun:
    """The latest run over the same program with the same options, if its results can be used.

    `snapshot` is None if there is no such run, or if too much has changed since.
    """

    def __init__(self, program: Program, snapshots: Snapshots | None) -> None:
        self._program = program
        self._snapshots = snapshots
        self.snapshot: Snapshot | None = None
        self.broken: Mapping[str, Broken] = MappingProxyType({})
        """Its diagnostics of files with syntax errors that have not changed."""
        self._changed: frozenset[str] = frozenset()

    @property
    def files(self) -> Mapping[str, File]:
        """The files of the snapshot; empty if there is none."""
        return self.snapshot.files if self.snapshot is not None else {}

    def recall(self, universe: Sequence[str], is_home_known: bool) -> Snapshot | None:
        """Find the snapshot, and tell the program what has changed since. `is_home_known` says that the program has the
        home of its facts already."""
        if self._snapshots is None:
            return None
        with running(Part.RECALL):
            snapshot = self._snapshots.load()
            changes = snapshot.changes() if snapshot is not None and snapshot.universe == tuple(universe) else None
        if not is_home_known:
            self._program.facts_home = snapshot.home if snapshot is not None else self._snapshots.home()
        if snapshot is None or changes is None:
            return None
        self.snapshot, self._changed = snapshot, changes.texts
        self.broken = {path: each for path, each in snapshot.broken.items() if path not in changes.texts}
        for path in changes.texts:
            self._program.note_change(path, path in changes.same_statements, snapshot.files[path].gaps)
        return snapshot

    def keep(
        self,
        judged: Results,
        judged_again: int,
        universe: Sequence[str],
        first_party: Sequence[str],
        asked: AskedOfFiles,
        evidence: Evidence,
    ) -> None:
        """Write the facts of files into the cache, and the results if they took more than a little work. `evidence` is
        what was read from the disk."""
        if self._snapshots is None:
            return
        self._program.keep_facts([each.text for each in self.files.values()])
        most = FEW * len(universe)
        if self.snapshot is None or judged_again > most or self.snapshot.looking_otherwise(evidence.contents) > most:
            self._snapshots.keep(self._taken(self._snapshots, judged, tuple(universe), first_party, asked, evidence))

    def _taken(
        self,
        snapshots: Snapshots,
        judged: Results,
        universe: tuple[str, ...],
        first_party: Sequence[str],
        asked: AskedOfFiles,
        evidence: Evidence,
    ) -> Snapshot:
        files = self._files_now(snapshots, named_in(judged), asked, evidence)
        broken = ((path, asked.broken(path)) for path in universe)
        pins = ((path, asked.pin(path)) for path in universe)
        rest = rest_of(evidence, files)
        return Snapshot(
            judged,
            universe,
            tuple(first_party),
            files,
            snapshots.folders(evidence.listings),
            rest,
            snapshots.digests(rest, self.snapshot),
            self._program.facts_home,
            {path: each for path, each in broken if each is not None},
            frozenset(filter(asked.may_suppress, universe)),
            {path: each for path, each in pins if each is not None},
        )

    def _files_now(
        self, snapshots: Snapshots, named: Collection[str], asked: AskedOfFiles, evidence: Evidence
    ) -> dict[str, File]:
        """The files that results depend on, as they are now; with the gaps of those that are `named` in results."""

        def gaps_in(path: str) -> tuple[Filler, ...] | None:
            document = asked.document(path) if path in named else None
            return gaps(document.code) if document is not None and document.cells is None else None

        files = {
            path: each
            if path in self._changed
            else snapshots.file(
                evidence.contents.get(path),
                each.text,
                each.statements,
                each.gaps if each.gaps is not None else gaps_in(path),
            )
            for path, each in self.files.items()
        }
        statements = self._program.digests_of_statements()
        for path, text in self._program.digests().items():
            status = evidence.contents.get(path) if path not in self._program.given else None
            files[path] = snapshots.file(status, text, statements[path], gaps_in(path))
        return files
