"""How what was seen is told: as text for people, in the shape of the findings of `check`, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lintpickle.diagnostics import Applicability, Location, Severity
from lintpickle.probing.events import ProbeEvent
from lintpickle.probing.explained import Explained, ExplainedEvent, SourceExplanation
from lintpickle.report.common import JsonValue, place, position_json, rule_url, to_json
from lintpickle.report.context import ReportContext
from lintpickle.report.formats.full import trail_lines
from lintpickle.report.frame import CodeFrame, render_fix
from lintpickle.report.summary import plural
from lintpickle.terminal import visible

MOST_PROBED_PLACES = 3


def full(explanation: SourceExplanation, counts: Mapping[str, int], context: ReportContext, exit_code: int = 0) -> str:
    """The report for people. `exit_code` is that of the program, where one was run to its end."""
    lines: list[str] = []
    for event in explanation.events:
        if event.caught_at is not None:
            lines += [*_caught(event, context), ""]
            continue
        for culprit in event.culprits:
            lines += [*_culprit(culprit, event, context), ""]
        if not event.culprits:
            lines += [*_without_culprits(event, context), ""]
    return "".join(f"{line}\n" for line in (*lines, *_summary(explanation, counts, exit_code)))


def probe_json(explanation: SourceExplanation, counts: Mapping[str, int], exit_code: int) -> str:
    """One JSON object: `events` with their culprits, `counts` of what was asked, and the program's own `exit_code`."""
    events = [_event_json(event) for event in explanation.events]
    return to_json({"events": events, "counts": dict(counts), "exit_code": exit_code})


def _culprit(explained: Explained, event: ExplainedEvent, context: ReportContext) -> Iterator[str]:
    style, culprit, verdict = context.style, explained.culprit, explained.verdict
    code = ""
    if verdict is not None:
        code = f"[{style.link(verdict.code, rule_url(verdict.code, verdict.name))}] {verdict.name}"
    yield f"{style.error('error')}{style.error(code)}: {style.bold(visible(f'{culprit.path}: {culprit.type}'))}"
    margin = 1
    document = context.document(explained.location.path) if explained.location is not None else None
    if explained.location is not None:
        frame = CodeFrame.of(explained.location, document) if document is not None else None
        margin = 1 if frame is None else len(str(frame.rows()[-1]))
        where = style.file_link(visible(place(explained.location, context)), explained.location.path)
        yield f"{' ' * margin}{style.gutter('-->')} {where}"
        if frame is not None:
            yield from frame.render(style, Severity.ERROR, margin)
    lead = f"{' ' * margin} {style.gutter('=')}"
    yield f"{lead} {_when(event.event)}: {style.bold(visible(culprit.error))}"
    yield from _places(explained, lead)
    if verdict is not None:
        yield f"{lead} {visible(verdict.message)}"
    yield from trail_lines(explained.trail, context, margin)
    if explained.unseen is not None:
        yield f"{lead} {visible(explained.unseen)}"
    yield from _help(explained, context, margin)


def _places(explained: Explained, lead: str) -> Iterator[str]:
    culprit = explained.culprit
    others = [each for each in culprit.places if each != culprit.path]
    if culprit.count > 1:
        shown = ", ".join(visible(each) for each in others[:MOST_PROBED_PLACES])
        rest = culprit.count - 1 - min(len(others), MOST_PROBED_PLACES)
        more = f" and {rest} more" if rest > 0 else ""
        yield f"{lead} also at {shown}{more}"


def _help(explained: Explained, context: ReportContext, margin: int) -> Iterator[str]:
    style, verdict = context.style, explained.verdict
    if verdict is None:
        return
    label, fix = style.heading("help:"), verdict.fix
    if verdict.help and not (fix is not None and fix.is_the_help):
        yield f"{label} {visible(verdict.help)}"
    if fix is None:
        return
    yield f"{label} {visible(fix.message)}"
    document = context.document(verdict.location.path)
    if document is not None and fix.edits:
        yield from render_fix(fix, document, style, margin)
    if fix.applicability is not Applicability.DISPLAY:
        options = "--fix" if fix.applicability is Applicability.SAFE else "--fix --unsafe-fixes"
        command = f"lintpickle check --pedantic {options} {context.relative(verdict.location.path)}"
        yield f"{style.heading('note:')} `{visible(command)}` writes it"


