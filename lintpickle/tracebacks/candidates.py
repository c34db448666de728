"""What gives this error: everything that crosses is followed, and what fails in these words is ranked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from lintpickle.catalog import Catalog
from lintpickle.diagnostics import STRENGTH, Diagnostic
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.payload.crossings import Crossing
from lintpickle.tracebacks.notes import NoteStep, is_same_class, steps
from lintpickle.tracebacks.places import rows_by_path
from lintpickle.tracebacks.recognition import is_same_type, normal_path, subjects
from lintpickle.tracebacks.records import Candidate, MatchedFrame, Read, Recognised

_BY_NAME = frozenset({"local-object", "not-found-by-name", "another-object-by-that-name"})
BY_SUBJECT = _BY_NAME | {
    "cannot-pickle",
    "torch-object",
    "inheritance-only",
    "slots-without-state",
    "attribute-not-restored",
}
"""Kinds whose message names what cannot cross: a finding must foretell the same."""
_BY_WORDS = frozenset({"semlock-context"})
"""Kinds whose message names nothing, of rules that foretell other errors, too."""
_MAIN = ("__main__", "__mp_main__")
_MODULE_FILE = re.compile(r"<module '[^']*' from '([^']+)'")
_STARTS_WORKERS = frozenset({"process", "spawn", "dataloader", "pool", "executor"})


class Weights(Struct, frozen=True):
    """What speaks for a candidate, in points."""

    path: int = 100
    last_step: int = 40
    boundary_row: int = 30
    boundary_file: int = 12
    same_name: int = 15
    boundary_kind: int = 8
    named_file: int = 15
    frame_class: int = 5
    frame_row: int = 4
    frame_file: int = 2
    strength: int = 2


WEIGHTS = Weights()


class Search(Struct, frozen=True):
    """What is looked for: the error, where the frames stand here, and the path that notes tell. `definers` are the
    files that define what the message names."""

    read: Read
    error: Recognised
    frames: tuple[MatchedFrame, ...]
    boundary: MatchedFrame | None
    catalog: Catalog
    definers: frozenset[str] = frozenset()

    @property
    def notes(self) -> tuple[NoteStep, ...]:
        return steps(self.error.raised.notes)

    def rank(self, found: Iterator[tuple[Diagnostic, Crossing | None]]) -> tuple[Candidate, ...]:
        """The findings that give the error, best first; of each place the best."""
        best: dict[object, Candidate] = {}
        notes, rows = self.notes, rows_by_path(self.frames)
        for diagnostic, crossing in found:
            if not self._gives_error(diagnostic):
                continue
            candidate = self._weighed(diagnostic, crossing, notes, rows)
            end = diagnostic.trail[-1].location if diagnostic.trail else diagnostic.location
            key = (diagnostic.code, diagnostic.location, end)
            if key not in best or _order(candidate) < _order(best[key]):
                best[key] = candidate
        return tuple(sorted(best.values(), key=_order))

    def _gives_error(self, diagnostic: Diagnostic) -> bool:
        """Whether what a finding foretells is this error."""
        error = self.error
        if error.kind.kind in _BY_WORDS:
            foretold = next(subjects([diagnostic.error], self.catalog), None) if diagnostic.error else None
            return foretold is not None and foretold.kind.kind == error.kind.kind
        if error.kind.kind not in BY_SUBJECT or (error.type is None and error.name is None):
            return True
        foretold = next(subjects([diagnostic.error], self.catalog), None) if diagnostic.error else None
        if foretold is None:
            return False
        if error.name is not None:
            return foretold.name is not None and _same_name(error.name, foretold.name)
        return foretold.type is not None and is_same_type(error.type or "", foretold.type)

    def _weighed(
        self,
        diagnostic: Diagnostic,
        crossing: Crossing | None,
        notes: Sequence[NoteStep],
        rows: Mapping[str, frozenset[int]],
    ) -> Candidate:
        reasons: list[tuple[int, str]] = []
        matched, total = _steps_matched(crossing, notes)
        if total and matched == total:
            reasons.append((WEIGHTS.path, "the notes of the traceback lead to it, step by step"))
        elif matched:
            reasons.append((WEIGHTS.last_step * matched // total, "the last steps of the traceback's notes lead to it"))
        elif notes and crossing is not None:
            reasons.append((-WEIGHTS.last_step, "the traceback's notes tell another path"))
        if self._starts_at_boundary(diagnostic, crossing):
            reasons.append((WEIGHTS.boundary_row, "its trail begins where the traceback crosses"))
        elif crossing is not None and crossing.root.spec is not None:
            reasons += self._by_kind(crossing)
            if self.boundary is not None and crossing.root.site.module.path == self.boundary.path:
                reasons.append((WEIGHTS.boundary_file, "it crosses in the file in which the traceback does"))
        if self.error.name is not None and self._names(diagnostic):
            reasons.append((WEIGHTS.same_name, f"it is what the message names: {self.error.name}"))
        if _is_looked_for_in(self.error, diagnostic):
            reasons.append((WEIGHTS.named_file, "it is in the file in which the name was looked for"))
        if self.error.module in _MAIN and diagnostic.location.path in self.definers:
            reasons.append((WEIGHTS.named_file, f"it is in the file that defines {self.error.name}"))
        reasons += _frames_on_trail(diagnostic, rows)
        reasons += _frames_in_class(crossing, rows)
        reasons.append((WEIGHTS.strength * (2 - STRENGTH[diagnostic.confidence]), ""))
        told = tuple(text for points, text in sorted(reasons, key=lambda each: -abs(each[0])) if text)
        path = crossing.path if crossing is not None else ""
        return Candidate(diagnostic, path, told, sum(points for points, _ in reasons))

    def _names(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is about what the message names: what it foretells says so, or its own words do."""
        last = (self.error.name or "").rpartition(".")[2]
        return self.error.kind.kind in BY_SUBJECT or f"`{last}`" in diagnostic.message

    def _by_kind(self, crossing: Crossing) -> Iterator[tuple[int, str]]:
        kind = self.read.boundary.kind
        if kind is None or kind == "pickle":
            return
        if crossing.root.kind == kind:
            yield WEIGHTS.boundary_kind, "it crosses at a boundary of that kind"
        elif not {crossing.root.kind, kind} <= _STARTS_WORKERS or kind != "process":
            yield -WEIGHTS.boundary_kind, "it crosses at a boundary of another kind"

    def _starts_at_boundary(self, diagnostic: Diagnostic, crossing: Crossing | None) -> bool:
        boundary = self.boundary
        if boundary is None or boundary.row is None:
            return False
        if crossing is not None:
            site = crossing.root.site
            first = site.module.document.location(site.span)
            return first.path == boundary.path and first.start.row <= boundary.row <= first.end.row
        location = diagnostic.location
        return location.path == boundary.path and location.start.row <= boundary.row <= location.end.row


