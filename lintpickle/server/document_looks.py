"""Looking at an edited document alone: it gets an answer at once, and soon a provisional one if that takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pygls.lsp.server import LanguageServer

from lintpickle.diagnostics import LintpickleError
from lintpickle.server.buffers import Buffer
from lintpickle.server.client import Client
from lintpickle.server.convert import Shown
from lintpickle.server.display import Display
from lintpickle.server.messages import Messages
from lintpickle.server.worker import Worker

INTERIM_DELAY = 0.4
"""Seconds after which an edited document that takes longer gets what was shown before, moved to where it is now."""


class DocumentLooks:
    """Looks at documents for one client, and displays what is found in them."""

    def __init__(
        self, server: LanguageServer, client: Client, worker: Worker, display: Display, messages: Messages
    ) -> None:
        self._server = server
        self._client = client
        self._worker = worker
        self._display = display
        self._messages = messages

    async def look_at(
        self, buffer: Buffer, quick: Callable[[Buffer], Shown], is_current: Callable[[Buffer], bool]
    ) -> bool:
        """Look at a document, and show what `quick` finds if it is still the present version (`is_current`). False if
        something urgent came in between."""
        self._worker.calm()
        looking = asyncio.ensure_future(self._worker.run_brief(lambda: quick(buffer)))
        is_interim = await self._show_meanwhile(buffer, looking, is_current)
        try:
            shown = await looking
        except LintpickleError as error:
            self._messages.complain(error)
            shown = Shown(buffer, (), whole=True)
        except Exception as error:
            # Whatever went wrong with one document, it gets an answer, and so do all others.
            self._messages.failed(error)
            shown = self._display.as_before(buffer)
        if shown is None:
            return False
        if is_current(buffer) and self._display.show(shown) and is_interim and self._client.pulls:
            self._server.workspace_diagnostic_refresh(None)
        return True

    async def _show_meanwhile(
        self, buffer: Buffer, looking: asyncio.Future[Shown | None], is_current: Callable[[Buffer], bool]
    ) -> bool:
        """Show what was shown before, if looking at a document takes long. Gives whether it was shown."""
        done, _ = await asyncio.wait({looking}, timeout=INTERIM_DELAY)
        if done or self._display.of(buffer.path) is None or not is_current(buffer):
            return False
        self._display.show(self._display.as_before(buffer))
        return True
