"""What the client shows for each open document."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from lintpickle.server.buffers import Buffer
from lintpickle.server.client import Client
from lintpickle.server.convert import ClientConverter, Shown
from lintpickle.server.live_project import BufferResult
from lintpickle.server.shifting import carried_over


class Display:
    """Shows what was found to one client, which is told or asks. `converter` converts what was found in open text."""

    def __init__(self, server: LanguageServer, client: Client, converter: Callable[[], ClientConverter]) -> None:
        self._server = server
        self._client = client
        self._converter = converter
        self._shown: dict[str, Shown] = {}
        self._news = asyncio.Event()

    def of(self, path: str) -> Shown | None:
        """What was last shown for a document."""
        return self._shown.get(path)

    async def change(self) -> None:
        """Wait until something else is shown."""
        await self._news.wait()

    def show(self, shown: Shown) -> bool:
        """Show something new. True if the client, which asks for diagnostics, has seen something else before."""
        before = self._shown.get(shown.buffer.path)
        self._shown[shown.buffer.path] = shown
        self._news.set()
        self._news = asyncio.Event()
        if before is not None and before.buffer is shown.buffer and shown.same_as(before):
            return False
        if self._pushes(shown.buffer):
            self._publish(shown)
            return False
        return before is not None

    def close(self, buffer: Buffer) -> None:
        """Show nothing any more for a document."""
        self._shown.pop(buffer.path, None)
        if self._pushes(buffer):
            self._publish(Shown(buffer, (), whole=True))

    def as_before(self, buffer: Buffer) -> Shown:
        """What was shown for a document, as far as its text is the same now."""
        before = self._shown.get(buffer.path)
        if before is None or before.buffer.document is None or buffer.document is None:
            return Shown(buffer, (), whole=False)
        diagnostics = [finding.diagnostic for finding in before.findings]
        moved = carried_over(diagnostics, before.buffer.document, buffer.document)
        return self._converter().shown(BufferResult(buffer, tuple(moved), whole=False), show_syntax_errors=True)

    def _pushes(self, buffer: Buffer) -> bool:
        """Diagnostics of notebook cells are always pushed: clients do not ask for them."""
        return buffer.cells is not None or not self._client.pulls

    def _publish(self, shown: Shown) -> None:
        buffer = shown.buffer
        for uri in buffer.text_uris:
            self._server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, version=buffer.versions.get(uri), diagnostics=shown.of_text(uri))
            )
