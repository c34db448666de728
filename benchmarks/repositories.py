"""Measures what a line of real checkouts costs in a cold run, in relation to one of the small corpus.

python -m benchmarks.repositories [--lintpickle PROGRAM] [--cache DIR] [--page] FOLDER ...

The small corpus is run before each checkout, so that a busy hour concerns both alike. The table goes to standard
output, with `--page` also into `README.md` (folders are best named `PROJECT@COMMIT`). Nothing of the checkouts is run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import RECIPES, prepare
from benchmarks.daily import README, write
from benchmarks.measure import Run, Runner
from benchmarks.tools import LINTPICKLE, Installed, as_given, install
from lintpickle.diagnostics import LintpickleError

START, END = "<!-- repositories: start -->", "<!-- repositories: end -->"
GOAL = 3.0
"""How many times what a line of the small corpus costs a line may cost."""


@dataclass(frozen=True)
class Cost:
    """What a cold run of a checkout took, and one of the small corpus just before; `lines` are those of the checkout,
    `base` is the seconds of CPU that a line of the small corpus took."""

    name: str
    files: int
    lines: int
    run: Run
    base: float

    @property
    def line(self) -> float:
        """CPU seconds for each line."""
        return self.run.cpu / max(self.lines, 1)

    @property
    def ratio(self) -> float:
        """The cost of a line in relation to one of the small corpus."""
        return self.line / self.base


def measured(folder: Path, tool: Installed, runner: Runner, small: Path, small_lines: int) -> Cost:
    """What a checkout costs. `small` is the folder of the small corpus."""
    base = runner.run(tool.command(), small, (0, 1, 2)).run.cpu / small_lines
    run = runner.run(tool.command(), folder, (0, 1, 2)).run
    files = [path for path in folder.rglob("*.py") if path.is_file()]
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    return Cost(folder.name, len(files), lines, run, base)


def table(costs: Sequence[Cost]) -> str:
    """The costs as a Markdown table, the cheapest line first, below a sentence that sums them up."""
    ordered = sorted(costs, key=lambda each: each.ratio)
    within = sum(each.ratio <= GOAL for each in costs)
    median = statistics.median(each.ratio for each in costs)
    rows = [
        f"{within} of {len(costs)} cost at most {GOAL:g} times the small corpus; the median is {median:.1f}.",
        "",
        "| checkout | files | lines | CPU | a line | to small | peak MB |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    rows += (
        f"| {each.name} | {each.files:,} | {each.lines:,} | {each.run.cpu:.1f} s | {1e6 * each.line:.0f} µs "
        f"| {each.ratio:.1f} | {each.run.peak / 1e6:.0f} |"
        for each in ordered
    )
    return "\n".join(rows) + "\n"


def main() -> None:
    """Measure the folders of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--page", action="store_true", help="write the table into README.md")
    parser.add_argument("--lintpickle", type=Path, help="the program to measure (default: this checkout, installed)")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "lintpickle-benchmarks")
    given = parser.parse_args()
    try:
        tool = as_given(given.lintpickle.absolute()) if given.lintpickle else install(LINTPICKLE, given.cache)
        small = prepare(RECIPES["small"], given.cache)
        costs: list[Cost] = []
        with tempfile.TemporaryDirectory(prefix="lintpickle-benchmarks-") as scratch:
            runner = Runner(Path(scratch) / "home")
            for folder in given.folders:
                costs.append(measured(folder.resolve(), tool, runner, small.folder, small.lines))
                print(f"{costs[-1].name}: {costs[-1].ratio:.1f}", file=sys.stderr, flush=True)
        print(table(costs))
        if given.page:
            write([table(costs)], README, START, END)
    except LintpickleError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    os.umask(0o077)
    main()
