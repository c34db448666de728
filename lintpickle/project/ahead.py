"""Reading files ahead in several processes: each maps its share of them, and sends back what is to be kept.

Processes and not threads, for parsers hold the GIL; forked and not spawned, for a new interpreter costs more than it
would save on any but the largest trees. What comes back depends on the files' contents alone, so that the number of
processes changes nothing but the time.
"""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from lintpickle.profiling import Part, helped, running

BYTES_WORTH_A_PROCESS = 3_000_000
"""Below so many bytes of source, forking and sending back costs more than it saves (measured)."""

Kept: TypeAlias = "dict[bytes, bytes]"


def processes_for(jobs: int | None, size: int) -> int:
    """How many processes, this one included, read so many bytes of source. `jobs` is what the user allows; None lets
    the size of the work and the number of CPUs decide."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cpus if jobs is None else jobs, size // BYTES_WORTH_A_PROCESS))


def read_ahead(paths: Sequence[str], sizes: Sequence[int], processes: int, read: Callable[[list[str]], Kept]) -> Kept:
    """What `read` gives for the paths, all shares together. A process that fails, or cannot be started, takes nothing
    with it but its share: those files are then read as if they had not been read ahead."""
    first, *others = _shares(paths, sizes, processes)
    with running(Part.AHEAD):
        pipes = [started for share in others if (started := _start(share, read)) is not None]
        found = read(first)
        with helped(len(pipes)):
            for pid, pipe in pipes:
                with open(pipe, "rb") as file:
                    data = file.read()
                _, status = os.waitpid(pid, 0)
                if status == 0:
                    found.update(marshal.loads(data))
    return found


def _shares(paths: Sequence[str], sizes: Sequence[int], count: int) -> list[list[str]]:
    """The paths in shares of about the same size: the largest files first, each to the smallest share."""
    shares: list[list[str]] = [[] for _ in range(count)]
    totals = [0] * count
    for size, path in sorted(zip(sizes, paths, strict=True), reverse=True):
        smallest = totals.index(min(totals))
        shares[smallest].append(path)
        totals[smallest] += size
    return shares


def _start(share: list[str], read: Callable[[list[str]], Kept]) -> tuple[int, int] | None:
    """Fork a process that reads its share. Returns its number, and the end of the pipe from which its answer comes;
    None if the system has no process to spare."""
    receiving, sending = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(receiving)
        os.close(sending)
        return None
    if pid:
        os.close(sending)
        return pid, receiving
    code = 1
    try:
        os.close(receiving)
        with open(sending, "wb") as file:
            file.write(marshal.dumps(read(share)))
        code = 0
    finally:
        os._exit(code)
