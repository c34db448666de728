"""Choosing which fixes to apply together, applying their edits, and composing edits."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from lintpickle.diagnostics import Applicability, Diagnostic, Edit, Span
from lintpickle.source.syntax import BrokenSyntax, parse


class Chosen(Struct, frozen=True):
    """The diagnostics whose fixes go together in one round, and their merged edits in text order."""

    diagnostics: tuple[Diagnostic, ...]
    edits: tuple[Edit, ...]


def choose(diagnostics: Sequence[Diagnostic], allowed: Collection[Applicability]) -> Chosen:
    """Pick the fixes that can be applied in one go: first come, first served by start, end and code.

    A fix goes in whole or not at all. One that overlaps an earlier one, or that would bind a name which an
    earlier one binds otherwise, is left for the next round. An edit that several fixes share is applied once.
    Different insertions at one point are all applied, imports first, then in the order of the diagnostics;
    but halves of brackets wait: `list(` and `tuple(` at one point could swap what they wrap.
    """
    taken: list[Diagnostic] = []
    edits: list[Edit] = []
    for diagnostic in sorted(diagnostics, key=_rank):
        fix = diagnostic.fix
        if fix is None or fix.applicability not in allowed or not fix.edits:
            continue
        if any(_conflict(a, b) for i, a in enumerate(fix.edits) for b in fix.edits[:i]):
            continue
        new = [edit for edit in fix.edits if edit not in edits]
        shared = [edit for edit in fix.edits if edit in edits]
        if new and any(_is_half(edit.content) for edit in shared):
            continue
        if any(_conflict(edit, other) for edit in new for other in edits):
            continue
        taken.append(diagnostic)
        edits.extend(new)
    return Chosen(tuple(taken), _in_order(edits))


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """`text` with `edits` applied. Insertions at one point keep the order in which they are given.

    Raises ValueError when edits overlap or lie outside of the text.
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if not at <= edit.span.start <= edit.span.end <= len(text):
            raise ValueError(f"edits overlap or lie outside of the text at {edit.span}")
        pieces += (text[at : edit.span.start], edit.content)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)


def compose(first: Sequence[Edit], second: Sequence[Edit], length: int) -> tuple[Edit, ...]:
    """One list of edits that does what `first` and then `second` do.

    `length` is that of the original text, to which `first` and the result refer; `second` refers to the text
    that `first` makes. The result is sorted, and no two of its edits touch.
    """
    middle = list(_pieces(first, length))
    final: list[Span | str] = []
    at = 0
    for edit in sorted(second, key=lambda edit: edit.span):
        final += _cut(middle, at, edit.span.start)
        final.append(edit.content)
        at = edit.span.end
    final += _cut(middle, at, sum(_size(piece) for piece in middle))
    return _edits_of(final, length)


def moved(offset: int, edits: Sequence[Edit]) -> int:
    """Where the character at `offset` stands after `edits`; the start of the edit when it was replaced."""
    shift = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.end <= offset:
            shift += len(edit.content) - (edit.span.end - edit.span.start)
        elif edit.span.start <= offset:
            return edit.span.start + shift
    return offset + shift


def _rank(diagnostic: Diagnostic) -> tuple[Span, str, str, tuple[Edit, ...]]:
    edits = diagnostic.fix.edits if diagnostic.fix else ()
    return (diagnostic.span, diagnostic.code, diagnostic.message, edits)


def _conflict(edit: Edit, other: Edit) -> bool:
    a, b = edit.span, other.span
    if a.start == a.end and b.start == b.end:
        if a == b and (_is_half(edit.content) or _is_half(other.content)):
            return True
        return bool(_bound_names(edit.content) & _bound_names(other.content))
    # An insertion at either end of a replacement does not overlap it.
    return a.start < b.end and b.start < a.end


def _is_half(content: str) -> bool:
    """Whether an insertion opens brackets that it does not close, or closes some."""
    return any(content.count(opening) != content.count(closing) for opening, closing in ("()", "[]", "{}"))


def _bound_names(content: str) -> frozenset[str]:
    """Names that an insertion of whole statements, or of `, name` into an import, would bind."""
    for candidate in (content, "import _" + content):
        try:
            body = parse(candidate.strip()).body
        except BrokenSyntax:
            continue
        names: set[str] = set()
        for statement in body:
            match statement:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    names.add(name)
                case ast.ImportFrom(names=aliases):
                    names.update(alias.asname or alias.name for alias in aliases)
                case ast.Import(names=aliases):
                    # `import a.b` and `import a.c` bind the same `a`: no conflict.
                    names.update(alias.asname or alias.name for alias in aliases)
                case ast.Assign(targets=[ast.Name(id=name)]):
                    names.add(name)
        return frozenset(names - {"_"})
    return frozenset()


def _in_order(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    ordered = sorted(edits, key=lambda edit: (edit.span, not _is_import(edit)))
    result: list[Edit] = []
    for edit, following in zip_longest(ordered, ordered[1:]):
        if following and edit.span == following.span and _is_import(edit) and _is_import(following):
            stem = edit.content.rstrip("\r\n")
            end = edit.content[len(stem) :]
            result.append(Edit(edit.span, stem + (end[:2] if end.startswith("\r\n") else end[:1])))
        else:
            result.append(edit)
    return tuple(result)


def _is_import(edit: Edit) -> bool:
    return edit.span.start == edit.span.end and edit.content.lstrip().startswith(("import ", "from "))


def _pieces(edits: Sequence[Edit], length: int) -> Iterator[Span | str]:
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        yield Span(at, edit.span.start)
        yield edit.content
        at = edit.span.end
    yield Span(at, length)


def _size(piece: Span | str) -> int:
    return len(piece) if isinstance(piece, str) else piece.end - piece.start


def _cut(pieces: Sequence[Span | str], start: int, end: int) -> Iterator[Span | str]:
    at = 0
    for piece in pieces:
        low, high = max(start - at, 0), min(end - at, _size(piece))
        if low < high:
            if isinstance(piece, str):
                yield piece[low:high]
            else:
                yield Span(piece.start + low, piece.start + high)
        at += _size(piece)


def _edits_of(pieces: Sequence[Span | str], length: int) -> tuple[Edit, ...]:
    edits: list[Edit] = []
    at, content = 0, ""
    for piece in [*pieces, Span(length, length)]:
        if isinstance(piece, str):
            content += piece
            continue
        if content or piece.start > at:
            edits.append(Edit(Span(at, piece.start), content))
        at, content = piece.end, ""
    return tuple(edits)
