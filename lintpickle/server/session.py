"""What is open, what is shown for it, and when it is looked at again.

After an edit, the edited document is looked at alone at once; when the user pauses, the whole program is. Documents
that arrive while one is being looked at wait, and only the newest version of each is taken.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from pygls.lsp.server import LanguageServer

from lintpickle.cache.store import CacheStore
from lintpickle.diagnostics import LintpickleError
from lintpickle.engine.fences import LastingMarker
from lintpickle.server.buffers import Buffer
from lintpickle.server.client import Client, ClientSettings
from lintpickle.server.convert import ClientConverter, Edits, Shown
from lintpickle.server.display import Display
from lintpickle.server.document_looks import DocumentLooks
from lintpickle.server.fence import Fence
from lintpickle.server.live_project import BufferResult, LiveProject
from lintpickle.server.messages import Messages
from lintpickle.server.positions import Units
from lintpickle.server.program_looks import ProgramLooks
from lintpickle.server.projects import Projects
from lintpickle.server.suspect_trials import SuspectTrials
from lintpickle.server.worker import Interrupted, Worker
from lintpickle.source.document import Document

QUICK_DELAY = 0.005
"""Seconds that an edit waits for those that come with it."""
WHOLE_DELAY = 0.25
"""Seconds without an edit after which the whole program is looked at."""
START_SECONDS = 5.0
"""So long may a client take to say that it is ready. One that never says so is shown nothing."""

OptionValue = TypeVar("OptionValue")
log = logging.getLogger(__name__)


class ClientSession:
    """The session with one client, from its settings to its end."""

    def __init__(
        self,
        server: LanguageServer,
        client: Client,
        units: Units,
        folders: Sequence[Path],
        pause: Callable[[], None] = lambda: None,
        store: CacheStore | None = None,
    ) -> None:
        self.client = client
        self.settings = ClientSettings()
        self.buffers: dict[str, Buffer] = {}
        self._server = server
        self._units = units
        self._folders = tuple(folders)
        self._worker = Worker(pause)
        self._marker = self._worker.at_once(lambda: LastingMarker(store))
        self._fence = Fence(store, self._marker)
        self._projects = Projects(self.settings, self._folders, self._worker.check, self._fence.left_out)
        self._display = Display(server, client, self.converter)
        self._dirty: dict[str, None] = {}
        self._closed: dict[str, None] = {}
        self._stale: set[str] = set()
        self._disk = False
        self._edited = 0.0
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._messages = Messages(server)
        self._trials = SuspectTrials(self._fence, self._worker, self.buffers, self._files, self._let_in, self._tried)
        self._document_looks = DocumentLooks(server, client, self._worker, self._display, self._messages)
        self._program_looks = ProgramLooks(server, client, self._worker, self._display, self._messages)

    @property
    def folder(self) -> Path:
        """Where untitled documents are taken to be."""
        return self._folders[0] if self._folders else Path.cwd()

    def start(self, settings: ClientSettings) -> None:
        """Take the user's settings, the first ones or new ones, and look at everything with them."""
        self.settings = settings
        self._projects = Projects(settings, self._folders, self._worker.check, self._fence.left_out)
        self._messages.forget()
        self._program_looks.paused = False
        self._dirty.update(dict.fromkeys(self.buffers))
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        self._call()

    def stop(self) -> None:
        """End all work."""
        self._marker.remove()
        self._worker.close()
        self._fence.stop()
        if self._task is not None:
            self._task.cancel()
        self._trials.stop()

    def put(self, buffer: Buffer) -> None:
        """Take a document that was opened or changed."""
        self.buffers[buffer.path] = buffer
        self._dirty[buffer.path] = None
        self._edited = time.monotonic()
        self._call()

    def close(self, path: str) -> None:
        """Forget a document; the file on disk counts again."""
        buffer = self.buffers.pop(path, None)
        self._dirty.pop(path, None)
        self._stale.discard(path)
        if buffer is not None:
            self._closed[path] = None
            self._display.close(buffer)
        self._call()

    def look_at_disk(self) -> None:
        """Something may have changed on disk."""
        self._disk = True
        self._program_looks.paused = False
        self._call()

    def _call(self) -> None:
        """Have the task look, even if that ends a look at a whole program."""
        self._worker.hurry()
        self._wake.set()

    async def shown(self, path: str) -> Shown | None:
        """What is shown for a document as it is now; None if it is not open."""
        while path in self.buffers:
            shown = self._display.of(path)
            if shown is not None and shown.buffer is self.buffers[path]:
                return shown
            try:
                await asyncio.wait_for(self._display.change(), None if self._task is not None else START_SECONDS)
            except asyncio.TimeoutError:
                return None
        return None

    async def fix_all(self, path: str) -> tuple[Buffer, Edits]:
        """The edits that fix all that may be fixed in a document, and the version of it that they are for."""
        buffer = self.buffers[path]

        def job() -> Edits:
            project = self._projects.of(path)
            return self.converter(project).edits(buffer, project.fixed(buffer))

        return buffer, await self._asked({}, job)

    async def describe(self) -> list[dict[str, object]]:
        """What a bug report needs to know about the projects."""
        return await self._worker.run(lambda: [project.describe() for project in self._projects.all()])

    async def migration(self) -> str:
        """What still depends on fork in the workspace, as its files are saved: the report of `lintpickle migrate` in
        Markdown. Raises `LintpickleError` for bad settings."""
        from lintpickle.server.migrating import report_on

        return await self._worker.run(lambda: report_on(self.folder, self._worker.check))

    def failed(self, error: Exception) -> None:
        """Tell the user of an error that nobody foresaw."""
        self._messages.failed(error)

    def converter(self, project: LiveProject | None = None) -> ClientConverter:
        """The converter for this client; without a project, for results that concern no other file."""

        def document_of(path: str) -> Document | None:
            return project.document(path) if project is not None else None

        return ClientConverter(self.client, self._units, self.buffers.get, document_of)

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            await asyncio.sleep(QUICK_DELAY)
            self._worker.calm()
            try:
                await self._work()
            except Interrupted:
                return
            except Exception:
                # Whatever went wrong with one document must not end the session with all others.
                log.exception("lintpickle could not look at what changed")

    async def _work(self) -> None:
        while self._closed:
            path, _ = self._closed.popitem()
            await self._asked(None, lambda path=path: self._projects.of(path).close(path))  # type: ignore[misc]
            self._stale.update(self.buffers)
        while self._dirty:
            path, _ = self._dirty.popitem()
            if path in self.buffers:
                await self._look_at(self.buffers[path])
        await self._trials.begin()
        if self._disk:
            self._disk = False
            if await self._asked(True, self._projects.look_at_disk):
                self._stale.update(self.buffers)
                self._dirty.update(dict.fromkeys(self.buffers))
                self._wake.set()
                return
        if self._stale and not self._program_looks.paused:
            await self._look_at_programs()

    async def _files(self) -> frozenset[str]:
        """The files of the open projects."""
        none: list[frozenset[str]] = []
        files = await self._asked(none, lambda: [project.files for project in self._projects.all()])
        return frozenset().union(*files)

    def _tried(self, suspect: str, survives: bool) -> None:
        """Look again at what it concerns that a suspect was tried."""
        if survives:
            self._stale.update(self.buffers)
        self._dirty.update(dict.fromkeys({suspect}.intersection(self.buffers)))
        self._call()

    def _let_in(self, path: str) -> None:
        self._fence.let_in(path)
        self._projects.let_in(path)

    async def _look_at(self, buffer: Buffer) -> None:
        if self._fence.awaits(buffer.path):
            return
        has_had_time = await self._document_looks.look_at(buffer, self._quick, self._is_current)
        if not self._is_current(buffer):
            return
        if has_had_time:
            self._stale.add(buffer.path)
        else:
            self._dirty[buffer.path] = None

    def _quick(self, buffer: Buffer) -> Shown:
        if not self.settings.enable:
            return Shown(buffer, (), whole=True)
        project = self._projects.of(buffer.path)
        [shown] = self._shown_of(project, [project.quick(buffer)])
        return shown

    def _shown_of(self, project: LiveProject, results: Sequence[BufferResult]) -> list[Shown]:
        converter = self.converter(project)
        return [converter.shown(result, self.settings.show_syntax_errors) for result in results]

    def _is_current(self, buffer: Buffer) -> bool:
        """Whether it is the present version of an open document."""
        return self.buffers.get(buffer.path) is buffer

    async def _look_at_programs(self) -> None:
        none: list[tuple[LiveProject, list[Buffer]]] = []
        for project, buffers in await self._asked(none, self._stale_projects):
            if project.indexed and await self._edited_within(WHOLE_DELAY):
                self._wake.set()
                return
            if not await self._program_looks.look_at(project, buffers, self._shown_of, self._is_current):
                self._wake.set()
                return
            self._stale.difference_update(buffer.path for buffer in buffers)

    async def _edited_within(self, seconds: float) -> bool:
        """Whether an edit comes before the user has paused for so long."""
        rest = self._edited + seconds - time.monotonic()
        if rest <= 0:
            return self._wake.is_set()
        try:
            await asyncio.wait_for(self._wake.wait(), rest)
        except asyncio.TimeoutError:
            return False
        return True

    def _stale_projects(self) -> list[tuple[LiveProject, list[Buffer]]]:
        groups: dict[Path, tuple[LiveProject, list[Buffer]]] = {}
        for buffer in list(self.buffers.values()):
            if self._fence.awaits(buffer.path):
                continue
            project = self._projects.of(buffer.path)
            groups.setdefault(project.root, (project, []))[1].append(buffer)
        if not self.settings.enable:
            return []
        return [group for group in groups.values() if any(buffer.path in self._stale for buffer in group[1])]

    async def _asked(self, otherwise: OptionValue, job: Callable[[], OptionValue]) -> OptionValue:
        """The result of an urgent job; `otherwise` if the user's settings do not allow it or if it fails: the user is
        told why."""
        try:
            return await self._worker.run(job)
        except LintpickleError as error:
            self._messages.complain(error)
        except Exception as error:
            self._messages.failed(error)
        return otherwise
