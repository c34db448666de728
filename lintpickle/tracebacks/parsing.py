"""Frames, errors and notes in cleaned lines, in whatever form they were printed: by Python 3.8 to 3.14, IPython, rich,
pytest, or a log that has only a part of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from lintpickle.tracebacks import forms
from lintpickle.tracebacks.records import RaisedError, TracebackFrame

_MOST_MESSAGE_LINES = 40


class _Open(Struct):
    """A traceback that is being read."""

    frames: list[TracebackFrame] = field(default_factory=list)
    is_headed: bool = False
    announced: str = ""
    """The type of the error, where IPython's report begins with it; the error itself may be cut off."""


def raised_in(lines: Sequence[str]) -> Iterator[RaisedError]:
    """The errors in the lines of one stream, in their order. Lines that are no part of a traceback are passed over."""
    lines = list(_joined(lines))
    current = _Open()
    announced = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if forms.HEAD.search(line) and not _frame(line):
            current = _started(current, line)
            current.announced, announced = announced or _announced(line), ""
            continue
        frame = _frame(line)
        if frame is not None:
            frame, at = _with_line(frame, lines, at)
            if frame not in current.frames[-1:]:
                current.frames.append(frame)
            continue
        arrow = forms.ARROW.match(line)
        if arrow is not None and current.frames:
            last = current.frames[-1]
            row = last.row if last.row is not None and last.cell is None else int(arrow["row"])
            current.frames[-1] = TracebackFrame(
                last.path, row, last.function, arrow["line"].strip(" │") or None, last.cell
            )
            continue
        error = _error(line, bool(current.frames) or current.is_headed)
        if error is not None:
            if not error[1] and at < len(lines) and _only_announces(lines, at):
                announced = error[0]
                continue
            message, notes, at = _rest(error[1], lines, at)
            yield RaisedError(error[0], message, tuple(current.frames), notes)
            current = _Open()
    if current.frames:
        yield RaisedError(current.announced, "", tuple(current.frames))


def _announced(line: str) -> str:
    """The type of an error in the head of IPython's report."""
    before = line.partition("Traceback (most recent call last)")[0].strip()
    return before if before.isidentifier() else ""


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with the long paths made whole that rich breaks to the width of its frame."""
    start: str | None = None
    for line in lines:
        if start is not None:
            if forms.SPLIT_PATH_END.match(line):
                gap = " " if start.rstrip().endswith(" in") else ""
                yield f"{start.rstrip()}{gap}{line.strip()}"
                start = None
                continue
            yield start
            start = None
        if forms.SPLIT_PATH_START.match(line):
            start = line
        else:
            yield line
    if start is not None:
        yield start


def _started(before: _Open, line: str) -> _Open:
    """What begins with a head. One head right after another belongs to several processes that wrote at once."""
    if before.is_headed and before.frames:
        return before
    return _Open(is_headed=True)


def _only_announces(lines: Sequence[str], at: int) -> bool:
    """Whether a lone type of an error is the first line of IPython's report, whose error stands at the end."""
    return any(forms.HEAD.search(line) for line in lines[at : at + 2])


def _frame(line: str) -> TracebackFrame | None:
    for form in forms.FRAMES:
        found = form.match(line)
        if found is None:
            continue
        groups = found.groupdict()
        row = groups.get("row") or groups.get("row2")
        cell = groups.get("cell")
        in_cell = form is forms.CELL or cell is not None or forms.KERNEL.search(groups["path"])
        path = "" if in_cell else groups["path"].strip()
        function = (groups.get("function") or "").strip()
        return TracebackFrame(
            path, int(row) if row else None, function, groups.get("line"), int(cell) if cell else None
        )
    return None


def _with_line(frame: TracebackFrame, lines: Sequence[str], at: int) -> tuple[TracebackFrame, int]:
    """The frame with the source line that is quoted below it, if Python printed it; and where to go on."""
    if at >= len(lines) or frame.line is not None:
        return frame, at
    line = lines[at]
    is_code = line.startswith("    ") or (line.startswith("  ") and line.strip())
    is_other = (
        _frame(line)
        or forms.ARROW.match(line)
        or forms.NUMBERED.match(line)
        or forms.NOTE.match(line)
        or forms.HEAD.search(line)
    )
    if not is_code or is_other or (_error(line, True) is not None and not line.startswith("    ")):
        return frame, at
    at += 1
    while at < len(lines) and forms.CARETS.match(lines[at]):
        at += 1
    return TracebackFrame(frame.path, frame.row, frame.function, line.strip(), frame.cell), at


def _error(line: str, is_open: bool) -> tuple[str, str] | None:
    """The type and message of a line that names an error. Inside of a traceback, indentation does not matter."""
    found = forms.ERROR.match(line)
    if found is None and is_open:
        found = forms.INDENTED_ERROR.match(line)
    if found is None or (found["message"] is None and not is_open):
        return None
    return found["type"], (found["message"] or "").strip()


def notes_at(lines: Sequence[str], at: int) -> Iterator[str]:
    """The notes in the lines from there on, until something else comes."""
    while at < len(lines) and (note := forms.NOTE.match(lines[at])) is not None:
        yield note[1].strip()
        at += 1


def _rest(first: str, lines: Sequence[str], at: int) -> tuple[str, tuple[str, ...], int]:
    """The whole message with the lines that follow, the notes, and where to go on."""
    message, notes = [first], []
    start = at
    while at < len(lines) and at - start < _MOST_MESSAGE_LINES:
        line = lines[at]
        note = forms.NOTE.match(line)
        if note is not None:
            notes.append(note[1].strip())
        elif forms.HEAD.search(line) or forms.LINK.match(line) or _frame(line) or _error(line, False):
            break
        elif not notes:
            message.append(line.removeprefix("E  ").rstrip())
        elif line.strip():
            break
        at += 1
    return "\n".join(message).strip(), tuple(notes), at
