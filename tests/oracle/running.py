"""What real Python does with a program. Needs the dependency group `proof`."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.proofs.harness import Zygote
from tests.proofs.zygote import OUTPUT, Request

from .composing import ENTRY, SITE_PACKAGES, Program
from .files import write
from .parts import BOUNDARIES

LIMIT, LIMIT_OF_SLOW = 40.0, 4.0
"""Seconds for a program, and for one whose hazard shows in that it never ends."""
_PICKLING = re.compile(
    r"pickl|serializ|Only Tensors created explicitly|queue\.Empty|Cowardly|unable to resize|exited unexpectedly",
    re.IGNORECASE,
)


def outcome(start: Callable[[Request], int | None], program: Program) -> tuple[str, str]:
    """`fails` at pickling, `ok`, or `broken` for another reason; and what the program printed."""
    slow = BOUNDARIES[program.choice.boundary].slow
    with tempfile.TemporaryDirectory(prefix="lp-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        write(program, folder)
        limit = LIMIT_OF_SLOW if slow else LIMIT
        request = Request(name, [ENTRY], limit, [SITE_PACKAGES], ready_interpreters=True, start_method="forkserver")
        status = start(request)
        output = (folder / OUTPUT).read_text(encoding="utf-8", errors="replace")
    if status == 0 and "Traceback (most recent call last)" not in output:
        return "ok", output
    return ("fails" if _PICKLING.search(output) else "broken"), output


def outcomes(programs: Iterable[Program], jobs: int) -> Iterator[tuple[Program, str, str]]:
    """Run programs, `jobs` at a time, in no order."""
    with ThreadPoolExecutor(jobs) as threads:
        zygotes: SimpleQueue[Zygote] = SimpleQueue()
        started = [Zygote().__enter__() for _ in range(jobs)]
        for zygote in started:
            zygotes.put(zygote)

        def run(program: Program) -> tuple[Program, str, str]:
            zygote = zygotes.get()
            try:
                return program, *outcome(zygote, program)
            finally:
                zygotes.put(zygote)

        try:
            yield from threads.map(run, programs)
        finally:
            for zygote in started:
                zygote.__exit__()
