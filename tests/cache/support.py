"""Runs the command line with a cache, and tells whether it answered from there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

DRIVER = Path(__file__).with_name("driver.py")


@dataclass(frozen=True)
class Ran:
    """What a process said. `modules` are what it imported, if it answered from the cache, else None; `loaded`
    are what it imported in any case."""

    code: int
    out: bytes
    err: bytes
    modules: frozenset[str] | None = None
    loaded: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def said(self) -> Ran:
        return replace(self, modules=None)


@dataclass(frozen=True)
class Cached:
    """Runs in a folder, with a cache."""

    cwd: Path
    cache: Path

    def run(self, *arguments: str, environ: Mapping[str, str] | None = None) -> Ran:
        report = self.cache.with_name("modules.txt")
        report.unlink(missing_ok=True)
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("LINTPICKLE_")}
        surroundings |= {"LINTPICKLE_CACHE_DIR": str(self.cache), **(environ or {})}
        ran = subprocess.run(
            [sys.executable, str(DRIVER), str(report), *arguments],
            cwd=self.cwd,
            env=surroundings,
            capture_output=True,
        )
        told, *loaded = report.read_text(encoding="utf-8").split() if report.exists() else ("failed",)
        modules = frozenset(loaded) if told == "answered" else None
        return Ran(ran.returncode, ran.stdout, ran.stderr, modules, frozenset(loaded))
