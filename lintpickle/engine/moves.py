"""Results at their new places, after comment lines and blank lines of files were added, changed or removed.

Such changes leave everything as it is except for the places that results name. These are moved without judging anything
again, wherever that is sure to give the same as judging again.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import TypeVar

from msgspec.structs import replace

from lintpickle.diagnostics import Diagnostic, Location, Position, Related, Span, Step
from lintpickle.engine.results import Results
from lintpickle.engine.settling import Key, RankedDiagnostic
from lintpickle.limits import Cut
from lintpickle.program.cross_module import CrossModuleFact, Dependency
from lintpickle.source.comment_lines import Filler

_Known = TypeVar("_Known")
_NAMES_A_LINE = re.compile(r", line (\d+)\)$")
"""How a message ends that names the hazard's line in another file."""


class _Stuck(Exception):
    """It is not sure what a result would be after the change."""


class Move:
    """From the places in a text to those in another one with the same statements, given the gaps of both."""

    def __init__(self, before: Sequence[Filler], now: Sequence[Filler]) -> None:
        self._offsets = _Line([(gap.start, gap.length) for gap in before], [(gap.start, gap.length) for gap in now])
        self._rows = _Line([(gap.row, gap.rows) for gap in before], [(gap.row, gap.rows) for gap in now])

    def offset(self, offset: int) -> int:
        """The new offset of a statement's character. Raises `_Stuck`."""
        return self._offsets.moved(offset)

    def row(self, row: int) -> int:
        """The new row of a statement's line. Raises `_Stuck`."""
        return self._rows.moved(row)

    def span(self, span: Span) -> Span:
        """The new span. Raises `_Stuck` if there was a gap inside of it, or if there is one now."""
        return Span(*self._offsets.range(span.start, span.end))

    def rows(self, start: int, end: int) -> tuple[int, int]:
        """The same for rows."""
        return self._rows.range(start, end)


