"""The comments that hide findings from `lintpickle check`. A boundary is not ready because of a comment: here such a
finding counts, and it is told where the comment stands."""

from __future__ import annotations

from lintpickle.diagnostics import Diagnostic
from lintpickle.engine.single_files import SingleFiles
from lintpickle.migration.model import Spot
from lintpickle.rulebook.known_rules import codes_by_name
from lintpickle.suppressions.comments import Suppressions


class HidingComments:
    """The comments of the files of a project."""

    def __init__(self, files: SingleFiles) -> None:
        self._files = files
        self._known: dict[str, Suppressions] = {}

    def at(self, diagnostic: Diagnostic) -> Spot | None:
        """Where the comment stands that hides a diagnostic; None if there is none."""
        path = diagnostic.location.path
        document = self._files.document(path)
        if document is None:
            return None
        if path not in self._known:
            self._known[path] = Suppressions.parse(document)
        comment = self._known[path].hiding(codes_by_name())(diagnostic)
        return Spot.of(document.location(comment.span)) if comment is not None else None
