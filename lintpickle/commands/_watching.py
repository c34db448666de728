"""`lintpickle check --watch`: check again whenever a file changes, and keep the rest in memory."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection
from pathlib import Path

import click
from msgspec.structs import replace

from lintpickle import disk
from lintpickle.commands._answer import new_findings, report, tell_failures, tell_lost
from lintpickle.commands._output import remark
from lintpickle.commands._request import Request, read_source
from lintpickle.diagnostics import Diagnostic, LintpickleError, Outcome
from lintpickle.engine.roots import projects
from lintpickle.limits import merged
from lintpickle.report import get_format
from lintpickle.session import Session
from lintpickle.settings.resolver import OWN_NAMES, SHARED_NAME
from lintpickle.source.discovery import SUFFIXES, discover
from lintpickle.source.document import Document, UnreadableSource, read_document
from lintpickle.source.ignores import IGNORE_FILES

_CLEAR = "\033[2J\033[3J\033[H"
_WAIT = 200
"""Milliseconds without a change after which watching yields."""

_CONFIGURATION = frozenset({*OWN_NAMES, SHARED_NAME, *IGNORE_FILES})


def watch(request: Request) -> int:
    """Check, and again after every change, until interrupted. Returns the exit code.

    Raises `LintpickleError` when the optional package is missing, and for bad input at the start.
    """
    try:
        from watchfiles import watch as changes_in
    except ImportError:
        raise LintpickleError(
            "--watch needs the package watchfiles: install it with `python -m pip install 'lintpickle[watch]'`"
        ) from None
    watched = Watched(request)
    try:
        while True:
            folders = watched.folders()
            # It yields when nothing happens, too: the first time, everything is checked, and no change is missed.
            batches = changes_in(*folders, rust_timeout=_WAIT, yield_on_timeout=True, raise_interrupt=True)
            for number, batch in enumerate(batches):
                changed = {path for _, path in batch if is_relevant(path)}
                if changed or number == 0:
                    _show(watched, changed)
                if watched.folders() != folders:
                    break
    except KeyboardInterrupt:
        return 0


def is_relevant(path: str) -> bool:
    """Whether a change of that file can change the result."""
    return path.endswith(SUFFIXES) or os.path.basename(path) in _CONFIGURATION


class Watched:
    """The projects of a request, kept in memory as long as no file comes or goes and no configuration changes."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._sessions: list[Session] = []
        self._notices: tuple[str, ...] = ()
        self._roots: set[Path] = set()
        self._start()

    def folders(self) -> tuple[Path, ...]:
        """What to watch: the folders of the projects, or the working folder if there are none."""
        roots = self._roots or {self.request.resolver.cwd}
        return tuple(sorted(root for root in roots if not roots & set(root.parents)))

    def outcome(self, changed: Collection[str] = ()) -> Outcome:
        """The report after these files (absolute paths) changed.

        Raises `LintpickleError`; the next call then reads everything again.
        """
        overlay: dict[str, Document] = {}
        known = {path for session in self._sessions for path in session.files}
        try:
            if not known.issuperset(changed):
                self._sessions = []
            with disk.at_most(self.request.resolver.for_run().max_file_size):
                overlay = {path: read_document(path) for path in changed if path in known}
        except UnreadableSource:
            self._sessions = []
        if not self._sessions:
            self._start()
            overlay = {}
        found: list[Diagnostic] = []
        for session in self._sessions:
            mine = {path: document for path, document in overlay.items() if path in session.files}
            found.extend(each for group in session.diagnostics(mine).values() for each in group)
        files = sum(len(session.reported) for session in self._sessions)
        defects = tuple(each for session in self._sessions for each in session.defects)
        return Outcome(
            tuple(found),
            notices=self._notices,
            files=files,
            defects=defects,
            held_back=sum(session.held_back for session in self._sessions),
            cuts=merged(each for session in self._sessions for each in session.cuts),
            unread=tuple(each for session in self._sessions for each in session.unread),
        )

    def _start(self) -> None:
        self.request = replace(self.request, resolver=self.request.resolver.renewed())
        resolver = self.request.resolver
        discovered = discover(self.request.paths, resolver)
        named = [folder for path in self.request.paths if (folder := resolver.cwd / path).is_dir()]
        self._notices = discovered.notices
        self._sessions = [Session(project, resolver) for project in projects(discovered.files, resolver, named)]
        self._roots = {session.root for session in self._sessions}


def _show(watched: Watched, changed: Collection[str]) -> None:
    """Check and report. A faulty configuration is reported, and watching continues."""
    request = watched.request
    started = time.monotonic()
    try:
        outcome = watched.outcome(changed)
        request = watched.request
        outcome = new_findings(request, outcome, source=read_source)
        if sys.stdout.isatty() and get_format(request.resolver.for_run().output_format).human:
            click.echo(_CLEAR, nl=False)
        report(request, outcome, source=read_source)
        if request.verbose:
            tell_lost(request, outcome)
        tell_failures(request, outcome)
        took = f"checked in {time.monotonic() - started:.2f} s, "
    except LintpickleError as error:
        remark(str(error), label="error", color=request.color)
        took = ""
    if not request.quiet:
        remark(f"{took}watching for changes; Ctrl-C ends it", color=request.color)
