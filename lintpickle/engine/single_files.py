"""What is asked of single files of a program: of those that this run has read, and of those that an earlier run has."""

from __future__ import annotations

import re

from msgspec.structs import replace

from lintpickle.diagnostics import Confidence, Diagnostic
from lintpickle.engine.earlier_run import EarlierRun
from lintpickle.engine.file_findings import not_analysed, syntax_error
from lintpickle.engine.snapshots import Broken, PinnedBy
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.program.module import Unread
from lintpickle.program.program import Program
from lintpickle.source.document import Document, UnreadableSource, read_document
from lintpickle.suppressions.applying import may_suppress

_PIN = re.compile(
    r"""(\b(?:set_start_method|get_context)\(\s*["']fork["']|\bFork(?:Context|Process)\b)|"""
    r"""\b\w*(?:context|method)\s*=\s*["']fork["']"""
)
"""How code asks for fork, as a rule: by a call or a class (the group), or by an argument or a setting."""


class SingleFiles:
    """The files of one run."""

    def __init__(self, program: Program, earlier: EarlierRun, purposes: FilePurposes) -> None:
        self._program = program
        self._earlier = earlier
        self._purposes = purposes

    def document(self, path: str) -> Document | None:
        """The document of a reported file; None if it could not be read."""
        known_broken = self._earlier.broken.get(path)
        is_read = self._earlier.snapshot is None or self._program.is_read(path)
        if is_read or (known_broken is not None and known_broken.unread):
            return self._program.file_survey.document(path)
        try:
            return read_document(path)
        except UnreadableSource:
            return None

    def broken(self, path: str) -> Broken | None:
        """The diagnostic of a file if it has a syntax error."""
        if path in self._earlier.broken and path not in self._program.given:
            return self._earlier.broken[path]
        module = self._program.known(path)
        if isinstance(module, Unread):
            return Broken(self._syntax_error(module), True)
        if module is None or module.facts.broken is None:
            return None
        unread = Unread.for_broken(path, module.facts.broken, module.document)
        return Broken(self._syntax_error(unread), False)

    def _syntax_error(self, unread: Unread) -> Diagnostic:
        """The diagnostic of a file that cannot be read. It is only possible for tests, examples and docs, which may
        contain text that is not Python."""
        if unread.given_up:
            return not_analysed(unread.path, unread.reason)
        said = syntax_error(unread)
        return said if self._purposes.is_library(unread.path) else replace(said, confidence=Confidence.POSSIBLE)

    def may_suppress(self, path: str) -> bool:
        """Whether a comment in a reported file can concern a rule of lintpickle."""
        snapshot = self._earlier.snapshot
        if snapshot is not None and not self._program.is_read(path):
            return path in snapshot.commented
        document = self.document(path)
        return document is not None and may_suppress(document)

    def pin(self, path: str) -> PinnedBy | None:
        """How a file of the library asks for fork by its name; None if it does not."""
        snapshot = self._earlier.snapshot
        if snapshot is not None and not self._program.is_read(path):
            return snapshot.pins.get(path)
        document = self.document(path) if self._purposes.is_library(path) else None
        if document is None or "fork" not in document.text:
            return None
        found = [match[1] is not None for match in _PIN.finditer(document.text)]
        return None if not found else "by call" if any(found) else "by setting"
