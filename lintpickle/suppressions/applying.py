"""Applying suppression comments to the diagnostics of a file, and reporting comments that do no good."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from lintpickle.diagnostics import Applicability, Confidence, Diagnostic, Edit, Fix, Related, Span, told_at
from lintpickle.rulebook.known_rules import codes_by_name, known_rules
from lintpickle.selection import RuleSelection
from lintpickle.source.document import Document

if TYPE_CHECKING:
    from lintpickle.source.directives import Directive
    from lintpickle.suppressions.comments import BlanketSuppression, Filtered

Hides: TypeAlias = Callable[[Diagnostic], "Directive | None"]
_CODE = re.compile(r"\bLP(?![^\W\d])")
_UNUSED, _BLANKET, _UNKNOWN = _OWN = ("LP901", "LP902", "LP903")


def may_suppress(document: Document) -> bool:
    """Whether a comment of the document may name a rule of lintpickle. It may contain no comment at all."""
    text = document.text
    return "lintpickle" in text or ("LP" in text and _CODE.search(text) is not None)


def without_suppressed(
    document: Document,
    diagnostics: Sequence[Diagnostic],
    selection: RuleSelection,
    places: Sequence[Diagnostic] = (),
) -> list[Diagnostic]:
    """The diagnostics that no comment hides, and those about the comments themselves. `places` are diagnostics that
    stand elsewhere, as they are told at places of this document: a comment that hides one of these is of use. Comments
    for rules that are off, by a configuration, the command line or an editor, are not judged."""
    from lintpickle.suppressions.comments import Suppressions

    comments = Suppressions.parse(document)
    if not comments.directives:
        return list(diagnostics)
    known = codes_by_name()
    off = {
        rule.code
        for rule in known_rules().values()
        if rule.default and rule.code not in _OWN and not selection.selects(rule.code, document.path)
    }
    active = {code for code in known.values() if code not in off and code not in _OWN} if off else None
    filtered = comments.apply((*diagnostics, *places), known, active)
    elsewhere = set(map(id, places))
    about = [d for d in _about(document, filtered) if selection.selects(d.code, document.path)]
    with_codes = Suppressions(document, tuple(d for d in comments.directives if not d.blanket))
    kept = with_codes.apply(about, known, ()).kept if about else ()
    return [*(each for each in filtered.kept if id(each) not in elsewhere), *kept]


class PlacesLeft:
    """Takes from diagnostics the related places at which comments hide them, or at which their rule is off.
    `document_of` gives the document of a file that may have such comments, `selects` says whether a rule is on."""

    def __init__(self, document_of: Callable[[str], Document | None], selects: Callable[[str, str], bool]) -> None:
        self._document_of = document_of
        self._selects = selects
        self._hiding: dict[str, Hides | None] = {}

    def of(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """The diagnostic with the places that are left; None if there were some, and none is left. One about comments
        has all: these comments hide nothing about themselves."""
        if diagnostic.code in _OWN:
            return diagnostic
        related = tuple(each for each in diagnostic.related if not self._is_off(diagnostic, each))
        if len(related) == len(diagnostic.related):
            return diagnostic
        return replace(diagnostic, related=related) if related else None

    def _is_off(self, diagnostic: Diagnostic, related: Related) -> bool:
        path = related.location.path
        if not self._selects(diagnostic.code, path):
            return True
        if path not in self._hiding:
            self._hiding[path] = self._hiding_in(path)
        hides = self._hiding[path]
        return hides is not None and hides(told_at(diagnostic, related)) is not None

    def _hiding_in(self, path: str) -> Hides | None:
        document = self._document_of(path)
        if document is None:
            return None
        from lintpickle.suppressions.comments import Suppressions

        return Suppressions.parse(document).hiding(codes_by_name())


def _about(document: Document, filtered: Filtered) -> Iterator[Diagnostic]:
    for unused in filtered.unused:
        what = ", ".join(unused.names)
        message = f"suppression of {what} hides nothing" if what else "suppression hides nothing"
        yield _diagnostic(document, _UNUSED, unused.span, message, "Remove it", unused.edit)
    blankets = [_about_blanket(document, blanket) for blanket in filtered.blanket]
    if blankets:
        yield _as_one(blankets)
    for unknown in filtered.unknown:
        message = f"there is no rule `{unknown.name}` to suppress"
        yield _diagnostic(document, _UNKNOWN, unknown.span, message, "Remove it", unknown.edit)


def _about_blanket(document: Document, blanket: BlanketSuppression) -> Diagnostic:
    message = f"blanket suppression hides {', '.join(blanket.codes)}; name what it is for"
    return _diagnostic(document, _BLANKET, blanket.span, message, "Name the rules", blanket.edit)


def _as_one(diagnostics: Sequence[Diagnostic]) -> Diagnostic:
    """The first of several diagnostics of one habit: the others are related places, and its fix mends all."""
    first = diagnostics[0]
    if len(diagnostics) == 1:
        return first
    places = tuple(Related(each.message, each.location, each.span, each.noqa_row) for each in diagnostics)
    fixes = [each.fix for each in diagnostics if each.fix is not None]
    edits = tuple(edit for fix in fixes for edit in fix.edits)
    return replace(first, related=places, fix=replace(fixes[0], edits=edits) if fixes else None)


def _diagnostic(document: Document, code: str, span: Span, message: str, fix: str, edit: Edit | None) -> Diagnostic:
    rule = known_rules()[code]
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        message=message,
        severity=rule.severity,
        confidence=Confidence.CERTAIN,
        location=document.location(span),
        span=span,
        noqa_row=document.noqa_row(span.start),
        fix=Fix(fix, Applicability.SAFE, (edit,)) if edit is not None else None,
    )
