"""What scenarios work with: prepared code, installed tools, and runs of them that take turns."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.corpora import RECIPES, Corpus, prepare
from benchmarks.measure import Outcome, Run, Runner, in_turns
from benchmarks.results import Measurement
from benchmarks.tools import Installed, Tool, install
from lintpickle.diagnostics import LintpickleError

Repeated = Callable[[int], Run]
"""A run that is made again and again; it is told the number of the round."""


@dataclass(frozen=True)
class Bench:
    """`cache` holds what is downloaded and installed, `scratch` is removed afterwards, `pairs` says how many runs are
    wanted, `slow` whether slow tools are run too, and `say` tells the user what was measured."""

    cache: Path
    scratch: Path
    lintpickle: Installed
    runner: Runner
    pairs: int
    slow: bool
    say: Callable[[str], None]

    def corpus(self, name: str) -> Corpus:
        """The corpus of a name, prepared."""
        return prepare(RECIPES[name], self.cache)

    def tool(self, tool: Tool) -> Installed:
        """A tool, installed."""
        return install(tool, self.cache)

    def new_folder(self) -> Path:
        """An empty folder."""
        return Path(tempfile.mkdtemp(dir=self.scratch))

    def lint(self, tool: Installed, folder: Path, *arguments: str) -> Outcome:
        """Run a tool once; without arguments, as it lints the folder without a cache."""
        return self.runner.run(tool.command(*arguments), folder, tool.tool.exits)

    def warmed(self, tool: Installed, folder: Path, *arguments: str) -> tuple[Repeated, Outcome]:
        """A run of a tool whose cache has been filled, and what it answered while that was empty. Raises
        LintpickleError as soon as a run answers something else."""
        first = self.lint(tool, folder, *arguments)

        def again(_: int = 0) -> Run:
            outcome = self.lint(tool, folder, *arguments)
            if outcome.output != first.output:
                raise LintpickleError(f"{tool.tool.name} answers otherwise from its cache: {' '.join(arguments)}")
            return outcome.run

        again()
        return again, first

    def compare(self, scenario: str, corpus: str, ours: Repeated, peer: str, theirs: Repeated) -> Measurement:
        """Let runs of lintpickle and of another tool take turns."""
        load = os.getloadavg()[0]
        mine, others = in_turns([ours, theirs], self.pairs)
        return self._told(Measurement(scenario, corpus, mine, peer, others, date.today().isoformat(), load))

    def alone(self, scenario: str, corpora: Sequence[str], runs: Sequence[Repeated]) -> list[Measurement]:
        """Let runs of lintpickle on several corpora take turns."""
        load, day = os.getloadavg()[0], date.today().isoformat()
        rounds = zip(corpora, in_turns(runs, self.pairs), strict=True)
        return [self._told(Measurement(scenario, name, each, date=day, load=load)) for name, each in rounds]

    def _told(self, found: Measurement) -> Measurement:
        ratio = f", {found.cpu_ratio:.3f} times {found.peer}" if found.peer else ""
        self.say(f"{found.scenario} {found.corpus}: {found.cpu:.3f} CPU s{ratio} ({len(found.ours)} runs)")
        return found
