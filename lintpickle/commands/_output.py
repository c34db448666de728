"""Where reports go: standard output or a file, in the right encoding; remarks on standard error; progress."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TextIO

import click

from lintpickle.diagnostics import LintpickleError
from lintpickle.escaping import one_line, steady
from lintpickle.terminal import Style, wants_color

PROGRESS_AFTER = 0.5
ESTIMATE_AFTER = 3
"""After so many seconds of a phase it is estimated what the rest of it takes."""
_BAR = 24
_MANY = 30
"""To judge so many files may take so long that it is said at once."""
_NARROWEST = 40
_WIDEST = 100


def write_report(
    text: str,
    path: Path | None,
    *,
    human: bool,
    stream: TextIO | None = None,
    color: bool = False,
    commands: bool = False,
) -> None:
    """Write a report to a file, or to `stream` (standard output). Raises `LintpickleError`.

    Files and formats for programs are UTF-8; a report for people takes the encoding of the terminal. On a stream,
    terminal control sequences are written only as `color` and `commands` allow (see `lintpickle.escaping`).
    """
    if path is not None:
        from lintpickle.fixes.write import refuse_link

        refuse_link(path)
        try:
            path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")
        except OSError as error:
            raise LintpickleError(f"{path}: cannot be written: {error.strerror or error}") from None
        return
    stream = stream or sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding=None if human else "utf-8", errors="backslashreplace")
    try:
        stream.write(steady(text, color=color, commands=commands))
        stream.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        raise LintpickleError(f"the output cannot be written: {error.strerror or error}") from None


def page_width() -> int:
    """The width of running text in columns: that of the terminal, but at most what is comfortable to read."""
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))


def paged(text: str, *, color: bool) -> None:
    """Write text for people to standard output; on a terminal that it does not fit on, through a pager."""
    if sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(steady(text, color=color))
    else:
        write_report(text, None, human=True, color=color)


def remark(text: str, *, label: str = "note", color: str = "auto") -> None:
    """One line on standard error."""
    style = Style(wants_color(color, sys.stderr, os.environ))
    paint = {"warning": style.warning, "error": style.error}.get(label, style.heading)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
    line = steady(f"{paint(label)}: {one_line(text)}", color=style.color)
    print(line, file=sys.stderr, flush=True)


class ProgressBar:
    """A bar on one line of a terminal, which appears when a run takes long and is gone afterwards.

    Call it with how many files have been read and how many there are, then `checking` with how many have been judged,
    or `stage` with how far the stages of judging have got. After a while it estimates what a stage still takes.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = time.monotonic()
        self._shown = ""
        self._phase, self._phase_started = "", self._started

    def __call__(self, done: int, total: int) -> None:
        if total > 0:
            self._show("reading", done, total, "files")

    def checking(self, done: int, total: int) -> None:
        """The files are read; so many of them have been judged. That is known of large programs only, which are judged
        in shares; of others, it is said that it goes on."""
        if done:
            self._show("checking", done, total, "files")
        elif total > 0:
            self._show_line(f"checking {total} files ...", at_once=total > _MANY)

    def stage(self, what: str, done: int, total: int) -> None:
        """So much of a stage of judging is done ("following boundaries")."""
        self._show(what, done, total)

    def _show(self, phase: str, done: int, total: int, noun: str = "") -> None:
        if phase != self._phase:
            self._phase, self._phase_started = phase, time.monotonic()
        filled = _BAR * min(done, total) // total
        counts = f"{phase} {done}/{total} {noun}".rstrip()
        self._show_line(f"[{'#' * filled}{'.' * (_BAR - filled)}] {counts}{self._estimate(done, total)}")

    def _estimate(self, done: int, total: int) -> str:
        """How long the phase still takes if it goes on as it has; nothing at its beginning."""
        taken = time.monotonic() - self._phase_started
        if taken < ESTIMATE_AFTER or done * 10 < total or done >= total:
            return ""
        left = taken * (total - done) / done
        return f", about {left:.0f} s left" if left < 90 else f", about {left / 60:.0f} min left"

    def _show_line(self, line: str, at_once: bool = False) -> None:
        if not at_once and time.monotonic() - self._started < PROGRESS_AFTER:
            return
        if line != self._shown:
            self._stream.write(f"\r{line.ljust(len(self._shown))}")
            self._stream.flush()
            self._shown = line

    def close(self) -> None:
        """Wipe the bar away."""
        if self._shown:
            self._stream.write("\r" + " " * len(self._shown) + "\r")
            self._stream.flush()
            self._shown = ""
