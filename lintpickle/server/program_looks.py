"""Looking at a whole program: the user sees how far that is, and is told what went wrong."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable, Sequence

from pygls.lsp.server import LanguageServer

from lintpickle.defects import reports
from lintpickle.diagnostics import LintpickleError
from lintpickle.server.buffers import Buffer
from lintpickle.server.client import Client
from lintpickle.server.convert import Shown
from lintpickle.server.display import Display
from lintpickle.server.live_project import BufferResult, LiveProject
from lintpickle.server.messages import Messages
from lintpickle.server.progress import IndexProgress
from lintpickle.server.watching import PackageWatch
from lintpickle.server.worker import Worker


class ProgramLooks:
    """Looks at programs for one client, and displays what is found in them."""

    def __init__(
        self, server: LanguageServer, client: Client, worker: Worker, display: Display, messages: Messages
    ) -> None:
        self.paused = False
        """Whether the user has cancelled a look, and nothing has been asked for since."""
        self._server = server
        self._client = client
        self._worker = worker
        self._display = display
        self._messages = messages
        self._tokens = itertools.count(1)
        self._packages = PackageWatch()

    async def look_at(
        self,
        project: LiveProject,
        buffers: Sequence[Buffer],
        shown_of: Callable[[LiveProject, Sequence[BufferResult]], list[Shown]],
        is_current: Callable[[Buffer], bool],
    ) -> bool:
        """Look at one project as a whole. False if an edit came in between. `shown_of` converts what is found in these
        buffers; `is_current` says whether one is still the present version of its document."""
        progress = None
        if self._client.progress and not project.indexed:
            token = f"lintpickle-index-{next(self._tokens)}"
            progress = await IndexProgress.begin(self._server, token, project.root.name, self._worker.check)

        def job() -> list[Shown]:
            gc.collect()  # what a look that was interrupted has left
            results: list[BufferResult] = []
            try:
                results = project.whole(buffers, progress.report if progress is not None else self._report)
                for defect in reports(project.defects, str(project.root)):
                    self._messages.complain(defect)
                self._messages.cuts(project.cuts, str(project.root))
            except LintpickleError as error:
                self._messages.complain(error)
            except Exception as error:
                self._messages.failed(error)
            folders.extend(project.package_folders)
            return shown_of(project, results)

        folders: list[str] = []
        try:
            found = await self._worker.run_long(job)
        finally:
            if progress is not None:
                progress.end()
        if found is None:
            self.paused = progress is not None and progress.cancelled
            return self.paused
        news = [shown for shown in found if is_current(shown.buffer)]
        changed = [self._display.show(shown) for shown in news]
        await self._worker.run_long(gc.collect)
        self._watch(folders)
        if self._client.pulls and any(changed):
            self._server.workspace_diagnostic_refresh(None)
        return True

    def _watch(self, folders: Sequence[str]) -> None:
        """Have the client tell when something is installed in one of these folders."""
        if self._client.watches_folders:
            registration = self._packages.of(folders)
            if registration is not None:
                self._server.client_register_capability(registration)

    def _report(self, done: int, total: int) -> None:
        self._worker.check()
