"""What fixes do to the programs: real Python runs them before and after, under fork and under forkserver. Needs the
dependency group `proof`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from lintpickle.api import FixMode, lint_paths
from lintpickle.settings import SettingsResolver
from tests.proofs.harness import Zygote
from tests.proofs.zygote import OUTPUT, Request

from .composing import ENTRY, Choice, Program
from .files import write
from .running import LIMIT

Verdict: TypeAlias = Literal["nothing to fix", "works", "still fails", "WRONG"]


class Fixed(Struct, frozen=True):
    """What became of a program: `before` is what it prints where its processes are forked, `after` what the fixed one
    prints there, `spawned` what that prints under forkserver; None for a run that fails."""

    choice: Choice
    verdict: Verdict
    text: str = ""
    before: str | None = None
    after: str | None = None
    spawned: str | None = None


def fixed(programs: Iterable[Program], unsafe: bool) -> Iterator[Fixed]:
    """Fix and run programs one after the other."""
    with Zygote() as zygote:
        for program in programs:
            yield _fixed(program, unsafe, zygote)


def _fixed(program: Program, unsafe: bool, start: Callable[[Request], int | None]) -> Fixed:
    with tempfile.TemporaryDirectory(prefix="lp-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        write(program, folder)
        (folder / "pyproject.toml").write_text("[project]\nname = 'job'\nversion = '1'\n", encoding="utf-8")
        resolver = SettingsResolver(cwd=folder, overrides={"unsafe-fixes": unsafe})
        outcome = lint_paths([name], resolver=resolver, fix=FixMode.WRITE)
        after = {path: (folder / path).read_text(encoding="utf-8") for path in program.files}
        if after == program.files or outcome.defects:
            return Fixed(program.choice, "nothing to fix")
        text = "\n".join(f"# --- {path}\n{content}" for path, content in after.items())
        found = [
            _output(files, start, forked) for files, forked in ((program.files, True), (after, True), (after, False))
        ]
    old, new, spawned = found
    is_same = old is None or old == new
    verdict: Verdict = "WRONG" if not is_same else "works" if spawned is not None and spawned == new else "still fails"
    return Fixed(program.choice, verdict, text, old, new, spawned)


def _output(files: dict[str, str], start: Callable[[Request], int | None], forked: bool) -> str | None:
    with tempfile.TemporaryDirectory(prefix="lp-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        method = None if forked else "forkserver"
        status = start(Request(name, [ENTRY], LIMIT, [], ready_interpreters=not forked, start_method=method))
        output = (folder / OUTPUT).read_text(encoding="utf-8", errors="replace")
    return output if status == 0 and "Traceback (most recent call last)" not in output else None
