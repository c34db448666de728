"""What was seen of a live program, told like the findings of `check`: the line, the trail, the rule, the fix."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from lintpickle.control_flow.attempts import goes_on_after_errors
from lintpickle.diagnostics import Location, Position, Step
from lintpickle.imports.folders import is_installed
from lintpickle.probing.events import ProbedCulprit, ProbeEvent
from lintpickle.probing.source import ProbedCode, SourceVerdict
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import Document, UnreadableSource, read_document

_CALLED = frozenset({"pickle", "cloudpickle", "torch.save"})
"""Kinds of boundaries that raise where they are called."""


class Explained(Struct, frozen=True):
    """A culprit with what source says of it. `location` is the line that has to change: the one that a rule names, that
    defines it (a function, a class), or that stores it; None if none was found. `unseen` says what static reading does
    not see, and is None if a rule finds the culprit as well."""

    culprit: ProbedCulprit
    location: Location | None
    trail: tuple[Step, ...]
    verdict: SourceVerdict | None
    unseen: str | None


class ExplainedEvent(Struct, frozen=True):
    """An event with its culprits explained, and the place of the boundary, if a frame of the program was on the
    stack. `caught_at` is the call that pickles, if it stands in a `try` that goes on when pickling fails: then the
    program only asked."""

    event: ProbeEvent
    place: Location | None
    culprits: tuple[Explained, ...]
    caught_at: Location | None = None


class SourceExplanation(Struct, frozen=True):
    """All events of a run; `document` gives the text of the files that places are in."""

    events: tuple[ExplainedEvent, ...]
    code: ProbedCode

    @property
    def failures(self) -> tuple[ExplainedEvent, ...]:
        """The events in which an object that had to cross could not."""
        return tuple(each for each in self.events if each.event.error is not None and each.caught_at is None)

    def document(self, path: str) -> Document | None:
        return self.code.document(path)


def explain_events(events: Sequence[ProbeEvent], resolver: SettingsResolver) -> SourceExplanation:
    """Read the source of the classes that were seen. Nothing is run, whatever has been run before."""
    merged = tuple(_merged(events))
    code = ProbedCode(tuple(_files(merged)), resolver)
    return SourceExplanation(tuple(_explained(event, code) for event in merged), code)


def _merged(events: Sequence[ProbeEvent]) -> Iterator[ProbeEvent]:
    """Events without repetitions: several workers, epochs and ranks fail in the same way."""
    seen: set[tuple[object, ...]] = set()
    for event in events:
        frame = event.site.frame
        culprits = tuple((each.path, each.type) for each in event.culprits)
        key = (event.boundary, event.error if not culprits else "", culprits, frame)
        if key not in seen:
            seen.add(key)
            yield event


def _files(events: Sequence[ProbeEvent]) -> Iterator[str]:
    for event in events:
        if event.site.frame is not None:
            yield event.site.frame.file
        for culprit in event.culprits:
            for step in culprit.steps:
                for ref in step.owner.bases if step.owner is not None else ():
                    if ref.file is not None and not _is_of_python(ref.file):
                        yield os.path.abspath(ref.file)
            if culprit.defined is not None and culprit.defined.file is not None:
                yield os.path.abspath(culprit.defined.file)


def _is_of_python(file: str) -> bool:
    """Whether a file belongs to the standard library, by where it lies."""
    return "/lib/python3" in file.replace(os.sep, "/") and not is_installed(file)


def _explained(event: ProbeEvent, code: ProbedCode) -> ExplainedEvent:
    frame = event.site.frame
    place = _row(code, frame.file, frame.line) if frame is not None else None
    culprits = tuple(_of_culprit(each, event, place, code) for each in event.culprits)
    return ExplainedEvent(event, place, culprits, _caught_at(event, code))


def _caught_at(event: ProbeEvent, code: ProbedCode) -> Location | None:
    """Where the error of a pickler that the program calls itself is caught by the code that calls it."""
    if event.kind not in _CALLED or not event.site.frames:
        return None
    frame = event.site.frames[0]
    path = os.path.abspath(Path(code.cwd, frame.file))
    try:
        document = read_document(path)
        tree = ast.parse(document.code)
    except (UnreadableSource, SyntaxError, ValueError, RecursionError):
        return None
    caught = goes_on_after_errors(tree, frame.line, only_named=False)
    return _whole_row(document, path, frame.line) if caught else None


def _of_culprit(culprit: ProbedCulprit, event: ProbeEvent, place: Location | None, code: ProbedCode) -> Explained:
    steps = tuple(_handed_on(event, culprit, place))
    stores: tuple[Step, ...] = ()
    for step in culprit.steps:
        owner = step.owner
        if owner is None:
            continue
        found = code.stores(owner)
        stores = found or stores
        if found:
            steps += (Step(f"{owner.short} is of type {step.type}", found[-1].location),)
    verdict = code.verdict(culprit.steps, culprit.error) or _by_definition(culprit, place, code)
    location = stores[-1].location if stores else None
    defined = culprit.defined
    if defined is not None and defined.file is not None and defined.line is not None:
        at = _row(code, defined.file, defined.line)
        if at is not None:
            location = at
            steps += (Step(f"the {defined.what} {defined.name} is defined here", at),)
    if verdict is not None:
        location = verdict.location
    trail = _with_sources(steps, verdict)
    return Explained(culprit, location, trail, verdict, None if verdict is not None else _unseen(culprit, stores))


def _handed_on(event: ProbeEvent, culprit: ProbedCulprit, place: Location | None) -> Iterator[Step]:
    if place is not None:
        root = culprit.steps[0].path if culprit.steps else culprit.path
        verb = "would pickle" if event.beside else "pickles"
        yield Step(f"{event.boundary} {verb} {root}", place)


def _by_definition(culprit: ProbedCulprit, place: Location | None, code: ProbedCode) -> SourceVerdict | None:
    """What a check says of the line that defines a function or class, or of the call that ships it."""
    defined = culprit.defined
    if defined is not None and defined.file is not None and defined.line is not None:
        found = code.verdict_at(os.path.abspath(defined.file), defined.line, culprit.error)
        if found is not None:
            return found
    if place is not None and all(step.owner is None for step in culprit.steps):
        return code.verdict_at(place.path, place.start.row, culprit.error)
    return None


def _with_sources(steps: tuple[Step, ...], verdict: SourceVerdict | None) -> tuple[Step, ...]:
    """The steps that were seen, and behind them those that only source tells: where the stored value comes from."""
    if verdict is None:
        return steps
    seen = {(step.location.path, step.location.start.row) for step in steps}
    rows = [(step.location.path, step.location.start.row) for step in verdict.trail]
    known = max((at for at, row in enumerate(rows) if row in seen), default=None)
    more = verdict.trail[known + 1 :] if known is not None else ()
    return (*steps, *(step for step in more if (step.location.path, step.location.start.row) not in seen))


def _unseen(culprit: ProbedCulprit, stores: Sequence[Step]) -> str:
    kind = culprit.type
    owner = next((step.owner for step in reversed(culprit.steps) if step.owner is not None), None)
    if stores and owner is not None:
        return f"not visible in source: that {owner.short} holds a {kind}; no rule of lintpickle reports it"
    if owner is not None:
        return f"not visible in source: no line was found that stores {owner.short}"
    return f"not visible in source: no rule of lintpickle reports this {kind}"


def _row(code: ProbedCode, file: str, row: int) -> Location | None:
    """A whole row of a file; None if it cannot be read."""
    path = os.path.abspath(Path(code.cwd, file))
    document = code.document(path)
    return _whole_row(document, path, row) if document is not None else None


def _whole_row(document: Document, path: str, row: int) -> Location | None:
    if not 1 <= row <= document.lines.row_count:
        return None
    text = document.lines.row_text(row)
    start = len(text) - len(text.lstrip()) + 1
    return Location(path, Position(row, start), Position(row, max(start, len(text.rstrip()) + 1)))
