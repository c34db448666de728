"""The last lines of a report for people, the list of what was fixed, and the table of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.diagnostics import Applicability, Diagnostic, Outcome, PlaceKind, Severity
from lintpickle.report.common import to_json
from lintpickle.report.context import ReportContext

MANY = 5
"""The number of findings from which on the summary says by which rules and where they are."""
MOST_RULES = 3


class RuleCount(Struct, frozen=True):
    """How often a rule was found, and how many of its findings `--fix` would mend."""

    code: str
    name: str
    count: int
    fixable_count: int


def count_rules(outcome: Outcome, context: ReportContext) -> tuple[RuleCount, ...]:
    """Counts by rule, the most frequent first."""
    counts = Counter((item.code, item.name) for item in outcome.diagnostics)
    fixable = Counter(item.code for item in outcome.diagnostics if context.fixable(item))
    rows = (RuleCount(code, name, count, fixable[code]) for (code, name), count in counts.items())
    return tuple(sorted(rows, key=lambda row: (-row.count, row.code)))


def statistics(outcome: Outcome, context: ReportContext) -> str:
    """The table of counts as text. [*]: all findings of the rule are fixable; [-]: some are."""
    style = context.style
    rows = count_rules(outcome, context)
    width = max((len(str(row.count)) for row in rows), default=0)
    lines = []
    for row in rows:
        mark = "*" if row.fixable_count == row.count else "-" if row.fixable_count else " "
        mark = f"[{style.accent(mark) if mark != ' ' else mark}]"
        lines.append(f"{style.bold(f'{row.count:>{width}}')}  {style.error(row.code)}  {mark} {row.name}\n")
    return "".join(lines) + summary(outcome, context, by_rule=False)


def statistics_json(outcome: Outcome, context: ReportContext) -> str:
    """The table of counts as JSON, with ruff's keys."""
    return to_json(
        [
            {
                "code": row.code,
                "name": row.name,
                "count": row.count,
                "fixable": row.fixable_count == row.count,
                "fixable_count": row.fixable_count,
            }
            for row in count_rules(outcome, context)
        ]
    )


def fixed_summary(outcome: Outcome, context: ReportContext) -> str:
    """What was fixed, without the remaining findings; empty if the context is quiet."""
    fixed = sum(len(change.fixed) for change in outcome.changes)
    if context.quiet:
        return ""
    if context.show_fixes and fixed:
        return "".join(f"{line}\n" for line in _fixed_lines(outcome, context)).rstrip("\n") + "\n"
    return f"Fixed {plural(fixed, 'problem')}.\n"


def summary(outcome: Outcome, context: ReportContext, by_rule: bool = True) -> str:
    """What a run came to, in a few lines; empty when the context is quiet. `by_rule` says whether rules are counted, if
    there are many findings."""
    return "" if context.quiet else "".join(f"{line}\n" for line in _summary_lines(outcome, context, by_rule))


def plural(count: int, noun: str) -> str:
    """`1 error`, `2 errors`, `2 fixes`, `2 processes`."""
    ending = "" if count == 1 else "es" if noun.endswith(("s", "x")) else "s"
    return f"{count} {noun}{ending}"


def _summary_lines(outcome: Outcome, context: ReportContext, by_rule: bool) -> Iterator[str]:
    remaining = outcome.diagnostics
    fixed = sum(len(change.fixed) for change in outcome.changes)
    if context.show_fixes and fixed:
        yield from _fixed_lines(outcome, context)
    if not remaining and not fixed:
        files = f" ({plural(outcome.files, 'file')})" if outcome.files else ""
        yield context.style.good(f"All checks passed!{files}")
        yield from _held_back(outcome)
        return
    if fixed:
        total = plural(fixed + len(remaining), "problem")
        yield f"Found {total} ({fixed} fixed, {len(remaining)} remaining)."
    else:
        yield f"Found {_by_severity(remaining)}."
    if len(remaining) >= MANY:
        if by_rule:
            yield f"  by rule: {_by_rule(outcome, context)}"
        yield from _by_place(remaining)
    yield from _fix_hint(remaining, context)
    if len(remaining) >= MANY:
        code = count_rules(outcome, context)[0].code
        yield f"`lintpickle rule {code}` says why it breaks, and what to do instead."
    yield from _held_back(outcome)


