"""Running a program under the probe: its own interpreter, its own arguments, one folder more on its path."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from msgspec import Struct

from lintpickle.diagnostics import LintpickleError
from lintpickle.engine.preparation import environment_of
from lintpickle.engine.roots import Project, project_root
from lintpickle.probing import injected
from lintpickle.probing.events import Seen, read_seen
from lintpickle.probing.injected.lintpickle_probe.recording import VARIABLE, Asked
from lintpickle.settings import SettingsResolver

_OLDEST = (3, 8)
_INTERPRETERS = ("bin/python3", "bin/python", "python.exe", "Scripts/python.exe")


class RunResult(Struct, frozen=True):
    """How a program ended (its exit code, 128 and more for a signal), and what was seen of it."""

    code: int
    seen: Seen


def interpreter(resolver: SettingsResolver) -> str:
    """The Python that runs the program: that of the environment of the project in the working folder, as `check` finds
    it, or the one that runs lintpickle. Raises `LintpickleError` if the one that was asked for is not there."""
    root = project_root(resolver.cwd / "any.py", resolver)
    settings = resolver.for_folder(root)
    if settings.python is not None and os.path.isfile(settings.python):
        return str(settings.python)
    prefix = environment_of(Project(root, settings, ())).prefix
    if prefix is None or os.path.samefile(prefix, sys.prefix):
        return sys.executable
    found = (os.path.join(prefix, *name.split("/")) for name in _INTERPRETERS)
    return next((path for path in found if os.path.isfile(path)), sys.executable)


def run(
    command: Sequence[str], python: str, start_method: str | None, output: IO[bytes] | int | None = None
) -> RunResult:
    """Run a command whose interpreter (and those that it starts) is watched. `output` is where its standard output
    goes. Raises `LintpickleError` if it cannot be started."""
    with tempfile.TemporaryDirectory(prefix="lintpickle-probe-") as folder:
        environment = _environment(os.environ, Asked(folder, start_method), python)
        try:
            process = subprocess.Popen(command, env=environment, stdout=output)
        except OSError as error:
            raise LintpickleError(f"{command[0]}: cannot be run: {error.strerror or error}") from None
        code = _wait(process)
        return RunResult(code if code >= 0 else 128 - code, read_seen(Path(folder)))


def _environment(environ: Mapping[str, str], asked: Asked, python: str) -> dict[str, str]:
    ours = os.path.dirname(os.path.abspath(injected.__file__))
    path = os.pathsep.join(filter(None, (ours, environ.get("PYTHONPATH"))))
    beside = os.path.dirname(os.path.abspath(python))
    programs = os.pathsep.join(filter(None, (beside, environ.get("PATH"))))
    return {**environ, "PYTHONPATH": path, "PATH": programs, VARIABLE: asked.as_variable()}


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for a program to end. Ctrl-C is for the program, which gets it from the terminal as well."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def refuse_old(python: str) -> None:
    """Raises `LintpickleError` if an interpreter is too old for the probe, or cannot be run."""
    code = f"import sys; sys.exit(sys.version_info < {_OLDEST})"
    try:
        ended = subprocess.run([python, "-I", "-c", code], check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise LintpickleError(f"{python}: cannot be run: {error.strerror or error}") from None
    if ended.returncode:
        raise LintpickleError(f"{python}: the probe needs Python {_OLDEST[0]}.{_OLDEST[1]} or newer")
