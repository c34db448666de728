"""Comments that suppress diagnostics: what they hide, and which of them are unused.

These are read, with codes or rule names, and with a reason behind them if wanted:

* `# lintpickle: ignore[LP101]` at the end of a row: hides diagnostics that start on this row, or whose
  logical line ends on it. Alone on a row: hides those of the logical line that follows (of the definition,
  if decorators follow; inside brackets, of the next row).
* `# lintpickle: file-ignore[LP101]` anywhere: hides them in the whole file.
* `# lintpickle: disable[LP101]`, to `# lintpickle: enable[LP101]` or the end of the file: hides them between.
* `# noqa: LP101` at the end of a row, and `# flake8: noqa: LP101` alone on a row. Other linters' codes in
  them are left alone.

Blanket forms (without codes) are honoured too. lintpickle's own are always reported: as blanket when they
hide something, else as unused. A blanket `# noqa` may be meant for another linter: it is reported only when
it hides a diagnostic that no comment with codes hides, and never as unused. A blanket `# flake8: noqa` is
not honoured.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct, field

from lintpickle.diagnostics import Diagnostic, Edit, Span
from lintpickle.source.directives import (
    Directive,
    DirectiveKind,
    DirectiveName,
    read_directives,
    removal,
)
from lintpickle.source.document import Document

RuleNames = Mapping[str, str]
"""From rule name to code: `{"dict-view-attribute": "LP101", ...}`."""


class UnusedSuppression(Struct, frozen=True):
    """A comment, or some names in it, that suppresses nothing. `edit` removes it. Without `names`, it is the whole
    comment."""

    names: tuple[str, ...]
    span: Span
    edit: Edit


class BlanketSuppression(Struct, frozen=True):
    """A comment without codes that hides diagnostics of `codes`. `edit` writes these codes into it; None for
    `# noqa`, which other linters read as well."""

    codes: tuple[str, ...]
    span: Span
    edit: Edit | None


class UnknownSuppression(Struct, frozen=True):
    """A name in a comment that no rule has. `edit` removes it."""

    name: str
    span: Span
    edit: Edit


class Filtered(Struct, frozen=True):
    """What suppressions did to the diagnostics of one file. Every field is in the order of the file."""

    kept: tuple[Diagnostic, ...]
    suppressed: tuple[Diagnostic, ...]
    unused: tuple[UnusedSuppression, ...] = ()
    blanket: tuple[BlanketSuppression, ...] = ()
    unknown: tuple[UnknownSuppression, ...] = ()


class _Scope(Struct):
    """Where one name of a directive (None: a blanket one) holds, in rows of the joined text, and what it
    hid.
    """

    directive: Directive
    name: DirectiveName | None
    code: str | None
    first: int
    last: int
    hidden: set[str] = field(default_factory=set)

    def covers(self, code: str, start_row: int, end_row: int) -> bool:
        if self.code not in (None, code):
            return False
        if self.first <= start_row <= self.last:
            return True
        return self.first == self.last == end_row and not self.directive.own_line


class Suppressions(Struct, frozen=True):
    """The suppression comments of one document."""

    document: Document
    directives: tuple[Directive, ...]

    @classmethod
    def parse(cls, document: Document) -> Suppressions:
        return cls(document, read_directives(document))

    def apply(
        self, diagnostics: Iterable[Diagnostic], known: RuleNames, active: Collection[str] | None = None
    ) -> Filtered:
        """Sort the diagnostics of this document into kept and suppressed, and judge the comments.

        `active` holds the codes of the rules that ran (None: all known ones): a comment for another rule is
        not called unused. Pass all diagnostics, whatever their confidence: a comment is used when it hides
        one that would not be shown. To let users suppress the diagnostics made from `unused`, `blanket` and
        `unknown`, keep their codes out of `active` here and pass those diagnostics through a second `apply`.
        """
        if not self.directives:
            return Filtered(tuple(diagnostics), ())
        scopes, idle = self._scopes(known)
        kept: list[Diagnostic] = []
        suppressed: list[Diagnostic] = []
        for diagnostic in diagnostics:
            (suppressed if self._hide(diagnostic, scopes) else kept).append(diagnostic)
        active = set(known.values()) if active is None else set(active)
        complete = active >= set(known.values())
        return Filtered(
            tuple(kept),
            tuple(suppressed),
            tuple(self._unused(scopes, idle, active, complete)),
            tuple(self._blanket(scopes)),
            tuple(self._unknown(known)),
        )

    def hiding(self, known: RuleNames) -> Callable[[Diagnostic], Directive | None]:
        """A function that gives the comment which suppresses a diagnostic of this document; None if none does."""
        scopes, _ = self._scopes(known)
        return lambda diagnostic: self._hide(diagnostic, scopes)

    def _hide(self, diagnostic: Diagnostic, scopes: Sequence[_Scope]) -> Directive | None:
        start_row = self.document.lines.row(diagnostic.span.start)
        end_row = self.document.joined_row(diagnostic.noqa_row, diagnostic.location.cell)
        covering = [scope for scope in scopes if scope.covers(diagnostic.code, start_row, end_row)]
        with_code = [scope for scope in covering if scope.code is not None]
        hiding = with_code or covering
        for scope in hiding:
            scope.hidden.add(diagnostic.code)
        return hiding[0].directive if hiding else None

    def _scopes(self, known: RuleNames) -> tuple[list[_Scope], list[_Scope]]:
        """The scopes of all directives; and of `enable`s those that end nothing."""
        scopes: list[_Scope] = []
        idle: list[_Scope] = []
        open_ranges: list[_Scope] = []
        end_of_file = self.document.lines.row_count
        for directive in self.directives:
            for name in (None,) if directive.blanket else directive.names:
                code = None if name is None else _code(name.text, known)
                if name is not None and code is None:
                    continue
                scope = _Scope(directive, name, code, *_rows(self.document, directive))
                if directive.kind is DirectiveKind.ENABLE:
                    ended = [item for item in open_ranges if code in (None, item.code)]
                    for item in ended:
                        item.last = directive.row
                        open_ranges.remove(item)
                    if not ended:
                        idle.append(scope)
                    continue
                if directive.kind is DirectiveKind.DISABLE:
                    scope.last = end_of_file
                    open_ranges.append(scope)
                scopes.append(scope)
        return scopes, idle

    def _unused(
        self, scopes: Sequence[_Scope], idle: Sequence[_Scope], active: set[str], complete: bool
    ) -> Iterable[UnusedSuppression]:
        spare = [scope for scope in scopes if not scope.hidden] + list(idle)
        for directive in self.directives:
            empty = not directive.blanket and not directive.names
            mine = [scope for scope in spare if scope.directive is directive]
            names = tuple(scope.name for scope in mine if scope.name is not None and scope.code in active)
            idle_blanket = bool(mine) and directive.blanket and directive.kind.is_own
            if not (names or empty or (idle_blanket and complete)):
                continue
            everything = len(names) == len(directive.names)
            span = directive.span if everything else Span(names[0].span.start, names[-1].span.end)
            texts = tuple(name.text for name in names)
            yield UnusedSuppression(texts, span, removal(self.document, directive, names))

    def _blanket(self, scopes: Sequence[_Scope]) -> Iterable[BlanketSuppression]:
        for scope in scopes:
            directive = scope.directive
            if directive.blanket and scope.hidden:
                codes = tuple(sorted(scope.hidden))
                end = Span(directive.span.end, directive.span.end)
                edit = Edit(end, f"[{', '.join(codes)}]") if directive.kind is not DirectiveKind.NOQA else None
                yield BlanketSuppression(codes, directive.span, edit)

    def _unknown(self, known: RuleNames) -> Iterable[UnknownSuppression]:
        for directive in self.directives:
            for name in directive.names:
                ours = directive.kind.is_own or _looks_like_code(name.text)
                if ours and _code(name.text, known) is None:
                    edit = removal(self.document, directive, (name,))
                    yield UnknownSuppression(name.text, name.span, edit)


def _code(text: str, known: RuleNames) -> str | None:
    """The code of a rule that a comment names by code or name, in any case; None when there is none."""
    code = known.get(text.lower(), text.upper())
    return code if code in known.values() else None


def _looks_like_code(text: str) -> bool:
    return text[:2].upper() == "LP" and text[2:].isdigit()


def _rows(document: Document, directive: Directive) -> tuple[int, int]:
    """The rows, in the joined text, to which a directive applies by its position; the end of a range is determined
    elsewhere."""
    row = directive.row
    if directive.kind in (DirectiveKind.FILE_NOQA, DirectiveKind.FILE_IGNORE):
        return 1, document.lines.row_count
    if directive.kind is not DirectiveKind.IGNORE or not directive.own_line:
        return row, row
    layout, lines = document.layout, document.lines
    around = layout.logical_line(directive.comment.start)
    if around is not None:
        last = lines.row(around.end)
        following = range(row + 1, last + 1)
        return row, next((r for r in following if lines.row_text(r).strip()[:1] not in ("", "#")), last)
    line = layout.next_logical_line(directive.comment.end)
    while line is not None and document.code[line.start] == "@":
        line = layout.next_logical_line(line.end)
    if line is None or document.cell_at(line.start) != document.cell_at(directive.comment.start):
        return row, row
    return row, lines.row(line.end)
