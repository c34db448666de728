"""Telling the user how far the first look at a project is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from lintpickle.server.patience import patiently
from lintpickle.server.worker import Interrupted

_EVERY = 0.1
"""Seconds between two reports."""


class IndexProgress:
    """The progress of one index. `report` is called on the worker thread, everything else on the loop's."""

    def __init__(self, server: LanguageServer, token: str, check: Callable[[], None]) -> None:
        self._server = server
        self._token = token
        self._check = check
        self._loop = asyncio.get_running_loop()
        self._last = 0.0

    @classmethod
    async def begin(
        cls, server: LanguageServer, token: str, name: str, check: Callable[[], None]
    ) -> IndexProgress | None:
        """Show that work has begun. None if the client does not allow it."""
        progress = cls(server, token, check)
        await patiently(server.work_done_progress.create_async(token))
        if token not in server.work_done_progress.tokens:
            return None
        server.work_done_progress.begin(
            token,
            lsp.WorkDoneProgressBegin(title=f"lintpickle: reading {name}", percentage=0, cancellable=True),
        )
        return progress

    @property
    def cancelled(self) -> bool:
        """Whether the user has called it off."""
        future = self._server.work_done_progress.tokens.get(self._token)
        return future is not None and future.cancelled()

    def report(self, done: int, total: int) -> None:
        """Show how many of how many files have been read. Raises Interrupted when that is to end."""
        self._check()
        if self.cancelled:
            raise Interrupted
        now = time.monotonic()
        if now - self._last >= _EVERY:
            self._last = now
            self._loop.call_soon_threadsafe(self._show, done, total)

    def _show(self, done: int, total: int) -> None:
        self._server.work_done_progress.report(
            self._token,
            lsp.WorkDoneProgressReport(percentage=100 * done // max(total, 1), message=f"{done} of {total} files"),
        )

    def end(self) -> None:
        """Take it away."""
        self._server.work_done_progress.end(self._token, lsp.WorkDoneProgressEnd())
