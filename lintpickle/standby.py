"""Runs the work in a second process; if a file crashes that one, starts again without the file.

A crash of native code, and a system without memory, end a process without a word. The one that stands by has done
nothing that could kill it. On Linux only: elsewhere, the work would go on when the process that stands by is killed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar

from lintpickle.marker import Marker, use

MOST_LOST = 20
"""At so many files processes may be killed; then something else is wrong."""

_INTERRUPTED_SECONDS = 0.5
_LOOKED_AFTER_SECONDS = 1.0
"""How often it is looked whether the work is done, if no signal says so."""

_LOST: ContextVar[Mapping[str, str] | None] = ContextVar("lost", default=None)
_CRASHES = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGSYS", "SIGTRAP", "SIGKILL")


def lost() -> Mapping[str, str]:
    """The files at which processes of this run were killed, each with what is said of it."""
    return _LOST.get() or {}


def is_guarded() -> bool:
    """Whether another process stands by while this one works."""
    return _LOST.get() is not None


def stand_by() -> int | None:
    """None in a new process, which is to do the work; here, the exit code when it is done. If the process is killed
    at a file, another one begins, in which that file is `lost`. None here, too, if there can be no other process.

    To be called before anything else is imported that has threads, or is large.
    """
    if sys.platform != "linux":
        return None
    lost_by_now: dict[str, str] = {}
    while True:
        marker = Marker()
        started = _start(marker, lost_by_now)
        if started is None:
            return None
        code = _end_of(*started)
        path = marker.path
        marker.close()
        if code >= 0:
            return code
        name = _name(-code)
        if name not in _CRASHES:
            _end_by(-code)
        if not path or path in lost_by_now or len(lost_by_now) >= MOST_LOST:
            at = f" while it worked at {path!r}" if path else ""
            sys.stderr.write(f"error: the process that checks was killed ({name}){at}\n")
            return 2
        lost_by_now[path] = f"a process that worked at it was killed ({name})"


def _start(marker: Marker, lost_by_now: Mapping[str, str]) -> tuple[int, int, set[int]] | None:
    """The number of a new process, the end of a pipe whose other end it has, and the signals that were blocked before:
    now those are, too, that are to be handed on, until there is somebody to do so. None in the new process, and if
    there is none to spare."""
    import signal

    here, there = os.pipe()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _handed_on())
    try:
        pid = os.fork()
    except OSError:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        os.close(here)
        os.close(there)
        return None
    if pid:
        os.close(here)
        return pid, there, {int(number) for number in blocked}
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    os.close(there)
    _end_with(here)
    use(marker)
    _LOST.set(dict(lost_by_now))
    return None


def _end_with(pipe: int) -> None:
    """Have this process killed when the other end of a pipe is closed: when the process that has it is killed."""
    import signal
    from fcntl import F_SETFL, F_SETOWN, fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl(pipe, F_SETOWN, os.getpid())
    fcntl(pipe, F_SETFL, os.O_ASYNC)


def _end_of(pid: int, pipe: int, blocked: set[int]) -> int:
    """The exit code of a process when it has ended; of one that was killed, the negative number of the signal. Signals
    that this one gets are handed on, but for those that are `blocked`.

    They stay blocked, and are waited for together with the end of the process: a handler would not run if its signal
    came just before `os.waitpid`.
    """
    import signal

    ignored = {number for number in _handed_on() if signal.getsignal(number) == signal.SIG_IGN}
    handed_on = _handed_on() - blocked - ignored
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD,))
    try:
        while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
            got = signal.sigtimedwait(handed_on | {signal.SIGCHLD}, _LOOKED_AFTER_SECONDS)
            if got is not None and got.si_signo in handed_on and not (got.si_signo == signal.SIGINT and _ends(pid)):
                os.kill(pid, got.si_signo)
        while signal.sigtimedwait(handed_on, 0) is not None:
            pass  # Both got it, and there is nobody left to hand it on to.
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        os.close(pipe)
    return os.waitstatus_to_exitcode(ended[1])


def _handed_on() -> set[int]:
    """The signals that are for the process which does the work."""
    import signal

    return {signal.SIGTERM, signal.SIGHUP, signal.SIGINT}


def _ends(pid: int) -> bool:
    """Whether a process ends after an interrupt. From a keyboard, both get it, and a second one would hit the other in
    the middle of ending."""
    import time

    ends = time.monotonic() + _INTERRUPTED_SECONDS
    while time.monotonic() < ends:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return True
        time.sleep(0.02)
    return False


def _name(number: int) -> str:
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end_by(number: int) -> None:
    """End this process as the other one ended."""
    import signal

    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
