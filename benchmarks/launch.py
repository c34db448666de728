"""Runs one command and prints what it and everything it started used: exit code, CPU s, wall s, peak memory in bytes.

python -I -S launch.py OUTPUT ERRORS COMMAND [ARGUMENT ...]

A process of its own, and a small one, because the peak memory that the system tells of a process is never below that
of the process that started it. On Linux, what the command leaves running is waited for and counted too.
"""

import ctypes
import os
import sys
import time

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of Linux: orphaned descendants become children of this process."""


def main() -> None:
    output, errors, *command = sys.argv[1:]
    linux = sys.platform == "linux"
    if linux:
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, write, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, errors, write, 0o600),
    ]
    started = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=files)
    code, wall, cpu, peak = 0, 0.0, 0.0, 0
    while True:
        try:
            ended, status, used = os.wait4(-1, 0)
        except ChildProcessError:
            break
        cpu += used.ru_utime + used.ru_stime
        peak = max(peak, used.ru_maxrss)
        if ended == child:
            code, wall = os.waitstatus_to_exitcode(status), time.perf_counter() - started
    print(code, cpu, wall, peak * 1024 if linux else peak)


main()
