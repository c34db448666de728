"""Work in several processes: each gets a share, and sends back what comes of it.

Processes and not threads, for Python holds the GIL; forked and not spawned, so that they have what was read before, and
a new interpreter costs more than it would save on any but the largest trees.
"""

from __future__ import annotations

import os
import selectors
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from lintpickle.marker import Marker, marking
from lintpickle.profiling import Part, Sheet, helped, helping, running, take_over

BYTES_WORTH_A_PROCESS = 3_000_000
"""Below so many bytes of source, forking and sending back costs more than it saves (measured)."""

_CHUNK = 1 << 20
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[bytes, Sheet])
_Share = TypeVar("_Share")
_Taken = TypeVar("_Taken")


def may_share(jobs: int | None) -> bool:
    """Whether work may be done in other processes than this one."""
    return jobs != 1 and hasattr(os, "fork") and threading.active_count() == 1


def processes_for(jobs: int | None, size: int) -> int:
    """How many processes look at so many bytes of source at once. `jobs` is what the user allows; None lets the size of
    the work and the number of CPUs decide."""
    if not may_share(jobs):
        return 1
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cpus if jobs is None else jobs, size // BYTES_WORTH_A_PROCESS))


def in_processes(
    shares: Sequence[_Share],
    work: Callable[[_Share], bytes],
    at_once: int,
    take: Callable[[bytes], _Taken],
    killed: Callable[[int, int, str], object] = lambda place, number, path: None,
) -> list[_Taken | None]:
    """What `take` makes of what `work` gives for each share. Each share has a process of its own, so many of them at
    once; `take` is called here, as soon as bytes have come: processes that start later know what it learns. None for a
    share whose process failed or could not be started. Of one that was killed, `killed` is told the place of the share,
    the number of the signal, and the file that was being worked at ("" if that is not known)."""
    found: list[_Taken | None] = [None] * len(shares)
    with running(Part.SHARE), helped(len(shares)), selectors.DefaultSelector() as working:
        for place, share in enumerate(shares):
            if len(working.get_map()) == at_once:
                _receive(working, found, take, killed, until=at_once - 1)
            marker = Marker()
            started = _start(share, work, marker)
            if started is not None:
                pid, pipe = started
                working.register(pipe, selectors.EVENT_READ, (place, pid, bytearray(), marker))
        _receive(working, found, take, killed, until=0)
    return found


def _receive(
    working: selectors.BaseSelector,
    found: list[_Taken | None],
    take: Callable[[bytes], _Taken],
    killed: Callable[[int, int, str], object],
    until: int,
) -> None:
    """Take in what processes send until only so many of them are left."""
    while len(working.get_map()) > until:
        for key, _ in working.select():
            place, pid, received, marker = key.data
            data = os.read(key.fd, _CHUNK)
            received += data
            if not data:
                working.unregister(key.fd)
                os.close(key.fd)
                _, status = os.waitpid(pid, 0)
                if status == 0:
                    done, sheet = _DECODER.decode(received)
                    take_over(sheet)
                    found[place] = take(done)
                elif os.WIFSIGNALED(status):
                    killed(place, os.WTERMSIG(status), marker.path)
                marker.close()


def in_shares(sizes: Mapping[str, int], count: int) -> list[list[str]]:
    """Paths, in their order, in so many shares at most, of about the same size: what stands together, as the files of a
    folder do, has most to do with one another."""
    most = sum(sizes.values()) / count
    shares: list[list[str]] = [[]]
    filled = 0.0
    for path, size in sizes.items():
        if shares[-1] and filled + size / 2 > most * len(shares):
            shares.append([])
        shares[-1].append(path)
        filled += size
    return shares


def _start(share: _Share, work: Callable[[_Share], bytes], marker: Marker) -> tuple[int, int] | None:
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
        with marking(marker), helping() as sheet:
            done = work(share)
        with open(sending, "wb") as file:
            file.write(_ENCODER.encode((done, sheet())))
        code = 0
    finally:
        os._exit(code)
