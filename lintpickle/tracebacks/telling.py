"""An explanation in words, and as JSON: findings as `check` tells them, with what is around them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from lintpickle.diagnostics import Location, Outcome, Severity
from lintpickle.report import get_format
from lintpickle.report.common import JsonValue, diagnostic_json, place, position_json, to_json
from lintpickle.report.context import ReportContext
from lintpickle.report.frame import CodeFrame
from lintpickle.terminal import visible
from lintpickle.tracebacks.notes import steps
from lintpickle.tracebacks.records import Candidate, Explanation, KnowledgeEnd, NamedPlace, Recognised

MOST_SHOWN = 3
MOST_LISTED = 10
NEAR = 8
"""So many points apart, one candidate is clearly likelier than another."""
_WIDTH = 100
_LONGEST = 300

_KINDS = {
    "dataloader": "a DataLoader starts its workers",
    "spawn": "mp.spawn starts its processes",
    "pool": "a Pool sends work or gets results",
    "executor": "a ProcessPoolExecutor sends work or gets results",
    "queue": "a queue sends an object",
    "joblib": "joblib sends work",
    "save": "torch saves or loads",
    "deepcopy": "copy.deepcopy copies",
    "cloudpickle": "cloudpickle or dill pickles",
    "process": "a Process starts",
    "pickle": "pickle saves or loads",
}


def as_text(explanation: Explanation, context: ReportContext) -> str:
    """The explanation for people."""
    lines = [*_error(explanation, context)]
    if explanation.read.error is not None:
        lines += ["", *_result(explanation, context)]
    return "\n".join(lines).rstrip() + "\n"


def _error(explanation: Explanation, context: ReportContext) -> Iterator[str]:
    style = context.style
    error = explanation.read.error
    if error is None:
        yield "This text holds no error that has to do with crossing a process boundary, pickling or loading."
        if explanation.read.all:
            told = ", ".join(dict.fromkeys(each.type for each in explanation.read.all if each.type))
            yield f"What it holds: {visible(told)}" if told else "It holds frames without the error that ends them."
        yield "Paste the whole traceback, from its first line to the error and the notes below it."
        return
    yield f"{style.error('the error')}: {style.bold(visible(_one_line(error.text)))}"
    yield from _wrapped(f"{error.kind.means}.", "  ")
    boundary = explanation.read.boundary
    what = _KINDS.get(boundary.kind or "")
    frame = explanation.boundary
    if frame is not None and frame.row is not None:
        at = f"{context.relative(frame.path)}:{frame.row}"
        moved = f" (line {frame.frame.row} in the traceback)" if frame.is_moved else ""
        yield f"  It is raised where {what or 'this runs'}: {style.accent(visible(at))}{moved}"
        if frame.frame.line is not None:
            yield f"    {style.dim(visible(frame.frame.line))}"
    elif what is not None:
        caller = boundary.own or boundary.caller
        at = f": {caller.path}:{caller.row}, which is not a file of this project" if caller and caller.path else ""
        yield f"  It is raised where {what}{visible(at)}"
    path = _notes_path(error)
    if path:
        yield f"  The notes lead to: {style.bold(visible(path))}"


def _notes_path(error: Recognised) -> str:
    parts = []
    for step in steps(error.raised.notes):
        if step.owner is None:
            parts.append(step.label)
        else:
            parts.append(f" → {step.owner}.{step.label}" if parts else f"{step.owner}.{step.label}")
    return "".join(parts).strip()


def _result(explanation: Explanation, context: ReportContext) -> Iterator[str]:
    style = context.style
    error = explanation.read.error
    assert error is not None
    candidates = explanation.candidates
    for named in explanation.named:
        yield from _named(named, context)
    if candidates and explanation.named:
        yield f"What lintpickle finds that gives the same error, {style.bold('by another path')}:"
        yield ""
    elif len(candidates) > 1:
        yield f"{len(candidates)} lines can give this error, the likeliest first:"
        yield ""
    shown = _shown(candidates)
    known_to_all = set.intersection(*(set(each.reasons) for each in candidates)) if len(candidates) > 1 else set()
    for number, candidate in enumerate(shown, start=1):
        reason = next((each for each in candidate.reasons if each not in known_to_all), None)
        headed = f"{number}. {reason or 'as likely'}" if len(candidates) > 1 else None
        yield from _candidate(headed, candidate, context)
    rest = candidates[len(shown) :]
    if rest:
        yield f"less likely{'' if len(rest) == 1 else f' ({len(rest)})'}:"
        for candidate in rest[:MOST_LISTED]:
            where = place(candidate.diagnostic.location, context)
            yield f"  {style.accent(visible(where))}  {visible(candidate.diagnostic.told)}"
        if len(rest) > MOST_LISTED:
            yield "  … `--output-format json` lists all"
        yield ""
    if len(candidates) > 1 or (explanation.named and error.kind.here is None):
        yield f"The running program can tell for sure: {style.bold(visible(explanation.probe))}"
    if not explanation.is_found:
        yield from _nothing(explanation, error, context)


def _shown(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """The candidates that are shown in full: the best one, and those that are nearly as good."""
    near = [each for each in candidates if each.score > candidates[0].score - NEAR]
    return near[:MOST_SHOWN]


def _candidate(headed: str | None, candidate: Candidate, context: ReportContext) -> Iterator[str]:
    if headed is not None:
        yield headed
    yield get_format("full").render(Outcome((candidate.diagnostic,)), context).rstrip("\n")
    if candidate.path and "." in candidate.path:
        yield f"{context.style.heading('path:')} {visible(candidate.path)}"
    yield ""


def _named(named: NamedPlace, context: ReportContext) -> Iterator[str]:
    document = context.document(named.location.path)
    frame = None if document is None else CodeFrame.of(named.location, document)
    yield visible(named.what)
    margin = 1 if frame is None else len(str(frame.rows()[-1]))
    yield f"{' ' * margin}--> {visible(place(named.location, context))}"
    if frame is not None:
        yield from frame.render(context.style, Severity.ERROR, margin)
    yield ""


def _nothing(explanation: Explanation, error: Recognised, context: ReportContext) -> Iterator[str]:
    style = context.style
    if error.kind.next is not None and error.kind.symptom:
        yield from _wrapped(error.kind.next, "")
        return
    yield f"No line was found that gives this error{'.' if error.kind.rules else ': no rule looks for it.'}"
    if explanation.followed:
        count = explanation.followed
        yield f"{count} values were followed that cross at such boundaries; none of them is known to fail so."
    elif error.kind.rules:
        yield "No boundary of this kind was found in the files here."
    if explanation.ends:
        yield "What cannot be read from the source, and may hold it:"
        for end in explanation.ends:
            yield f"  {style.accent(visible(place(end.location, context, column=False)))}  {_told_end(end)}"
    if error.kind.next is not None and not error.raised.notes:
        yield from _wrapped(error.kind.next, "")
    if explanation.probe and error.kind.rules:
        yield f"Next, ask the running program: {style.bold(visible(explanation.probe))}"


def _told_end(end: KnowledgeEnd) -> str:
    return visible(f"{end.path} = {end.what}")


def _wrapped(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(visible(text), _WIDTH, initial_indent=indent, subsequent_indent=indent)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def as_json(explanation: Explanation, context: ReportContext) -> str:
    """The explanation as one JSON object."""
    error, boundary = explanation.read.error, explanation.read.boundary
    frame = explanation.boundary
    return to_json(
        {
            "error": None if error is None else _error_json(error),
            "boundary": {
                "kind": boundary.kind,
                "filename": frame.path if frame is not None else None,
                "row": frame.row if frame is not None else None,
                "shown": None
                if boundary.caller is None
                else {"filename": boundary.caller.path, "row": boundary.caller.row},
            },
            "frames": [
                {
                    "filename": each.path,
                    "row": each.row,
                    "moved": each.is_moved,
                    "sure": each.is_sure,
                    "shown": {"filename": each.frame.path, "row": each.frame.row},
                }
                for each in explanation.frames
            ],
            "candidates": [_candidate_json(each, context) for each in explanation.candidates],
            "named": [{"message": each.what, **_place_json(each.location)} for each in explanation.named],
            "followed": explanation.followed,
            "ends": [
                {"path": each.path, "source": each.what, **_place_json(each.location)} for each in explanation.ends
            ],
            "probe": explanation.probe or None,
            "fixed": [change.path for change in explanation.changes],
        }
    )


def _error_json(error: Recognised) -> JsonValue:
    return {
        "kind": error.kind.kind,
        "text": error.text,
        "type": error.type,
        "name": error.name,
        "module": error.module,
        "means": error.kind.means,
        "next": error.kind.next,
        "notes": list(error.raised.notes),
        "rules": list(error.kind.rules),
    }


def _candidate_json(candidate: Candidate, context: ReportContext) -> JsonValue:
    return {
        **diagnostic_json(candidate.diagnostic, context),
        "path": candidate.path or None,
        "score": candidate.score,
        "reasons": list(candidate.reasons),
    }


def _place_json(location: Location) -> JsonValue:
    return {
        "filename": location.path,
        "cell": location.cell,
        "location": position_json(location.start),
        "end_location": position_json(location.end),
    }
