"""The files that a language server leaves out because an earlier one was killed while it worked at them.

Nothing else waits for them: other documents are looked at, and meanwhile each suspect is tried in another process. One
that survives is let in, on probation (see `lintpickle.engine.suspects`).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Collection, Mapping

from lintpickle.cache.store import CacheStore
from lintpickle.engine.fences import EARLIER, LastingMarker, judged, trial
from lintpickle.engine.suspects import Suspect, suspects

log = logging.getLogger(__name__)


class Fence:
    """What `store` says of earlier servers. `marker` is the marker of this one."""

    def __init__(self, store: CacheStore | None, marker: LastingMarker) -> None:
        usable = store is not None and os.name == "posix" and store.problem() is None
        found = suspects(store) if store is not None and usable else []
        self._marker = marker
        self._untried: dict[str, Suspect] = {}
        for suspect in found:
            # Of a crash more is known than of a kill, so it decides how the suspect is tried.
            if suspect.path not in self._untried or suspect.crashed:
                self._untried[suspect.path] = suspect
        self._all = found
        self._left_out = {suspect.path: EARLIER for suspect in found}
        for suspect in found:
            if suspect.guilty:
                self._untried.pop(suspect.path, None)
        self._process: asyncio.subprocess.Process | None = None

    @property
    def left_out(self) -> Mapping[str, str]:
        """The files that are left out at the moment, with what is said of them."""
        return self._left_out

    @property
    def is_trying(self) -> bool:
        """Whether there are suspects that were not tried yet."""
        return bool(self._untried)

    def awaits(self, path: str) -> bool:
        """Whether it will soon be known if a file is left out: whoever wants to see something of it had better wait."""
        suspect = self._untried.get(path)
        return suspect is not None and not suspect.crashed

    def untried(self, paths: Collection[str]) -> str | None:
        """One of these files that is to be tried."""
        return next((path for path in self._untried if path in paths), None)

    async def survives(self, path: str, text: str | None) -> bool:
        """Whether a process is not killed that works at a file, with its text or as it is on the disk."""
        suspect = self._untried[path]
        try:
            return judged(suspect, await self._try(suspect, text))
        except OSError:
            log.exception("lintpickle could not try %s", path)
            return False
        finally:
            self._untried.pop(path)

    def let_in(self, path: str) -> None:
        """Leave a file out no longer. To be called in the thread that reads `left_out`."""
        self._marker.put_on_probation(path)
        self._left_out.pop(path)
        for each in self._all:
            if each.path == path:
                each.acquit()

    async def _try(self, suspect: Suspect, text: str | None) -> int:
        quiet = asyncio.subprocess.DEVNULL
        given = asyncio.subprocess.PIPE if text is not None else quiet
        command = trial(suspect, text)
        self._process = await asyncio.create_subprocess_exec(*command, stdin=given, stdout=quiet, stderr=quiet)
        await self._process.communicate(text.encode("utf-8", "surrogatepass") if text is not None else None)
        code = self._process.returncode
        assert code is not None
        self._process = None
        return code

    def stop(self) -> None:
        """End a trial that is under way."""
        if self._process is not None:
            try:
                self._process.kill()
            except ProcessLookupError:
                return