def _when(event: ProbeEvent) -> str:
    if event.beside:
        return f"under {event.start_method}"
    if event.on_the_way_back:
        return "when it is unpickled"
    return {"process": "when the process is started", "queue": "when it is sent"}.get(event.kind, "when it is pickled")


def _without_culprits(event: ExplainedEvent, context: ReportContext) -> Iterator[str]:
    style, seen = context.style, event.event
    if seen.error is None:
        yield f"{style.warning('note')}: {visible(seen.boundary)}: looked at for {seen.stopped}, and then no further"
    else:
        yield f"{style.error('error')}: {style.bold(visible(f'{seen.boundary}: {seen.error}'))}"
        why = f" (stopped after {seen.stopped})" if seen.stopped else ""
        yield f"  {style.gutter('=')} {_when(seen)}; no part of it was found that does not pickle by itself{why}"
    if event.place is not None:
        yield f"  {style.gutter('-->')} {visible(place(event.place, context))}"


def _caught(event: ExplainedEvent, context: ReportContext) -> Iterator[str]:
    style, seen = context.style, event.event
    assert event.caught_at is not None
    where = visible(place(event.caught_at, context, column=False))
    named = f": {', '.join(culprit.path for culprit in seen.culprits[:MOST_PROBED_PLACES])}" if seen.culprits else ""
    yield f"{style.heading('note')}: {where} only asks whether something can be pickled: it cannot{visible(named)}"
    yield f"  {style.gutter('=')} {visible(seen.error or '')}"


def _summary(explanation: SourceExplanation, counts: Mapping[str, int], exit_code: int) -> Iterator[str]:
    failing = explanation.failures
    culprits = [each for event in failing for each in event.culprits]
    unnamed = sum(event.event.more for event in failing)
    boundaries = _count(len({(event.event.boundary, event.place) for event in failing}), "boundary", "boundaries")
    if failing:
        more = f" (and {unnamed} more that are not listed)" if unnamed else ""
        yield f"Found {plural(len(culprits), 'object')} that cannot cross{more}, at {boundaries}."
    elif exit_code:
        yield f"The program ended with exit code {exit_code}; up to there, nothing failed to cross."
    else:
        yield "Nothing failed to cross."
    stopped = {event.event.stopped for event in explanation.events if event.event.stopped}
    if stopped:
        yield f"Not everything was looked at: stopped after {' and '.join(sorted(stopped))}."
    forked, asked = counts.get("forked", 0), counts.get("asked", 0)
    if asked:
        starts = _count(forked, "process", "processes")
        yield f"Of {starts} started by fork, what {asked} would have been sent was pickled beside."
    elif forked:
        yield (
            f"{_count(forked, 'process', 'processes')} started by fork, which pickles nothing: "
            "`--start-method spawn` asks what spawn would say."
        )
    for what in sorted(counts):
        if what.startswith("failed: "):
            yield f"The probe itself failed: {visible(what[8:])}"


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _event_json(event: ExplainedEvent) -> JsonValue:
    seen = event.event
    return {
        "boundary": seen.boundary,
        "kind": seen.kind,
        "error": seen.error,
        "beside": seen.beside,
        "start_method": seen.start_method,
        "location": _location_json(event.place),
        "caught_at": _location_json(event.caught_at),
        "stopped": seen.stopped,
        "not_listed": seen.more,
        "objects": seen.objects,
        "seconds": seen.seconds,
        "culprits": [_culprit_json(each) for each in event.culprits],
    }


def _culprit_json(explained: Explained) -> JsonValue:
    culprit, verdict = explained.culprit, explained.verdict
    owner = culprit.owner
    return {
        "path": culprit.path,
        "places": list(culprit.places),
        "count": culprit.count,
        "type": culprit.type,
        "error": culprit.error,
        "owner": None if owner is None else {"class": f"{owner.module}.{owner.name}", "attribute": owner.attribute},
        "location": _location_json(explained.location),
        "trail": [{"message": step.message, **_location_json(step.location)} for step in explained.trail],
        "rule": None if verdict is None else {"code": verdict.code, "name": verdict.name, "message": verdict.message},
        "help": None if verdict is None else verdict.help,
        "fix": None if verdict is None or verdict.fix is None else verdict.fix.message,
        "visible_in_source": explained.unseen is None,
        "unseen": explained.unseen,
    }


def _location_json(location: Location | None) -> JsonValue:
    if location is None:
        return None
    start, end = position_json(location.start), position_json(location.end)
    return {"filename": location.path, "cell": location.cell, "location": start, "end_location": end}
