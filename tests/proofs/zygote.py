"""A process that has imported torch once, and forks a child for every script that it is asked to run.

Started as a program of its own. Each line of its standard input is a `Request` as JSON; it answers each with a line:
the exit status, or `null` if the limit passed. Every child leads a session, of which nothing survives the answer.

A child is what `python SCRIPT ARGUMENT…` would be in that folder, but for two things that take long and change nothing:
torch is loaded already, and at the end the modules that were loaded before the script are not taken apart one by one.
`__main__` is the script, so that processes started by spawn and forkserver run it again. Those processes, and the fork
server, are new interpreters that know nothing of this one.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NoReturn

OUTPUT = "output.txt"
_POLL = 0.005


@dataclass(frozen=True)
class Request:
    """Run the script named by the first of `arguments` in `folder`, with its output in the file `OUTPUT` there.

    `folder` is absolute, `limit` in seconds; `paths` are folders in it from which modules are imported too. With
    `fork_server`, the processes that the script starts by spawn and forkserver are forked from a fork server that has
    torch loaded as well. They know as little of the script: what they are given is pickled all the same.
    """

    folder: str
    arguments: list[str]
    limit: float
    paths: list[str] = field(default_factory=list)
    fork_server: bool = False


def main() -> None:
    """Serve as the zygote; in each child, run the script."""
    _load()
    for request in _requests():
        child = os.fork()
        if child:
            print(json.dumps(_wait(child, request.limit)), flush=True)
        else:
            _end(_run(_script(request)))


def _load() -> None:
    """Import torch, and make sure that forking is as harmless as in a process that has only just started."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's BLAS starts its threads when it is loaded
    importlib.import_module("torch")
    del os.environ["OPENBLAS_NUM_THREADS"]
    threads = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else threading.active_count()
    assert threads == 1, f"torch has started {threads - 1} threads: its forks would prove nothing"


def _requests() -> Iterator[Request]:
    for line in sys.stdin:
        yield Request(**json.loads(line))


def _wait(child: int, limit: float) -> int | None:
    """The exit status of the child, negative for a signal; None after the limit. Its session is gone then."""
    end = time.monotonic() + limit
    while not (ended := os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG)) and time.monotonic() < end:
        time.sleep(_POLL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # the number is still the child's, which was not reaped
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if ended else None


def _script(request: Request) -> ModuleType:
    """Make this process the script's own: its session, folder, streams and arguments. The script, not run yet."""
    os.setsid()
    os.chdir(request.folder)
    _redirect(os.open(os.devnull, os.O_RDONLY), 0)
    _redirect(os.open(OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1, 2)
    os.environ["TMPDIR"] = request.folder
    if request.fork_server:
        _start_fork_server()
    sys.argv, sys.path[0] = request.arguments, request.folder
    sys.path += [os.path.join(request.folder, path) for path in request.paths]
    for module, attribute, value in (
        ("multiprocessing.process", "ORIGINAL_DIR", request.folder),
        ("tempfile", "tempdir", None),
    ):
        if module in sys.modules:
            setattr(sys.modules[module], attribute, value)
    script = ModuleType("__main__")
    path = os.path.join(request.folder, request.arguments[0])
    script.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"] = sys.modules["__mp_main__"] = script  # multiprocessing sets the second, when it is loaded
    return script


def _start_fork_server() -> None:
    """Fork the fork server of `multiprocessing` from this process, and make forkserver and spawn both use it."""
    from multiprocessing import context, forkserver, resource_tracker, set_start_method

    resource_tracker.ensure_running()
    listener = socket.socket(socket.AF_UNIX)
    address = f"\0lintpickle-{os.getpid()}"
    listener.bind(address)
    listener.listen()
    alive, keep_alive = os.pipe()
    server = os.fork()
    if not server:
        os.close(keep_alive)
        try:
            forkserver.main(listener.fileno(), alive, [])
        finally:
            os._exit(0)
    listener.close()
    os.close(alive)
    known: Any = forkserver._forkserver
    known._forkserver_address, known._forkserver_alive_fd, known._forkserver_pid = address, keep_alive, server
    contexts = context._concrete_contexts  # type: ignore[attr-defined]
    contexts["spawn"] = contexts["forkserver"]
    set_start_method("forkserver", force=True)


def _run(script: ModuleType) -> int:
    """Run the script to its end, and what Python runs then: threads that are left, exit functions, destructors."""
    path = str(script.__file__)
    status = 0
    try:
        with open(path, encoding="utf-8") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
        exec(code, script.__dict__)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
        if status and not isinstance(error.code, int):
            print(error.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    script.__dict__.clear()
    gc.collect()
    return status


def _end(status: int) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 0xFF)


def _redirect(opened: int, *streams: int) -> None:
    for stream in streams:
        os.dup2(opened, stream)
    os.close(opened)


if __name__ == "__main__":
    main()