def _by_rule(outcome: Outcome, context: ReportContext) -> str:
    counts = count_rules(outcome, context)
    shown = counts if len(counts) <= MOST_RULES + 1 else counts[:MOST_RULES]
    parts = [f"{each.count} {context.style.error(each.code)} {each.name}" for each in shown]
    left = counts[len(shown) :]
    if left:
        parts.append(f"{sum(each.count for each in left)} of {len(left)} more (`--statistics`)")
    return ", ".join(parts)


def _by_place(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """How many are in the library, in tests and so on; nothing if all are in the library."""
    counts = Counter(item.where for item in diagnostics)
    if set(counts) != {PlaceKind.LIBRARY}:
        yield "  where: " + ", ".join(f"{counts[kind]} in {_PLACES[kind]}" for kind in PlaceKind if counts[kind])


_PLACES = {kind: f"the {kind.value}" if kind is PlaceKind.LIBRARY else kind.value for kind in PlaceKind}


def _held_back(outcome: Outcome) -> Iterator[str]:
    if outcome.unread:
        kinds = {item.where for item in outcome.unread}
        places = " and ".join(_PLACES[kind] for kind in PlaceKind if kind in kinds)
        them = "it" if len(outcome.unread) == 1 else "them"
        yield f"{plural(len(outcome.unread), 'file')} in {places} cannot be read as Python: `--verbose` names {them}."
    if outcome.held_back:
        is_one = outcome.held_back == 1
        what = f"{plural(outcome.held_back, 'finding')} more {'is' if is_one else 'are'} only possible"
        yield f"At least {what}: `--pedantic` shows {'it' if is_one else 'them'}."
    if outcome.pinned:
        them = "it" if outcome.pinned == 1 else "them"
        yield f"Workers are forked, which hides {plural(outcome.pinned, 'finding')}: `lintpickle migrate` lists {them}."
    if outcome.suggests_library and not outcome.diagnostics:
        yield "Nothing here starts a process, but users may ship what is exported: `--library` judges that."


def _by_severity(diagnostics: tuple[Diagnostic, ...]) -> str:
    counts = Counter(item.severity for item in diagnostics)
    parts = [
        plural(counts[severity], severity.value) for severity in (Severity.ERROR, Severity.WARNING) if counts[severity]
    ]
    return " and ".join(parts)


def _fix_hint(remaining: tuple[Diagnostic, ...], context: ReportContext) -> Iterator[str]:
    fixable = sum(map(context.fixable, remaining))
    unsafe = sum(item.fix is not None and item.fix.applicability is Applicability.UNSAFE for item in remaining)
    mark = f"[{context.style.accent('*')}]"
    if fixable:
        flags = "--fix --unsafe-fixes" if context.unsafe_fixes and unsafe else "--fix"
        more = f", {unsafe} more with `--unsafe-fixes`" if unsafe and not context.unsafe_fixes else ""
        yield f"{mark} {fixable} fixable with `{flags}`{more}."
    elif unsafe:
        yield f"{unsafe} fixable with `--fix --unsafe-fixes`."


def _fixed_lines(outcome: Outcome, context: ReportContext) -> Iterator[str]:
    fixed = sum(len(change.fixed) for change in outcome.changes)
    yield f"Fixed {plural(fixed, 'problem')}:"
    for change in outcome.changes:
        counts = Counter((item.code, item.name) for item in change.fixed)
        if not counts:
            continue
        yield f"- {context.style.bold(context.relative(change.path))}:"
        for (code, name), count in sorted(counts.items()):
            yield f"    {count} x {context.style.error(code)} ({name})"
    yield ""
