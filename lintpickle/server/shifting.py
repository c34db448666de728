"""Carrying diagnostics from one version of a document over to the next, while the analysis of the next is under way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Diagnostic, Edit, Fix, Location, Related, Span, Step
from lintpickle.source.document import Document


class Shift(Struct, frozen=True):
    """From offsets of the document `old` to those of `new`, two versions of one file that differ in one stretch:
    `first` code points at the start and `last` ones at the end are the same."""

    old: Document
    new: Document
    first: int
    last: int

    @classmethod
    def between(cls, old: Document, new: Document) -> Shift:
        first = common_start(old.text, new.text)
        last = common_end(old.text, new.text, min(len(old.text), len(new.text)) - first)
        return cls(old, new, first, last)

    def offset(self, offset: int) -> int | None:
        """Where the code point at an offset is now; None if it is in the stretch that changed."""
        if offset <= self.first:
            return offset
        if offset >= len(self.old.text) - self.last:
            return offset + len(self.new.text) - len(self.old.text)
        return None

    def span(self, span: Span) -> Span | None:
        """Where the text of a span is now; None if it changed."""
        start, end = self.offset(span.start), self.offset(span.end)
        if start is None or end is None or end - start != span.end - span.start:
            return None
        return Span(start, end)

    def diagnostic(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """The diagnostic in the new document, without its fix if that touches what changed; None if the text that it
        is about changed."""
        span = self.span(diagnostic.span)
        if span is None:
            return None
        return replace(
            diagnostic,
            span=span,
            location=self.new.location(span),
            noqa_row=self.new.noqa_row(span.start),
            trail=tuple(Step(step.message, self.location(step.location)) for step in diagnostic.trail),
            fix=self._fix(diagnostic.fix),
            related=tuple(map(self._related, diagnostic.related)),
        )

    def _related(self, related: Related) -> Related:
        span = self.span(related.span) if related.location.path == self.old.path else None
        if span is None:
            return related
        return replace(related, span=span, location=self.new.location(span), noqa_row=self.new.noqa_row(span.start))

    def location(self, location: Location) -> Location:
        """The location now, if it is in this document; the same one if it is in another or has changed."""
        if location.path != self.old.path:
            return location
        try:
            start = self.old.offset(location.start, location.cell)
            end = self.old.offset(location.end, location.cell)
        except ValueError:
            return location
        span = self.span(Span(start, end))
        return location if span is None else self.new.location(span)

    def _fix(self, fix: Fix | None) -> Fix | None:
        if fix is None:
            return None
        edits = []
        for edit in fix.edits:
            span = self.span(edit.span)
            if span is None:
                return None
            edits.append(Edit(span, edit.content))
        return replace(fix, edits=tuple(edits))


class KnownVersion(Struct, frozen=True):
    """What is known of one version of a file: what the whole program says about it, and what the file says alone."""

    document: Document
    whole: tuple[Diagnostic, ...]
    alone: tuple[Diagnostic, ...]

    def forecast(self, document: Document, alone: Sequence[Diagnostic]) -> list[Diagnostic]:
        """What the whole program will probably say about the next version, `document`, which alone says `alone`:
        that, corrected where the whole program knew better before, as far as the text has not changed there."""
        shift = Shift.between(self.document, document)
        whole = {_key(diagnostic) for diagnostic in self.whole}
        seen = set(self.alone)
        carried = list(_moved((each for each in self.whole if each not in seen), shift))
        refuted = {_key(moved) for moved in _moved((each for each in self.alone if _key(each) not in whole), shift)}
        refuted |= {_key(each) for each in carried}
        return [*(each for each in alone if _key(each) not in refuted), *carried]


def carried_over(diagnostics: Iterable[Diagnostic], old: Document, new: Document) -> list[Diagnostic]:
    """The diagnostics of the old version in a new one that cannot be analysed; their fixes are left out."""
    return [replace(each, fix=None) for each in _moved(diagnostics, Shift.between(old, new))]


def _moved(diagnostics: Iterable[Diagnostic], shift: Shift) -> Iterator[Diagnostic]:
    return (moved for each in diagnostics if (moved := shift.diagnostic(each)) is not None)


def _key(diagnostic: Diagnostic) -> tuple[str, int]:
    return (diagnostic.code, diagnostic.span.start)


def common_start(one: str, other: str) -> int:
    """How many code points two texts have in common at their start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_end(one: str, other: str, limit: int) -> int:
    """How many code points two texts have in common at their end, at most `limit`."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
