"""The format for people: what is wrong, where, how the value gets there, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.diagnostics import (
    Applicability,
    Confidence,
    Diagnostic,
    Outcome,
    Severity,
    StartMethod,
    Step,
)
from lintpickle.report.common import place
from lintpickle.report.context import ReportContext
from lintpickle.report.frame import CodeFrame, render_fix
from lintpickle.report.summary import plural, summary
from lintpickle.rulebook.summaries import rule_url
from lintpickle.terminal import visible

LONGEST_STEP = 100
MOST_PLACES = 3


class Full:
    name = "full"
    human = True

    def render(self, outcome: Outcome, context: ReportContext) -> str:
        parts: list[str] = []
        for diagnostic in outcome.diagnostics:
            parts.extend(f"{line}\n" for line in _diagnostic(diagnostic, context))
            parts.append("\n")
        return "".join(parts) + summary(outcome, context)


def _diagnostic(diagnostic: Diagnostic, context: ReportContext) -> Iterator[str]:
    style = context.style
    document = context.document(diagnostic.location.path)
    frame = None if document is None else CodeFrame.of(diagnostic.location, document)
    margin = 1 if frame is None else len(str(frame.rows()[-1]))
    yield _headline(diagnostic, context)
    path = style.file_link(visible(place(diagnostic.location, context)), diagnostic.location.path)
    yield f"{' ' * margin}{style.gutter('-->')} {path}"
    if frame is not None:
        yield from frame.render(style, diagnostic.severity, margin)
    yield from _outcome(diagnostic, context, margin)
    yield from trail_lines(diagnostic.trail, context, margin)
    yield from _more_places(diagnostic, context, margin)
    yield from _help(diagnostic, context, margin)


def _headline(diagnostic: Diagnostic, context: ReportContext) -> str:
    style = context.style
    paint = style.error if diagnostic.severity is Severity.ERROR else style.warning
    code = style.link(diagnostic.code, rule_url(diagnostic.code, diagnostic.name))
    return (
        f"{paint(f'{diagnostic.severity.value}[')}{paint(code)}{paint(']')} {diagnostic.name}: "
        f"{style.bold(visible(diagnostic.told))}"
    )


def _outcome(diagnostic: Diagnostic, context: ReportContext, margin: int) -> Iterator[str]:
    """The error that the user would have met, and when."""
    style = context.style
    when = _when(diagnostic.start_methods)
    if diagnostic.confidence is not Confidence.CERTAIN:
        when = f"{diagnostic.confidence.value} {when or 'at run time'}"
    lead = f"{' ' * margin} {style.gutter('=')}"
    if diagnostic.error is not None:
        error, *more = visible_lines(diagnostic.error)
        yield f"{lead} {when or 'at run time'}: {style.bold(error)}"
        for line in more:
            yield f"{' ' * margin}     {style.bold(line)}"
    elif when:
        yield f"{lead} {when}"


def visible_lines(text: str) -> list[str]:
    return [visible(line) for line in text.split("\n")]


def _when(start_methods: tuple[StartMethod, ...]) -> str:
    names = [method.value for method in start_methods]
    if len(names) == len(StartMethod):
        return "under every start method"
    return f"under {' and '.join(names)}" if names else ""


def trail_lines(trail: Sequence[Step], context: ReportContext, margin: int) -> Iterator[str]:
    """The steps of a trail, each with its place and its source line. Frames take `margin` columns."""
    if not trail:
        return
    style = context.style
    indent = " " * margin
    yield f"{indent} {style.gutter('=')} how it gets there:"
    width = len(str(len(trail)))
    for number, step in enumerate(trail, start=1):
        where = visible(place(step.location, context, column=False))
        where = style.accent(style.file_link(where, step.location.path))
        text = _step_text(step, context)
        yield f"{indent}   {style.gutter(f'{number:>{width}}.')} {visible(step.message)}"
        yield f"{indent}   {' ' * width}  {where}  {style.dim(visible(text))}".rstrip()


def _more_places(diagnostic: Diagnostic, context: ReportContext, margin: int) -> Iterator[str]:
    style = context.style
    more = diagnostic.related[1:]
    if not more:
        return
    yield f"{' ' * margin} {style.gutter('=')} and {plural(len(more), 'more place')}:"
    for related in more[:MOST_PLACES]:
        where = visible(place(related.location, context, column=False))
        where = style.accent(style.file_link(where, related.location.path))
        yield f"{' ' * margin}   {where}  {visible(related.message)}"
    if len(more) > MOST_PLACES:
        yield f"{' ' * margin}   … `--output-format json` lists all"


def _step_text(step: Step, context: ReportContext) -> str:
    text = context.row_text(step.location, step.location.start.row).strip()
    return text if len(text) <= LONGEST_STEP else text[: LONGEST_STEP - 1] + "…"


def _help(diagnostic: Diagnostic, context: ReportContext, margin: int) -> Iterator[str]:
    style = context.style
    fix = diagnostic.fix
    label = style.heading("help:")
    # A safe fix says enough; otherwise the reader has to act, and gets both if they are not the same.
    says_enough = fix is not None and (fix.is_the_help or fix.applicability is Applicability.SAFE)
    if diagnostic.help and not says_enough:
        yield f"{label} {diagnostic.help}"
    if fix is None:
        return
    mark = f"[{style.accent('*')}] " if context.fixable(diagnostic) else ""
    yield f"{label} {mark}{fix.message}"
    document = context.fix_document(diagnostic)
    if context.show_fixes and document is not None:
        yield from render_fix(fix, document, style, margin)
    note = style.heading("note:")
    if fix.applicability is Applicability.UNSAFE:
        yield f"{note} this fix may change behaviour; `--unsafe-fixes` applies it"
    elif fix.applicability is Applicability.DISPLAY and context.show_fixes:
        yield f"{note} this change is only shown: lintpickle does not apply it"
