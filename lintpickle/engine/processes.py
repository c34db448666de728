"""Work in several processes: each gets a share, and sends back its result.

Processes rather than threads, because of Python's GIL. They are forked, because a forked process has everything that
was read before, and starting a new interpreter costs more than it saves except on the largest trees.
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
"""With less source than this, forking and sending results costs more than it saves (measured)."""

_CHUNK = 1 << 20
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[bytes, Sheet])
_Share = TypeVar("_Share")
_Taken = TypeVar("_Taken")


def may_share(jobs: int | None) -> bool:
    """Whether work may be done in other processes."""
    return jobs != 1 and hasattr(os, "fork") and threading.active_count() == 1


def processes_for(jobs: int | None, size: int) -> int:
    """The number of processes for this many bytes of source. `jobs` is the user's limit; with None, the size of the
    work and the number of CPUs decide."""
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
    """The results of `take` for what `work` returns for each share; None for a share whose process failed or could not
    be started. Each share has its own process, `at_once` of them at a time. `take` is called in this process as soon as
    a result has come, so that later processes know what it learns. If a process was killed, `killed` receives the index
    of the share, the number of the signal, and the file that was being worked on ("" if unknown)."""
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
    """Receive results until only `until` processes are left."""
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
    """Divide paths, in their order, into at most `count` shares of about the same size. Neighbours, such as the files
    of a folder, depend on one another most, so they stay together."""
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
    """Fork a process that works on a share. Returns its id, and the end of the pipe from which to read its result; None
    if the system cannot start one."""
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
