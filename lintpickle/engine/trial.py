"""The trial of a file at which an earlier process was killed: the main function of a process that may be killed too."""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path

from lintpickle.diagnostics import LintpickleError
from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import Project, project_root
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import UnreadableSource, document_from_text, read_document

_NICENESS = 10


def stand_trial(path: str, whole: bool, seconds: int, given: bool) -> None:
    """Work at a file as an analysis does: read all of it, and judge it with what it imports, or with the `whole`
    program. Its text comes from the standard input, if it is `given`. The process aborts where an analysis gives the
    file up for lack of time or memory, and is killed by SIGALRM after some seconds on the clock."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)
    os.nice(_NICENESS)
    text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass") if given else None
    try:
        gave_up = _gives_up(path, whole, text)
    except (LintpickleError, UnreadableSource):
        return
    if gave_up:
        os.abort()


def _gives_up(path: str, whole: bool, text: str | None) -> bool:
    resolver = SettingsResolver(cwd=Path(path).parent, isolated=True, overrides={"pedantic": True})
    root = project_root(Path(path), resolver)
    settings = resolver.for_folder(root)
    _bound_memory(2_000_000 * settings.max_memory)
    document = document_from_text(text, path) if text is not None else read_document(path)
    project = Project(root, settings, (path,))
    analysis = Analysis(project, resolver, None if whole else (path,))
    analysis.read_all(path, document)
    analysis.diagnostics()
    return path in analysis.given_up


def _bound_memory(size: int) -> None:
    """Have the system see to it that this process gets no more memory, for code that cannot be interrupted."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most in (resource.RLIM_INFINITY, -1) or most > size:
        resource.setrlimit(resource.RLIMIT_DATA, (size, most))
