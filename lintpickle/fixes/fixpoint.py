"""Fixing one text to a fixpoint: apply a round of fixes, verify it, lint again, until nothing is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from lintpickle.diagnostics import Applicability, Diagnostic, Edit, LintpickleError
from lintpickle.fixes.edits import apply_edits, choose, compose, moved
from lintpickle.parsing.syntax import BrokenSyntax, parse

Lint = Callable[[str, tuple[Edit, ...]], Sequence[Diagnostic]]
"""Reports on a text, which these edits make of the original one. Raises ValueError or LintpickleError if the file
cannot hold that text."""


class FixResult(Struct, frozen=True):
    """What fixing made of a text.

    `fixed` are the diagnostics that are gone, each with the span that it had in the round that fixed it.
    `remaining` is what linting `text` reports; `refused` are those of them whose fix was tried and failed
    verification. `edits` lead from the original text to `text`: sorted, not touching each other.
    """

    text: str
    fixed: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]
    refused: tuple[Diagnostic, ...]
    edits: tuple[Edit, ...]


class _Round(Struct, frozen=True):
    """A verified round: from one text to the next."""

    text: str
    edits: tuple[Edit, ...]
    claimed: tuple[Diagnostic, ...]
    remaining: tuple[Diagnostic, ...]


def fix_text(
    text: str,
    lint: Lint,
    allowed: Collection[Applicability],
    *,
    encode_check: Callable[[str], object] | None = None,
    max_rounds: int = 20,
) -> FixResult:
    """Apply the fixes of what `lint` reports, as far as `allowed`, until none is left or all are refused.

    Each round is kept only if its result still parses, the diagnostics that it claims to fix are gone and no
    new one came (compared by code and message, not by place). When a round fails, its fixes are tried in ever
    smaller groups: those that fail alone are refused, the others are applied. `encode_check` is called with
    each result and raises ValueError or LintpickleError when the file's encoding cannot hold it.

    Every round lessens the number of diagnostics or of fixes that may be tried, so it ends even without
    `max_rounds`.
    """
    remaining = tuple(lint(text, ()))
    verifier = _Verifier(lint, allowed, encode_check, must_parse=_parses(text), length=len(text))
    current, edits = text, tuple[Edit, ...]()
    fixed: list[Diagnostic] = []
    refused: set[tuple[int, str]] = set()
    for _ in range(max_rounds):
        candidates = [each for each in remaining if _key(each) not in refused]
        chosen = choose(candidates, allowed, current)
        if not chosen.diagnostics:
            break
        done, failed = verifier.largest(current, edits, remaining, chosen.diagnostics)
        refused.update(map(_key, failed))
        if done is not None:
            fixed.extend(_gone(remaining, done))
            edits = compose(edits, done.edits, len(text))
            refused = {(moved(start, done.edits), code) for start, code in refused}
            current, remaining = done.text, done.remaining
    return FixResult(
        text=current,
        fixed=tuple(fixed),
        remaining=remaining,
        refused=tuple(each for each in remaining if each.fix is not None and _key(each) in refused),
        edits=edits,
    )


class _Verifier(Struct, frozen=True):
    lint: Lint
    allowed: Collection[Applicability]
    encode_check: Callable[[str], object] | None
    must_parse: bool
    length: int
    """Of the original text."""

    def largest(
        self, text: str, edits: tuple[Edit, ...], before: Sequence[Diagnostic], group: Sequence[Diagnostic]
    ) -> tuple[_Round | None, list[Diagnostic]]:
        """A round of as many fixes of `group` as go together, and those fixes that fail even alone. `edits` have led to
        the text."""
        best: _Round | None = None
        failed: list[Diagnostic] = []
        waiting = [list(group)]
        while waiting:
            part = waiting.pop()
            kept = list(best.claimed) if best else []
            attempt = self.attempt(text, edits, before, [*kept, *part])
            if attempt is not None:
                best = attempt
            elif len(part) > 1:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
            elif not kept:
                failed += part
            # One that fails only in company comes again in the next round.
        return best, failed

    def attempt(
        self, text: str, edits: tuple[Edit, ...], before: Sequence[Diagnostic], group: Sequence[Diagnostic]
    ) -> _Round | None:
        """The round that applies all of `group` to `text`, or None when it does not hold."""
        chosen = choose(group, self.allowed, text)
        if len(chosen.diagnostics) < len(group):
            return None
        try:
            after = apply_edits(text, chosen.edits)
            if after == text or (self.must_parse and not _parses(after)):
                return None
            if self.encode_check is not None:
                self.encode_check(after)
            remaining = tuple(self.lint(after, compose(edits, chosen.edits, self.length)))
        except (ValueError, LintpickleError):
            return None
        if not Counter(_kinds(remaining)) <= _without(Counter(_kinds(before)), _kinds(group)):
            return None
        return _Round(after, chosen.edits, chosen.diagnostics, remaining)


def _parses(text: str) -> bool:
    """Whether this Python can read `text`."""
    try:
        parse(text)
    except BrokenSyntax:
        return False
    return True


def _key(diagnostic: Diagnostic) -> tuple[int, str]:
    return (diagnostic.span.start, diagnostic.code)


def _kinds(diagnostics: Sequence[Diagnostic]) -> Iterator[tuple[str, str]]:
    return ((each.code, each.message) for each in diagnostics)


def _without(counts: Counter[tuple[str, str]], kinds: Iterator[tuple[str, str]]) -> Counter[tuple[str, str]]:
    counts.subtract(kinds)
    return counts


def _gone(before: Sequence[Diagnostic], done: _Round) -> list[Diagnostic]:
    """The claimed diagnostics, and as many others of each kind as vanished with them."""
    surplus = _without(Counter(_kinds(before)), _kinds(done.remaining))
    surplus.subtract(_kinds(done.claimed))
    claimed = set(map(id, done.claimed))
    gone: list[Diagnostic] = []
    for each in before:
        if id(each) in claimed:
            gone.append(each)
        elif surplus[each.code, each.message] > 0:
            surplus[each.code, each.message] -= 1
            gone.append(each)
    return gone
