"""New interpreters that are forked, with torch loaded, from a process that has only just begun.

`offer` is called in the process of a script before the script runs. It forks a server. When `multiprocessing` starts an
interpreter there (for a process by spawn, the fork server, the resource tracker), the server forks a child instead,
which becomes what `python -c CODE …` would be: its arguments, environment, folder, `__main__` and open files are those
that it would have, and nothing that the script has done is in it. It is a child of the script's process, too, which
waits for it. What is pickled for it is pickled all the same.

Three things differ. Texts have the same hashes as in the process of the script. Modules that were loaded before are not
taken apart at the end, so that what only they hold, such as the arguments of a worker, is not destroyed. And processes
that such a child starts are new interpreters again, which import all that they need.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import ctypes
import fcntl
import gc
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any, NoReturn

_STREAMS = (0, 1, 2)
_SET_CHILD_SUBREAPER = 36
_MOST_FILES = 250


def offer() -> None:
    """Let the interpreters that `multiprocessing` starts in this process be forked from a server, which this starts.
    Where Linux is not, they are started as ever."""
    if sys.platform != "linux":
        return
    from multiprocessing import util

    script = os.getpid()
    address = f"\0lintpickle-{script}"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    # Whatever the server starts and leaves behind becomes a child of this process.
    if ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("the processes of the server cannot become children of the script")
    if not os.fork():
        _serve(listener, script)
    listener.close()
    util_module: Any = util
    start = util_module.spawnv_passfds

    def spawnv_passfds(path: bytes, arguments: list[str], passed: Sequence[int]) -> int:
        if os.getpid() != script or "-c" not in arguments:
            started: int = start(path, arguments, passed)
            return started
        return _asked_for(address, arguments[arguments.index("-c") :], sorted({*_STREAMS, *map(int, passed)}))

    util_module.spawnv_passfds = spawnv_passfds


def _asked_for(address: str, arguments: list[str], files: list[int]) -> int:
    """The process id of an interpreter that runs a command and has the same files open."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [b"\n"], files)
        connection.sendall(json.dumps((arguments, files, os.getcwd(), dict(os.environ))).encode())
        connection.shutdown(socket.SHUT_WR)
        return int(_all_of(connection))


def _all_of(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def _serve(listener: socket.socket, script: int) -> NoReturn:
    """Fork interpreters for the process of the script, until that is killed with all that it has started."""
    while True:
        connection, _ = listener.accept()
        _, received, _, _ = socket.recv_fds(connection, 1, _MOST_FILES)
        arguments, files, folder, environ = json.loads(_all_of(connection))
        between = os.fork()
        if not between:
            child = os.fork()
            if child:  # It is the script's as soon as this process is gone.
                connection.sendall(str(child).encode())
                os._exit(0)
            _keep_open(dict(zip(files, received, strict=True)))
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environ)
            while os.getppid() != script:
                time.sleep(0.0002)
            _run_command(arguments)
        for file in received:
            os.close(file)
        os.waitpid(between, 0)
        connection.close()


def _keep_open(files: dict[int, int]) -> None:
    """Give open files other numbers, and close all others."""
    beyond = max(*files, *files.values()) + 1
    moved = {number: fcntl.fcntl(file, fcntl.F_DUPFD, beyond) for number, file in files.items()}
    for number, file in moved.items():
        os.dup2(file, number)
    for name in os.listdir("/dev/fd"):
        if int(name) not in files:
            with contextlib.suppress(OSError):
                os.close(int(name))


def _run_command(arguments: list[str]) -> NoReturn:
    """Be `python -c CODE …` in this process."""
    option, code, *others = arguments
    sys.path[0] = ""
    main = begin([option, *others])
    _other_random_numbers(is_fork_server="multiprocessing.forkserver" in code)
    end(run(lambda: compile(code, "<string>", "exec", dont_inherit=True), main))


def _other_random_numbers(is_fork_server: bool) -> None:
    """Let numpy, which is loaded already, begin with numbers of its own in this process, or, if it is the fork server,
    in each that is forked from it: as it does where it is only imported there. Python's generator does so by itself."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is None:
        return
    numpy.random.seed()
    server = os.getpid()
    if is_fork_server:
        os.register_at_fork(after_in_child=lambda: os.getppid() == server and numpy.random.seed())


def begin(arguments: list[str]) -> ModuleType:
    """Make the arguments, folder and `__main__` of this process what they are in an interpreter that has only just
    begun. Gives that module, which is empty."""
    sys.argv = arguments
    for module, attribute, value in (
        ("multiprocessing.process", "ORIGINAL_DIR", os.getcwd()),
        ("tempfile", "tempdir", None),
    ):
        if module in sys.modules:
            setattr(sys.modules[module], attribute, value)
    main = ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = sys.modules["__mp_main__"] = main  # multiprocessing sets the second, when it is loaded
    return main


def run(code: Callable[[], CodeType], main: ModuleType) -> int:
    """Run code as that of `main`, and what Python runs then: threads that are left, exit functions, destructors. Gives
    the exit status."""
    status = 0
    try:
        exec(code(), main.__dict__)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
        if status and not isinstance(error.code, int):
            print(error.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for module in (main, sys.modules["__main__"]):
        module.__dict__.clear()
    gc.collect()
    return status


def end(status: int) -> NoReturn:
    """Leave this process, without taking apart the modules that were loaded before it began."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 0xFF)
