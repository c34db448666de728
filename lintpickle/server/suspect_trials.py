"""Trying the suspects of a fence one after the other, while documents are looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from lintpickle.server.buffers import Buffer
from lintpickle.server.fence import Fence
from lintpickle.server.worker import Worker


class SuspectTrials:
    """Tries those that are open or belong to the open projects, of which `files` gives the files. `let_in` is called in
    the worker's thread for a file that survives, then `tried` with the file and whether it does."""

    def __init__(
        self,
        fence: Fence,
        worker: Worker,
        buffers: Mapping[str, Buffer],
        files: Callable[[], Awaitable[frozenset[str]]],
        let_in: Callable[[str], None],
        tried: Callable[[str, bool], None],
    ) -> None:
        self._fence = fence
        self._worker = worker
        self._buffers = buffers
        self._files = files
        self._let_in = let_in
        self._tried = tried
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Have the suspects of the open projects tried, if they are not yet."""
        if self._task is None or self._task.done():
            suspect = await self._suspect()
            if suspect is not None:
                self._task = asyncio.create_task(self._try(suspect))

    def stop(self) -> None:
        """End what is going on."""
        if self._task is not None:
            self._task.cancel()

    async def _suspect(self) -> str | None:
        """A file that is to be tried: first of all one that is open, then one of the open projects."""
        waiting = self._fence.untried(self._buffers)
        if waiting is not None or not self._fence.is_trying:
            return waiting
        return self._fence.untried(await self._files())

    async def _try(self, suspect: str | None) -> None:
        while suspect is not None:
            path, buffer = suspect, self._buffers.get(suspect)
            document = buffer.document if buffer is not None and not path.endswith(".ipynb") else None
            survives = await self._fence.survives(path, document.text if document is not None else None)
            if survives:
                await self._worker.run(lambda path=path: self._let_in(path))  # type: ignore[misc]
            self._tried(path, survives)
            suspect = await self._suspect()