class _Line:
    """Numbers with gaps before and after a change; a gap begins behind its number, and is so many numbers long."""

    def __init__(self, before: Sequence[tuple[int, int]], now: Sequence[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in before]
        self._lengths = [length for _, length in before]
        self._before = [0, *accumulate(self._lengths)]
        self._now = [0, *accumulate(length for _, length in now)]
        self._closed = [start - gone for (start, _), gone in zip(now, self._now, strict=False)]
        """Where the present gaps would be if there were none before them."""

    def moved(self, number: int) -> int:
        """The new number."""
        closed = self._without_gaps(number)
        return closed + self._now[bisect_left(self._closed, closed)]

    def range(self, start: int, end: int) -> tuple[int, int]:
        """The new numbers of a start and an end without a gap between them."""
        closed = self._without_gaps(end) - self._without_gaps(start)
        new = self.moved(start), self.moved(end)
        if not end - start == closed == new[1] - new[0]:
            raise _Stuck
        return new

    def _without_gaps(self, number: int) -> int:
        passed = bisect_left(self._starts, number)
        if passed and number <= self._starts[passed - 1] + self._lengths[passed - 1]:
            raise _Stuck
        return number - self._before[passed]


def moved_results(results: Results, moves: Mapping[str, Move | None]) -> tuple[Results, frozenset[str]]:
    """The results with new places in these files, and the modules that have to be judged again for them. None: no place
    in the file can be moved."""
    if not moves:
        return results, frozenset()
    moving = _Moving(moves)
    found = moving.each(results.found, lambda each: tuple(map(moving.ranked, each)))
    topics = moving.each(results.topics, lambda each: set(map(moving.fact, each)))
    dependencies = moving.each(
        results.dependencies, lambda each: {moving.dependency(question): answer for question, answer in each.items()}
    )
    cuts = moving.each(results.cuts, lambda each: set(map(moving.cut, each)))
    failed = {path for path in moves if path in results.defects}
    new = replace(results, found=found, topics=topics, dependencies=dependencies, cuts=cuts)
    return new, frozenset(moving.stuck | failed)


def named_in(results: Results) -> set[str]:
    """The files in which results name places."""
    named = {path for found in results.found.values() for each in found for path in each.paths}
    named.update(cut.path for cuts in results.cuts.values() for cut in cuts)
    for known in (results.topics, results.dependencies):
        for facts in known.values():
            for each in facts:
                topic = each.topic if isinstance(each, Dependency) else each
                named.update(part for part in topic if isinstance(part, str) and os.path.isabs(part))
    return named


class _Moving:
    def __init__(self, moves: Mapping[str, Move | None]) -> None:
        self._moves = moves
        self.stuck: set[str] = set()
        """The modules with something that cannot be moved."""

    def each(self, known: Mapping[str, _Known], change: Callable[[_Known], _Known]) -> dict[str, _Known]:
        """What is known of each module, changed; unchanged for those that are stuck."""
        new: dict[str, _Known] = {}
        for path, value in known.items():
            try:
                new[path] = change(value)
            except _Stuck:
                self.stuck.add(path)
                new[path] = value
        return new

    def ranked(self, ranked: RankedDiagnostic) -> RankedDiagnostic:
        if ranked.paths.isdisjoint(self._moves):
            return ranked
        culprit = ranked.at_culprit
        return replace(
            ranked,
            key=self._key(ranked.key, culprit or ranked.diagnostic),
            place=self._key(ranked.place, ranked.diagnostic),
            diagnostic=self._diagnostic(ranked.diagnostic),
            at_culprit=self._diagnostic(culprit) if culprit is not None else None,
        )

    def fact(self, fact: CrossModuleFact) -> CrossModuleFact:
        """The fact with offsets moved: the numbers in it are offsets in the file that stands before them."""
        if self._moves.keys().isdisjoint(fact):
            return fact
        move: Move | None = None
        new: list[str | int] = []
        for part in fact:
            if isinstance(part, str):
                move = self._move(part) if part in self._moves else None if os.path.isabs(part) else move
            elif move is not None:
                part = move.offset(part)
            new.append(part)
        return tuple(new)

    def dependency(self, question: Dependency) -> Dependency:
        fact = self.fact(question.topic)
        return question if fact is question.topic else replace(question, topic=fact)

    def cut(self, cut: Cut) -> Cut:
        return replace(cut, row=self._move(cut.path).row(cut.row)) if cut.path in self._moves and cut.row else cut

    def _move(self, path: str) -> Move:
        move = self._moves[path]
        if move is None:
            raise _Stuck
        return move

    def _key(self, key: Key, diagnostic: Diagnostic) -> Key:
        code, path, offset, elsewhere = key
        if offset >= 0 and path in self._moves:
            offset = self._move(path).offset(offset)
        if elsewhere >= 0:
            hazard = _hazard(diagnostic).path
            elsewhere = self._move(hazard).offset(elsewhere) if hazard in self._moves else elsewhere
        return code, path, offset, elsewhere

    def _diagnostic(self, diagnostic: Diagnostic) -> Diagnostic:
        path = diagnostic.location.path
        is_moved = path in self._moves
        if is_moved and diagnostic.fix is not None:
            raise _Stuck
        return replace(
            diagnostic,
            message=self._message(diagnostic),
            location=self._location(diagnostic.location),
            span=self._move(path).span(diagnostic.span) if is_moved else diagnostic.span,
            noqa_row=self._move(path).row(diagnostic.noqa_row) if is_moved else diagnostic.noqa_row,
            trail=tuple(map(self._step, diagnostic.trail)),
            related=tuple(map(self._related, diagnostic.related)),
        )

    def _message(self, diagnostic: Diagnostic) -> str:
        named = _NAMES_A_LINE.search(diagnostic.message)
        if named is None:
            return diagnostic.message
        hazard = _hazard(diagnostic)
        if hazard.start.row != int(named[1]):
            raise _Stuck
        row = self._location(hazard).start.row
        return f"{diagnostic.message[: named.start(1)]}{row}{diagnostic.message[named.end(1) :]}"

    def _step(self, step: Step) -> Step:
        return replace(step, location=self._location(step.location))

    def _related(self, related: Related) -> Related:
        path = related.location.path
        if path not in self._moves:
            return related
        move = self._move(path)
        return replace(
            related,
            location=self._location(related.location),
            span=move.span(related.span),
            noqa_row=move.row(related.noqa_row),
        )

    def _location(self, location: Location) -> Location:
        if location.path not in self._moves:
            return location
        start, end = self._move(location.path).rows(location.start.row, location.end.row)
        return replace(location, start=Position(start, location.start.column), end=Position(end, location.end.column))


def _hazard(diagnostic: Diagnostic) -> Location:
    """The place of the hazard, which is the last step of the trail."""
    if not diagnostic.trail:
        raise _Stuck
    return diagnostic.trail[-1].location
