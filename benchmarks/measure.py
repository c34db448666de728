"""Runs commands and compares what they use: CPU time, wall time and memory, in pairs of runs that take turns."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from lintpickle.diagnostics import LintpickleError

_LAUNCH = Path(__file__).with_name("launch.py")
_LONG = 15
"""Beside a run that takes so many seconds, one that takes less than a tenth of that is made several times."""
_TIMES = 5
_TAIL = 2000
"""How many characters of a failed command's error output are told."""


@dataclass(frozen=True)
class Run:
    """What one run used: CPU seconds (user and system) of all its processes, wall seconds until the answer was there,
    and the peak memory of its largest process in bytes."""

    cpu: float
    wall: float
    peak: int


@dataclass(frozen=True)
class Outcome:
    """A run, its exit code and its standard output."""

    run: Run
    exit: int
    output: bytes


class Runner:
    """Runs commands in an environment that holds nothing of the user's: `home` is the home folder that they see."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self._output, self._errors = home / "output", home / "errors"
        self._environment = {
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
        }

    def run(self, command: Sequence[str], folder: Path, exits: Collection[int] = (0, 1)) -> Outcome:
        """Run a command in a folder. Raises LintpickleError if it ends with an exit code that is not among `exits`."""
        launch = [sys.executable, "-I", "-S", str(_LAUNCH), str(self._output), str(self._errors), *command]
        with subprocess.Popen(
            launch, cwd=folder, env=self._environment, stdout=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            try:
                answer, _ = process.communicate()
            except BaseException:  # Ctrl-C does not reach another session
                os.killpg(process.pid, signal.SIGKILL)
                raise
        if process.returncode:
            raise LintpickleError(f"cannot start {command[0]}: is the cache folder of the benchmarks whole?")
        code, cpu, wall, peak = answer.split()
        if int(code) not in exits:
            told = self._errors.read_text(encoding="utf-8", errors="replace")[-_TAIL:]
            raise LintpickleError(f"{' '.join(command)} ended with exit code {code}, in {folder}:\n{told}")
        return Outcome(Run(float(cpu), float(wall), int(peak)), int(code), self._output.read_bytes())


def pairs_for(seconds: float, wanted: int) -> int:
    """How many pairs to run when one takes `seconds`: more of short ones, which scatter, and fewer of long ones."""
    if seconds < 1:
        return 5 * wanted
    if seconds < 15:
        return wanted
    return max(wanted // (2 if seconds < 60 else 5), 1)


def in_turns(runs: Sequence[Callable[[int], Run]], wanted: int) -> list[tuple[Run, ...]]:
    """Call all of `runs`, in order, again and again; each call is told the number of the round. Gives the runs of each
    of them. How many rounds there are follows from `wanted` and the time that the first one takes.

    One that is short beside a long one is made several times in each round, and the median counts: a single one would
    say more of the moment than of the program.
    """
    first = [run(0) for run in runs]
    longest = max(each.wall for each in first)
    times = [_TIMES if longest > max(_LONG, 10 * each.wall) else 1 for each in first]
    rounds = [[_middle(run, often, 0, one) for run, often, one in zip(runs, times, first, strict=True)]]
    for number in range(1, pairs_for(sum(each.wall for each in first), wanted)):
        rounds.append([_middle(run, often, number) for run, often in zip(runs, times, strict=True)])
    return list(zip(*rounds, strict=True))


def _middle(run: Callable[[int], Run], often: int, number: int, *made: Run) -> Run:
    """The run with the median of CPU, of so many in one round; those that were `made` already are among them."""
    runs = [*made, *(run(number) for _ in range(often - len(made)))]
    return sorted(runs, key=lambda each: each.cpu)[often // 2]


def paired_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios of runs that were made one after the other."""
    return statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))
