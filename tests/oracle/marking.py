"""How lintpickle judges the programs, beside what real Python does with them."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from msgspec import Struct

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence, Diagnostic
from lintpickle.settings import SettingsResolver

from . import truth
from .composing import SITE_PACKAGES, Choice, Program, compose
from .covering import sample
from .files import write

_PICKLING = ("LP1", "LP201", "LP202", "LP206", "LP209", "LP605", "LP606")
"""Codes of the rules that say that something does not pickle. What else rules say of a program is not asked here."""


class Mark(Struct, frozen=True):
    """What is said of a program: codes by default and with `--pedantic`, and whether any default one is certain."""

    choice: Choice
    fails: bool
    default: tuple[str, ...]
    pedantic: tuple[str, ...]
    certain: bool

    @property
    def right(self) -> bool:
        """Found by default, or rightly silent."""
        return bool(self.default) == self.fails


def mark(program: Program, fails: bool) -> Mark:
    """Judge one program, as a project of its own."""
    with tempfile.TemporaryDirectory(prefix="lp-") as name:
        folder = Path(name)
        write(program, folder)
        (folder / "pyproject.toml").write_text("[project]\nname = 'job'\nversion = '1'\n", encoding="utf-8")
        default = _found(folder, pedantic=False)
        pedantic = default or _found(folder, pedantic=True)
    certain = any(each.confidence is Confidence.CERTAIN for each in default)
    return Mark(program.choice, fails, _codes(default), _codes(pedantic), certain)


def _found(folder: Path, pedantic: bool) -> list[Diagnostic]:
    overrides: dict[str, object] = {"pedantic": True} if pedantic else {}
    if (folder / SITE_PACKAGES).exists():
        overrides["python"] = str(folder / "env")
    resolver = SettingsResolver(cwd=folder, overrides=overrides)
    outcome = lint_paths([str(folder)], resolver=resolver)
    if outcome.defects:
        raise RuntimeError(f"lintpickle fails: {outcome.defects}")
    return [each for each in outcome.diagnostics if each.code.startswith(_PICKLING)]


def _codes(found: Iterable[Diagnostic]) -> tuple[str, ...]:
    return tuple(sorted({each.code for each in found}))


def marks(choices: Sequence[Choice], jobs: int | None = None) -> Iterator[Mark]:
    """Judge the programs whose truth is known, in `jobs` processes (None: as many as there are processors)."""
    known = truth.known()
    programs = map(compose, choices)
    judged = [(program, known[program.digest]) for program in programs if program.digest in known]
    if jobs == 1:
        yield from (mark(*each) for each in judged)
        return
    with ProcessPoolExecutor(jobs or os.cpu_count()) as executor:
        yield from executor.map(_mark, judged, chunksize=50)


def _mark(judged: tuple[Program, bool]) -> Mark:
    return mark(*judged)


def report(words: Sequence[str]) -> None:
    """Print what is missed and flagged among the programs whose names have all words, and how often by each part."""
    chosen = [choice for choice in sample() if all(word in choice.name for word in words)]
    found = list(marks(chosen))
    wrong = [each for each in found if not each.right]
    for each in wrong:
        verdict = "missed" if each.fails else "FLAGGED"
        print(verdict, each.choice.name, *(each.default or each.pedantic), "certain" if each.certain else "")
    for kind in ("hazard", "carrier", "boundary", "place", "layout", "twin"):
        missed = Counter(getattr(each.choice, kind) for each in wrong if each.fails)
        flagged = Counter(getattr(each.choice, kind) for each in wrong if not each.fails)
        total = Counter(getattr(each.choice, kind) for each in found if each.fails)
        print(
            f"\n{kind}: missed",
            *(f"{name} {count}/{total[name]}" for name, count in missed.most_common(60)),
            sep="\n  ",
        )
        print(f"{kind}: flagged", dict(flagged.most_common(20)))
    print(summary(found))


def summary(found: Sequence[Mark]) -> str:
    """The figures in one line."""
    hazards = [each for each in found if each.fails]
    fine = [each for each in found if not each.fails]
    return (
        f"{len(found)} programs; found {_share(sum(bool(each.default) for each in hazards), len(hazards))} by default, "
        f"{_share(sum(bool(each.pedantic) for each in hazards), len(hazards))} pedantic; fine ones flagged "
        f"{_share(sum(bool(each.default) for each in fine), len(fine))}, "
        f"{sum(each.certain for each in fine)} certain; twins flagged "
        f"{_share(sum(bool(e.default) for e in fine if e.choice.twin), sum(bool(e.choice.twin) for e in fine))}"
    )


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(whole, 1):.1%})"
