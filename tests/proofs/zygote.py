"""A process that has imported torch once, and forks a child for every script that it is asked to run.

Started as a program of its own. Each line of its standard input is a `Request` as JSON; it answers each with a line:
the exit status, or `null` if the limit passed. Every child leads a session, of which nothing survives the answer.

A child is what `python SCRIPT ARGUMENT…` would be in that folder, but for two things that take long and change nothing:
torch is loaded already, and at the end the modules that were loaded before the script are not taken apart one by one.
`__main__` is the script, so that processes started by spawn and forkserver run it again. Those processes, and the fork
server, are new interpreters that know nothing of this one; or, where the request allows it, such children themselves:
see `interpreters.py`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import set_start_method
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING or __package__:
    from . import interpreters
else:  # started as a program, in whose folder it is
    import interpreters

OUTPUT = "output.txt"
_POLL = 0.005


@dataclass(frozen=True)
class Request:
    """Run the script named by the first of `arguments` in `folder`, with its output in the file `OUTPUT` there.

    `folder` is absolute, `limit` in seconds; `paths` are folders in it from which modules are imported too. With
    `ready_interpreters`, the interpreters that multiprocessing starts for the script have torch loaded as well.
    `start_method` is that of a script which chooses none, if it is to be another than Python's own choice.
    """

    folder: str
    arguments: list[str]
    limit: float
    paths: list[str] = field(default_factory=list)
    ready_interpreters: bool = False
    start_method: str | None = None


def main() -> None:
    """Serve as the zygote; in each child, run the script."""
    _load()
    for request in _requests():
        child = os.fork()
        if child:
            print(json.dumps(_wait(child, request.limit)), flush=True)
        else:
            interpreters.end(_run(_script(request)))


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
    if request.ready_interpreters:
        interpreters.offer()
    if request.start_method is not None:
        set_start_method(request.start_method, force=True)
    sys.path[0] = request.folder
    sys.path += [os.path.join(request.folder, path) for path in request.paths]
    script = interpreters.begin(request.arguments)
    script.__dict__.update(__file__=os.path.join(request.folder, request.arguments[0]))
    return script


def _run(script: ModuleType) -> int:
    """Run the script to its end."""
    path = str(script.__file__)

    def code() -> CodeType:
        with open(path, encoding="utf-8") as file:
            return compile(file.read(), path, "exec", dont_inherit=True)

    return interpreters.run(code, script)


def _redirect(opened: int, *streams: int) -> None:
    for stream in streams:
        os.dup2(opened, stream)
    os.close(opened)


if __name__ == "__main__":
    main()
