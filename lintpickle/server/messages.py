"""What the user of an editor is told beside diagnostics: each thing once."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from lintpickle.defects import told
from lintpickle.diagnostics import LintpickleError
from lintpickle.escaping import one_line
from lintpickle.limits import Cut
from lintpickle.report.cuts import cut_remarks

log = logging.getLogger(__name__)


class Messages:
    """Tells the user of one client."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._told: set[str] = set()

    def forget(self) -> None:
        """Say again what was said before."""
        self._told.clear()

    def complain(self, error: LintpickleError | str) -> None:
        """Show what is wrong."""
        message = one_line(f"lintpickle: {error}")
        log.warning(message)
        if self._is_new(message):
            self._server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, message))

    def failed(self, error: Exception) -> None:
        """Show that lintpickle itself has failed: by an error that nobody foresaw."""
        log.error("lintpickle failed", exc_info=error)
        if self._is_new(repr(error)):  # wherever it was raised
            self.complain(
                f"{told(error)}. What was found before is still shown. This is a defect of lintpickle: please report "
                "this line, with the code if you can"
            )

    def cuts(self, cuts: Iterable[Cut], cwd: str) -> None:
        """Put into the client's log which limits were reached."""
        for remark in cut_remarks(cuts, cwd):
            message = one_line(remark)
            if self._is_new(message):
                self._server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, message))

    def _is_new(self, message: str) -> bool:
        is_new = message not in self._told
        self._told.add(message)
        return is_new
