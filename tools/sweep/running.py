"""Runs lintpickle over one tree in a process of its own, and measures it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tools.sweep.results import Finding, Result, place_of
from tools.sweep.trees import Tree

ROOT = Path(__file__).resolve().parent.parent.parent
_MEGABYTE = 1024 * 1024 if sys.platform == "darwin" else 1024
"""The unit in which the system tells the peak memory of a process."""


@dataclass(frozen=True)
class Tool:
    """The lintpickle that is measured: how it is started, what it calls itself, and how it is to check."""

    command: tuple[str, ...]
    name: str
    environment: Path
    options: tuple[str, ...] = ()
    limit: float = 300.0

    @classmethod
    def from_command(
        cls, command: str | None, environment: Path, options: Sequence[str] = (), limit: float = 300.0
    ) -> Tool:
        """The tool started by a command line, by default that of this checkout."""
        words = tuple(shlex.split(command)) if command else (sys.executable, "-m", "lintpickle")
        return cls(words, _name(words, command is None), environment, tuple(options), limit)


class _Place(msgspec.Struct):
    row: int


class _Step(msgspec.Struct):
    message: str
    filename: str | None = None
    location: _Place | None = None


class _Fix(msgspec.Struct):
    applicability: str


class _Related(msgspec.Struct):
    filename: str
    location: _Place
    cell: int | None = None


class _Diagnostic(msgspec.Struct):
    code: str
    confidence: str
    message: str
    filename: str
    location: _Place
    cell: int | None = None
    fix: _Fix | None = None
    trail: list[_Step] = []
    related: list[_Related] = []


def sweep(trees: Iterator[Tree], tool: Tool, at_a_time: int = 2) -> Iterator[Result]:
    """Check the trees, `at_a_time` of them together; the results come as they are ready."""
    with ThreadPoolExecutor(at_a_time) as pool:
        for done in as_completed([pool.submit(check, tree, tool) for tree in trees]):
            yield done.result()


def check(tree: Tree, tool: Tool) -> Result:
    """Run the tool over a tree. It is stopped, with all its processes, when its time is over."""
    with tempfile.TemporaryDirectory() as scratch:
        output, errors = Path(scratch) / "output", Path(scratch) / "errors"
        command = [*tool.command, "check", "--no-cache", "--output-format", "json", "--python", str(tool.environment)]
        before = time.monotonic()
        with output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(
                [*command, *tool.options, str(tree.folder)],
                cwd=scratch,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
            stopped = threading.Event()
            timer = threading.Timer(tool.limit, _stop, (process.pid, stopped))
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            timer.cancel()
        seconds = time.monotonic() - before
        findings: tuple[Finding, ...] = ()
        unreadable = False
        if process.returncode in (0, 1):
            try:
                findings = tuple(_findings(output.read_bytes(), tree.folder))
            except msgspec.MsgspecError:
                unreadable = True
        return Result(
            tree=tree.pin.name,
            version=tree.pin.version,
            lintpickle=tool.name,
            files=tree.files,
            lines=tree.lines,
            seconds=round(seconds, 2),
            cpu=round(usage.ru_utime + usage.ru_stime, 2),
            peak=round(usage.ru_maxrss / _MEGABYTE, 1),
            status=None if stopped.is_set() else process.returncode,
            errors=errors.read_text(encoding="utf-8", errors="replace")[-2000:],
            unreadable=unreadable,
            findings=findings,
        )


def _stop(group: int, stopped: threading.Event) -> None:
    stopped.set()
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        stopped.clear()


def _findings(output: bytes, folder: Path) -> Iterator[Finding]:
    """The findings of a run's output, with paths relative to the tree."""
    for each in msgspec.json.decode(output, type=list[_Diagnostic]):
        trail = [
            f"{_relative(step.filename, folder)}:{step.location.row if step.location else 0} {step.message}"
            for step in each.trail
        ]
        yield Finding(
            code=each.code,
            confidence=each.confidence,
            path=_relative(each.filename, folder),
            line=each.location.row,
            message=each.message,
            cell=each.cell,
            fix=each.fix.applicability if each.fix else None,
            trail=tuple(trail),
            related=tuple(place_of(_relative(o.filename, folder), o.cell, o.location.row) for o in each.related),
        )


def _relative(path: str | None, folder: Path) -> str:
    if path is None:
        return "?"
    return Path(path).relative_to(folder).as_posix() if Path(path).is_relative_to(folder) else path


def _environment() -> dict[str, str]:
    """What the runs see: this checkout first, and no environment that happens to be active."""
    kept = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    return {**kept, "PYTHONPATH": kept.get("PYTHONPATH") or str(ROOT), "NO_COLOR": "1"}


def _name(command: Sequence[str], here: bool) -> str:
    """The tool's version, and the commit of this checkout if it is the one that runs."""
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, env=_environment(), check=False)
    version = done.stdout.strip() or "unknown"
    if not here:
        return version
    git = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False)
    return f"{version} ({commit.stdout.strip()})" if commit.returncode == 0 else version
