"""Choosing which fixes to apply together, applying their edits, and composing edits."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import zip_longest

from msgspec import Struct

from lintpickle.diagnostics import Applicability, Diagnostic, Edit, Span
from lintpickle.fixes.names import analyse
from lintpickle.parsing.syntax import BrokenSyntax, parse

_HEAD = re.compile(r"[\r\n]*def (_\w+)\((?!\*args, \*\*kwargs\):)")
"""The head of a new function. That of a wrapper, which others use too, is left out."""
_NUMBERED = re.compile(r"(\w+?)_([0-9]{1,6})")


class Chosen(Struct, frozen=True):
    """The diagnostics whose fixes go together in one round, and their merged edits in text order."""

    diagnostics: tuple[Diagnostic, ...]
    edits: tuple[Edit, ...]


def choose(diagnostics: Sequence[Diagnostic], allowed: Collection[Applicability], text: str | None = None) -> Chosen:
    """Pick the fixes that can be applied in one go: first come, first served by start, end and code.

    A fix goes in whole or not at all. One that overlaps an earlier one, or that would bind a name which an
    earlier one binds otherwise, is left for the next round; but with the `text` that they are for, a new function is
    given another name instead. An edit that several fixes share is applied once.
    Different insertions at one point are all applied, imports first, then in the order of the diagnostics;
    but halves of brackets wait: `list(` and `tuple(` at one point could swap what they wrap.
    """
    taken: list[Diagnostic] = []
    together = _Together()
    naming = _Naming(text) if text is not None else None
    for diagnostic in sorted(diagnostics, key=_rank):
        fix = diagnostic.fix
        if fix is None or fix.applicability not in allowed or not fix.edits:
            continue
        edits = naming.of(fix.edits, together.bound) if naming is not None else fix.edits
        if together.take(edits):
            taken.append(diagnostic)
    return Chosen(tuple(taken), _in_order(together.edits))


class _Together:
    """Edits that go together, and a question to them: whether others go with them. What it takes to answer does not
    grow with their number."""

    def __init__(self) -> None:
        self.edits: dict[Edit, None] = {}
        self.bound: set[str] = set()
        """The names that insertions bind."""
        self._replaced: list[Span] = []
        self._points: list[int] = []
        self._halves: dict[int, bool] = {}
        """The points of insertions; whether one of these is half of a pair of brackets."""

    def take(self, edits: Sequence[Edit]) -> bool:
        """Take in the edits of a fix, all or none. Returns whether they go with the others."""
        if any(_conflict(a, b) for i, a in enumerate(edits) for b in edits[:i]):
            return False
        new = [edit for edit in edits if edit not in self.edits]
        if new and any(_is_half(edit.content) for edit in edits if edit in self.edits):
            return False
        if any(map(self._conflicts, new)):
            return False
        for edit in new:
            self._add(edit)
        return True

    def _conflicts(self, edit: Edit) -> bool:
        span = edit.span
        if span.start == span.end:
            half = self._halves.get(span.start)
            if half is not None and (half or _is_half(edit.content)):
                return True
            if not self.bound.isdisjoint(_bound_names(edit.content)):
                return True
        else:
            point = bisect_right(self._points, span.start)
            if point < len(self._points) and self._points[point] < span.end:
                return True
        after = bisect_left(self._replaced, span)
        around = self._replaced[max(after - 1, 0) : after + 1]
        return any(span.start < other.end and other.start < span.end for other in around)

    def _add(self, edit: Edit) -> None:
        self.edits[edit] = None
        span = edit.span
        if span.start < span.end:
            insort(self._replaced, span)
            return
        self.bound |= _bound_names(edit.content)
        if span.start not in self._halves:
            insort(self._points, span.start)
        self._halves[span.start] = self._halves.get(span.start, False) or _is_half(edit.content)


class _Naming:
    """Gives the new function of a fix another name, where the fix before has taken its name for its own: on the same
    text, both have found the same one free."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._numbers: dict[str, int] = {}

    def of(self, edits: tuple[Edit, ...], taken: Set[str]) -> tuple[Edit, ...]:
        """The edits of a fix that moves a lambda to module level, or puts a wrapper there, with a name that is not
        taken; those of others as they are."""
        name = _new_function(edits)
        names = analyse(self._text) if name is not None and name in taken else None
        if name is None or names is None:
            return edits
        stem, number = self._stem(name, names.identifiers | taken)
        number = max(number, self._numbers.get(stem, 0)) + 1
        while f"{stem}_{number}" in names.identifiers or f"{stem}_{number}" in taken:
            number += 1
        self._numbers[stem] = number
        return tuple(_renamed(edit, name, f"{stem}_{number}") for edit in edits)

    def _stem(self, name: str, used: Set[str]) -> tuple[str, int]:
        """The name without the number that it was given, and that number."""
        numbered = _NUMBERED.fullmatch(name)
        if numbered is not None and numbered[1] in used:
            return numbered[1], int(numbered[2])
        return name, 1


def _new_function(edits: Sequence[Edit]) -> str | None:
    """The name of the function that a fix inserts, if the fix only inserts it and uses its name."""
    insertions = [edit for edit in edits if edit.span.start == edit.span.end]
    head = _HEAD.match(insertions[0].content) if len(insertions) == 1 else None
    if head is None or any(edit.content.strip() != head[1] for edit in edits if edit is not insertions[0]):
        return None
    return head[1]


def _renamed(edit: Edit, name: str, new: str) -> Edit:
    return Edit(edit.span, edit.content.replace(name, new, 1))


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
    middle = list(_slots(first, length))
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
    """Whether an insertion opens brackets that it does not close, or closes brackets that it does not open."""
    return any(content.count(opening) != content.count(closing) for opening, closing in ("()", "[]", "{}"))


@lru_cache(maxsize=4096)
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


def _in_order(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    ordered = sorted(edits, key=lambda edit: (edit.span, not _is_import(edit)))
    result: list[Edit] = []
    for edit, following in zip_longest(ordered, ordered[1:]):
        previous = result[-1] if result else None
        if previous and previous.span == edit.span and previous.content.endswith(("\n\n\n", "\r\n\r\n\r\n")):
            result.append(Edit(edit.span, edit.content.lstrip("\r\n")))
        elif following and edit.span == following.span and _is_import(edit) and _is_import(following):
            stem = edit.content.rstrip("\r\n")
            end = edit.content[len(stem) :]
            result.append(Edit(edit.span, stem + (end[:2] if end.startswith("\r\n") else end[:1])))
        else:
            result.append(edit)
    return tuple(result)


def _is_import(edit: Edit) -> bool:
    return edit.span.start == edit.span.end and edit.content.lstrip().startswith(("import ", "from "))


def _slots(edits: Sequence[Edit], length: int) -> Iterator[Span | str]:
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
