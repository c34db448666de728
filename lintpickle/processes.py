"""Work in several processes: each gets a share, and sends back what comes of it.

Processes and not threads, for Python holds the GIL; forked and not spawned, so that they have what was read before, and
a new interpreter costs more than it would save on any but the largest trees.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from lintpickle.profiling import Part, helped, running

BYTES_WORTH_A_PROCESS = 3_000_000
"""Below so many bytes of source, forking and sending back costs more than it saves (measured)."""

_BATCHES_IN_A_SHARE = 4
_Share = TypeVar("_Share")


def processes_for(jobs: int | None, size: int) -> int:
    """How many processes, this one included, look at so many bytes of source. `jobs` is what the user allows; None lets
    the size of the work and the number of CPUs decide."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cpus if jobs is None else jobs, size // BYTES_WORTH_A_PROCESS))


def in_processes(shares: Sequence[_Share], work: Callable[[_Share], bytes]) -> list[bytes | None]:
    """What `work` gives for each share: for the first one in this process, for each other one in a process of its own.
    None for a share whose process failed or could not be started."""
    with running(Part.SHARE):
        started = [_start(share, work) for share in shares[1:]]
        found: list[bytes | None] = [work(shares[0])]
        with helped(len(started) - started.count(None)):
            found += [_received(*each) if each is not None else None for each in started]
    return found


def _received(pid: int, pipe: int) -> bytes | None:
    with open(pipe, "rb") as file:
        data = file.read()
    _, status = os.waitpid(pid, 0)
    return data if status == 0 else None


def in_shares(sizes: Mapping[str, int], count: int) -> list[list[str]]:
    """Paths in shares of about the same size, files of a folder together as far as that goes. In a share, paths are in
    the order of `sizes`."""
    batches = _batches(sizes, sum(sizes.values()) // (_BATCHES_IN_A_SHARE * count))
    totals = [0] * count
    share_of: dict[str, int] = {}
    for batch in sorted(batches, key=lambda batch: (-sum(map(sizes.__getitem__, batch)), batch)):
        share = totals.index(min(totals))
        totals[share] += sum(map(sizes.__getitem__, batch))
        share_of.update(dict.fromkeys(batch, share))
    shares: list[list[str]] = [[] for _ in range(count)]
    for path in sizes:
        shares[share_of[path]].append(path)
    return [share for share in shares if share]


def _batches(sizes: Mapping[str, int], most: int) -> list[list[str]]:
    """Paths of one folder each, of so many bytes at most if that are several."""
    batches: dict[str, list[list[str]]] = {}
    filled: dict[str, int] = {}
    for path, size in sizes.items():
        folder = os.path.dirname(path)
        if folder not in batches or filled[folder] + size > most:
            batches.setdefault(folder, []).append([])
            filled[folder] = 0
        batches[folder][-1].append(path)
        filled[folder] += size
    return [batch for folder in batches.values() for batch in folder]


def _start(share: _Share, work: Callable[[_Share], bytes]) -> tuple[int, int] | None:
    """Fork a process that works on a share. Returns its number, and the end of the pipe from which its answer comes;
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
            file.write(work(share))
        code = 0
    finally:
        os._exit(code)
