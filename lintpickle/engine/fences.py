"""Which files a run leaves out because they kill who works at them, as earlier runs have found out.

A suspect (see `lintpickle.engine.suspects`) need not be guilty: who was killed by hand was working at some file, too.
Where another process stands by, the run works at it on probation: if it is killed there, the other one does the work
again without that file. Elsewhere, a separate process tries the suspect first.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

from lintpickle.cache.store import CacheStore
from lintpickle.engine.suspects import FileMarker, Suspect, make_marker, suspects
from lintpickle.marker import marking_also, use
from lintpickle.standby import is_guarded, lost

EARLIER = "an earlier run was killed while it worked at it"

ALONE_SECONDS = 60
"""On the clock, to read a file and to judge it with what it imports."""
WHOLE_SECONDS = 600
"""To judge it with the whole program."""

_TRIAL = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from lintpickle.engine.trial import stand_trial
stand_trial(sys.argv[2], sys.argv[3] == "whole", int(sys.argv[4]), sys.argv[5] == "given")
"""


@contextmanager
def fenced(store: CacheStore | None, paths: Collection[str]) -> Iterator[Mapping[str, str]]:
    """Those of the paths that are to be left out, with what is said of them. Inside of the `with` block, this process
    notes what it works at; a suspect that does not kill it is none any more."""
    if store is None or os.name != "posix" or not store.prepare():
        yield lost()
        return
    out = dict(lost())
    on_probation = []
    among = frozenset(paths)
    for suspect in suspects(store):
        if suspect.path not in among or suspect.path in lost():
            continue
        if suspect.guilty or suspect.path in out or not (is_guarded() or survives(suspect)):
            out[suspect.path] = EARLIER
        else:
            on_probation.append(suspect)
    own = make_marker(store)
    if own is None:
        yield out
        return
    own.marker.on_probation.update(suspect.path for suspect in on_probation)
    try:
        with marking_also(own.marker):
            yield out
    finally:
        own.remove()
    for suspect in on_probation:
        suspect.acquit()


def survives(suspect: Suspect) -> bool:
    """Whether a process that works at a suspect is not killed, and ends in time. A suspect that kills it is convicted,
    one that does not is not acquitted yet."""
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(trial(suspect, None), stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    except OSError:
        return True
    return judged(suspect, done.returncode)


def trial(suspect: Suspect, text: str | None) -> list[str]:
    """The command of a process that works at a suspect: with the whole program, if a process crashed at it, otherwise
    alone. It ends by itself. With a text, that is what it expects from its standard input, and works at."""
    known = json.dumps([each for each in sys.path if os.path.isabs(each)])
    how, seconds = ("whole", WHOLE_SECONDS) if suspect.crashed else ("alone", ALONE_SECONDS)
    given = "given" if text is not None else "disk"
    return [sys.executable, "-I", "-c", _TRIAL, known, suspect.path, how, str(seconds), given]


def judged(suspect: Suspect, code: int) -> bool:
    """Whether a trial that ended with this code was survived. Who kills the process that tries is convicted; not so who
    takes it too long, which may be no fault of the file."""
    if code == -signal.SIGALRM:
        return False
    if code < 0:
        suspect.convict()
    return code >= 0


class LastingMarker:
    """Has this thread note what it works at for as long as the process lives, for `suspects` of the next one."""

    def __init__(self, store: CacheStore | None) -> None:
        usable = store is not None and os.name == "posix" and store.prepare()
        self._own: FileMarker | None = make_marker(store, watching=True) if store is not None and usable else None
        if self._own is not None:
            use(self._own.marker)

    def put_on_probation(self, path: str) -> None:
        """From now on, this process works at a suspect."""
        if self._own is not None:
            self._own.marker.on_probation.add(path)

    def remove(self) -> None:
        """The process ends as it should."""
        if self._own is not None:
            self._own.remove()