def _order(candidate: Candidate) -> tuple[int, int, str, int, str]:
    location = candidate.diagnostic.location
    return (
        -candidate.score,
        len(candidate.diagnostic.trail),
        location.path,
        location.start.row,
        candidate.diagnostic.code,
    )


def _frames_on_trail(diagnostic: Diagnostic, rows: Mapping[str, frozenset[int]]) -> Iterator[tuple[int, str]]:
    """What the trail and the frames have in common."""
    places = [*(step.location for step in diagnostic.trail), diagnostic.location]
    on_rows = sum(any(each.start.row <= row <= each.end.row for row in rows.get(each.path, ())) for each in places)
    files = {each.path for each in places}.intersection(rows)
    if on_rows:
        yield WEIGHTS.frame_row * min(on_rows, 4), "lines of the traceback lie on its trail"
    if files:
        yield WEIGHTS.frame_file * min(len(files), 3), ""


def _frames_in_class(crossing: Crossing | None, rows: Mapping[str, frozenset[int]]) -> Iterator[tuple[int, str]]:
    """Whether the traceback goes through a method of the object that crosses, or of the one that holds it."""
    if crossing is None:
        return
    values = (crossing.value, crossing.holder, crossing.inside.value if crossing.inside is not None else None)
    for value in values:
        if not isinstance(value, InstanceValue):
            continue
        body = value.class_.module.document.location(value.class_.facts.span)
        if any(body.start.row <= row <= body.end.row for row in rows.get(body.path, ())):
            yield WEIGHTS.frame_class, f"the traceback goes through {value.class_.facts.name}"
            return


def _is_looked_for_in(error: Recognised, diagnostic: Diagnostic) -> bool:
    """Whether a finding stands in the file that the message names: `<module '__mp_main__' from '/home/u/train.py'>`."""
    told = _MODULE_FILE.search(error.raised.message)
    name = os.path.basename(normal_path(told[1])) if told is not None else None
    return name is not None and os.path.basename(diagnostic.location.path) == name


def _same_name(told: str, foretold: str) -> bool:
    """Whether two qualified names can be one: with or without the module."""
    told, foretold = told.lower(), foretold.lower()  # logs write errors in small letters, too
    return told == foretold or told.endswith(f".{foretold}") or foretold.endswith(f".{told}")


def _steps_matched(crossing: Crossing | None, notes: Sequence[NoteStep]) -> tuple[int, int]:
    """How many steps to a crossing the notes confirm, counted from the innermost, and how many steps there are. Notes
    for steps before the first step of the crossing lead through what the boundary itself ships."""
    if crossing is None or not notes:
        return 0, 0
    mine = list(_steps_of(crossing))
    count = 0
    for step, note in zip(reversed(mine), reversed(notes), strict=False):
        if not _fits(step, note):
            break
        count += 1
    return count, len(mine)


class _CrossingStep(Struct, frozen=True):
    label: str
    names: tuple[str, str] | None = None
    """The qualified name and the module of the class whose attribute it is."""


def _steps_of(crossing: Crossing) -> Iterator[_CrossingStep]:
    """The steps from the root to a crossing, outermost first."""
    if crossing.inside is None:
        return
    yield from _steps_of(crossing.inside)
    held, holder = crossing.held, crossing.holder
    if held is not None and holder is not None and held is not crossing.inside.held:
        class_ = holder.class_
        yield _CrossingStep(held.name, (class_.facts.qualname, class_.module.name))
        if held.label:
            yield _CrossingStep(held.label)
    else:
        label = crossing.path[len(crossing.inside.path) :]
        if not label.startswith("."):
            yield _CrossingStep(label)


def _fits(step: _CrossingStep, note: NoteStep) -> bool:
    if note.owner is not None:
        return step.names is not None and step.label == note.label and is_same_class(note.owner, *step.names)
    return step.names is None and (step.label == note.label or "…" in step.label or "…" in note.label)


def last_attribute(search: Search) -> NoteStep | None:
    """The innermost attribute that notes name."""
    return next((step for step in reversed(search.notes) if step.owner is not None), None)
