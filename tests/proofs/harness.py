"""Runs the blocks of rule pages on the real libraries and says what happened.

A run is a script file: the block, then the page's `python proof` block, run in a process of its own with the start
method as its only argument. What the script did is told apart by how it ends:

* `ok`: it ended by itself with exit code 0;
* `wrong: …`: the same, but a line of its output begins with `wrong:`;
* `died: …`: the parent only learnt that a worker exited;
* an exception, such as `TypeError: cannot pickle 'dict_keys' object`;
* `hang`: it did not end within the limit and was killed with everything that it had started.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from lintpickle.catalog import load_catalog
from lintpickle.diagnostics import StartMethod
from lintpickle.rulebook.pages import Page, ProofRow

from . import zygote
from .zygote import OUTPUT, Request

LIMIT = 120.0
"""Seconds for a run that ought to end; far more than any needs, since machines can be busy."""
HANG_LIMIT = 20.0
"""Seconds after which a run that ought to hang is taken to hang."""

SCRIPT = "example.py"
STARTUP = Path(__file__).resolve().parent / "startup"
UNBUFFERED = {"PYTHONUNBUFFERED": "1"}

Start = Callable[[Request], "int | None"]
"""Runs the script of a request; gives its exit status, negative for a signal, or None if it had to be killed."""

_EXCEPTION = re.compile(r"(?:\w+\.)*\w+(?:: .+|(?<=Error))")
_WORKER_GONE = ("exited unexpectedly", "ProcessExitedException", "BrokenProcessPool")
_VOLATILE = (
    (re.compile(r"0x(?:[0-9a-f]+|…)"), "0x.."),
    (re.compile(r"(pid(?:\(s\))?) [\d, ]*\d"), r"\1 N"),
    (re.compile(r"(local object) <class '__(?:mp_)?main__\.([^']+)'>"), r"\1 <function \2 at 0x..>"),  # CPython 3.14
)


@dataclass(frozen=True)
class Observed:
    """What a run did: `kind` is ok, wrong, died, error or hang; `output` is all that it printed."""

    kind: str
    output: str


def script_for(page: Page, row: ProofRow) -> str:
    """The source that shows what the block of `row` does."""
    kind, _, id = row.label.partition("=")
    block, driver = page.block(kind, id), page.block("proof", id) or page.block("proof", "")
    assert block is not None, row
    assert driver is not None, row
    return f"{block.code}\n\n{driver.code}"


def run(
    script: str, method: StartMethod, folder: Path, limit: float, start: Start, ready_interpreters: bool = False
) -> Observed:
    """Run `script` in `folder`, which is absolute, for `limit` seconds at most. Nothing that it started survives.

    `ready_interpreters` is for a zygote: the interpreters that the script starts have torch loaded as well."""
    (folder / SCRIPT).write_text(script, encoding="utf-8")
    status = start(Request(str(folder), [SCRIPT, method.value], limit, [], ready_interpreters))
    text = _stable((folder / OUTPUT).read_text(encoding="utf-8", errors="replace"))
    return Observed(_kind(status, text), text)


def new_interpreter(request: Request) -> int | None:
    """Run a script with an interpreter of its own, in a session of its own."""
    with Path(request.folder, OUTPUT).open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *request.arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=request.folder,
            env={**os.environ, **UNBUFFERED, "TMPDIR": request.folder},
            start_new_session=True,
        )
        try:
            return process.wait(request.limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _kill_group(process)


class Zygote:
    """The same in a tenth of the time: see `zygote.py`. A context manager, whose value is called with requests.

    Interpreters find modules in `paths`, before any others, and have `environ` in their environment."""

    def __init__(self, *paths: Path, **environ: str) -> None:
        self._paths = paths
        self._environ = environ

    def __enter__(self) -> Zygote:
        paths = [*map(str, (*self._paths, STARTUP)), os.environ.get("PYTHONPATH")]
        self._process = subprocess.Popen(
            [sys.executable, zygote.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **UNBUFFERED, **self._environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
        return self

    def __call__(self, request: Request) -> int | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asdict(request)), file=self._process.stdin, flush=True)
        status: int | None = json.loads(self._process.stdout.readline())
        return status

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def agrees(cell: str, observed: Observed) -> bool:
    """Whether a cell of a proof table tells what was observed, word for word: as the running Python words it."""
    kind, _, text = cell.partition(": ")
    if cell in ("ok", "hang"):
        return observed.kind == cell
    if kind not in ("wrong", "died"):
        assert _EXCEPTION.fullmatch(cell), f"{cell!r} is neither an outcome nor an error with its message"
        kind, text = "error", cell
    lines = observed.output.splitlines()
    expected = _stable(load_catalog().error_on(text, sys.version_info[:2]))
    return observed.kind == kind and any(expected in line for line in lines)


def _kind(status: int | None, text: str) -> str:
    if status is None:
        return "hang"
    if status == 0:
        return "wrong" if any(line.startswith("wrong:") for line in text.splitlines()) else "ok"
    return "died" if any(word in text for word in _WORKER_GONE) else "error"


def _stable(text: str) -> str:
    """`text` without addresses and process ids."""
    for pattern, replacement in _VOLATILE:
        text = pattern.sub(replacement, text)
    return text


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
