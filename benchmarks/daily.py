"""Measures the day after the first run, on real checkouts: edits, hooks, other formats, a cache that CI restores.

python -m benchmarks.daily [--files 5] [--lintpickle PROGRAM] [--cache DIR] [--page] FOLDER ...

Each folder is a checkout (of a repository of `tools/sweep/trees.tsv`, say). It is copied, its copy is checked once to
fill a cache, and then in each situation; figures are CPU as a share of a cold run of the same copy, medians over
`--files` files. The tables go to standard output, with `--page` also into `README.md` (folders are best named
`PROJECT@COMMIT`). Nothing of the checkouts is run.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Run, Runner
from benchmarks.tools import LINTPICKLE, as_given, install
from lintpickle.diagnostics import LintpickleError

START, END = "<!-- daily: start -->", "<!-- daily: end -->"
README = Path(__file__).parent / "README.md"
_STATEMENT = "lintpickle_benchmark = 1"
_FORMAT = ("--output-format", "concise")


@dataclass(frozen=True)
class Situation:
    """What was measured: its name, our goal as a share of a cold run (None: the goal is twice a warm run), and runs."""

    name: str
    goal: float | None
    runs: tuple[Run, ...]

    @property
    def cpu(self) -> float:
        """The median, in seconds."""
        return statistics.median(run.cpu for run in self.runs)


class Checkout:
    """A copy of a checkout with a cache of its own. Files are edited in place and put back."""

    def __init__(self, source: Path, scratch: Path, runner: Runner, program: Path) -> None:
        self._runner, self._program, self._scratch = runner, program, scratch
        self.root = Path(tempfile.mkdtemp(dir=scratch)) / source.name
        shutil.copytree(source, self.root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        self._cache = Path(tempfile.mkdtemp(dir=scratch))
        self.files = sorted(path for path in self.root.rglob("*.py") if path.is_file() and path.stat().st_size)

    def check(self, *arguments: str, cold: bool = False) -> Run:
        """Check the copy, or the files that are named."""
        cache = ("--no-cache",) if cold else ("--cache-dir", str(self._cache))
        form = () if "--output-format" in arguments else _FORMAT
        command = [str(self._program), "check", *cache, *form, *(arguments or (".",))]
        return self._runner.run(command, self.root, exits=(0, 1, 2)).run

    def move(self) -> None:
        """Put the copy at another path, as if it were checked out anew: all times are new."""
        root = Path(tempfile.mkdtemp(dir=self._scratch)) / self.root.name
        shutil.copytree(self.root, root, symlinks=True, copy_function=shutil.copyfile)
        shutil.rmtree(self.root)
        self.files = [root / path.relative_to(self.root) for path in self.files]
        self.root = root

    def by_importers(self) -> list[Path]:
        """The files, those that few others import first (by the last part of their module's name)."""
        named = re.compile(r"^\s*(?:from\s+\S*?(\w+)\s+import|import\s+\S*?(\w+)\s*(?:$|,|as))", re.MULTILINE)
        counts: Counter[str] = Counter()
        for path in self.files:
            counts.update({a or b for a, b in named.findall(path.read_text(encoding="utf-8", errors="replace"))})
        return sorted(self.files, key=lambda path: (counts[path.stem], path))


def edited(path: Path, in_class: bool | None) -> str | None:
    """The text of a file with one line more: a comment in the middle between statements (`in_class` is None), or a
    statement at the start of a method or of a function. None if there is no place for it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = text.split("\n")
    if in_class is None:
        if not tree.body:
            return None
        row = tree.body[len(tree.body) // 2].lineno - 1
        while row and lines[row - 1].lstrip().startswith("@"):
            row -= 1
        return "\n".join([*lines[:row], "# a comment of the benchmark", *lines[row:]])
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef)] if in_class else [tree]
    found = [node for owner in owners for node in owner.body if isinstance(node, ast.FunctionDef)]
    if not found:
        return None
    first = found[len(found) // 2].body[0]
    row = first.lineno - 1
    if lines[row][: first.col_offset].strip():
        return None
    return "\n".join([*lines[:row], " " * first.col_offset + _STATEMENT, *lines[row:]])


def measured(checkout: Checkout, files: int) -> Iterator[Situation]:
    """All situations, the cold run first and the warm one second."""
    cold = checkout.check(cold=True)
    yield Situation("cold", None, (cold, checkout.check(cold=True)))
    checkout.check()
    yield Situation("warm, nothing changed", None, tuple(checkout.check() for _ in range(files)))
    spread = checkout.files[:: max(len(checkout.files) // (2 * files), 1)]
    ordered = checkout.by_importers()
    for name, goal, chosen, in_class in (
        ("a comment added to a file", 0.03, spread, None),
        ("a statement in a function of a file that few import", 0.05, ordered, False),
        ("a statement in a method of a file that many import", 0.15, ordered[::-1], True),
    ):
        first, again = _edits(checkout, chosen, files, in_class)
        yield Situation(name, goal, first)
        yield Situation(f"{name}; run again", None, again)
    checkout.check()
    one = str(checkout.files[len(checkout.files) // 2])
    yield Situation("another output format", None, (checkout.check("--output-format", "github", "."),))
    yield Situation("one file named, nothing changed", None, (checkout.check(one),))
    three = [path for path in spread if edited(path, None) is not None][:3]
    with_hook = _with_edits(three, lambda: checkout.check(*map(str, three)))
    yield Situation("hook on 3 changed files", 0.10 if len(checkout.files) < 1000 else 0.05, (with_hook,))
    checkout.check()
    checkout.move()
    yield Situation("cache restored at another path, all times new", 0.12, (checkout.check(),))
    checkout.move()
    moved = _with_edits([checkout.files[len(checkout.files) // 3]], checkout.check)
    yield Situation("the same, one file changed", 0.20, (moved,))


def _edits(
    checkout: Checkout, chosen: list[Path], files: int, in_class: bool | None
) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Runs after an edit of one file, and those after them; each file is put back, and the cache with it."""
    pairs: list[tuple[Run, Run]] = []
    for path in chosen:
        text = edited(path, in_class)
        if text is not None and len(pairs) < files:
            before = path.read_bytes()
            path.write_text(text, encoding="utf-8", errors="replace")
            pairs.append((checkout.check(), checkout.check()))
            path.write_bytes(before)
            checkout.check()
    if not pairs:
        raise LintpickleError(f"{checkout.root}: there is no file for such an edit")
    return tuple(first for first, _ in pairs), tuple(again for _, again in pairs)


def _with_edits(paths: list[Path], run: Callable[[], Run]) -> Run:
    """A run after a comment was added to each of the files."""
    for path in paths:
        text = edited(path, None)
        if text is not None:
            path.write_text(text, encoding="utf-8", errors="replace")
    return run()


def table(name: str, files: int, situations: list[Situation]) -> str:
    """The situations as a Markdown table; shares are of the cold run, goals without a share are two warm runs."""
    cold, warm = situations[0].cpu, situations[1].cpu
    rows = [
        f"### {name} ({files:,} files)",
        "",
        "| situation | CPU | share of cold | goal | |",
        "| --- | --- | --- | --- | --- |",
    ]
    for each in situations:
        goal = each.goal * cold if each.goal is not None else 2 * warm
        told = f"{each.goal:.2f} of cold" if each.goal is not None else "2 warm runs"
        verdict = ("met" if each.cpu <= goal else "not met") if each not in situations[:2] else ""
        shown = told if verdict else ""
        rows.append(f"| {each.name} | {1000 * each.cpu:,.0f} ms | {each.cpu / cold:.3f} | {shown} | {verdict} |")
    return "\n".join(rows) + "\n"


def write(tables: list[str], readme: Path, start: str = START, end: str = END) -> None:
    """Put the tables into the page between two markers, in place of those that are there."""
    before, _, rest = readme.read_text(encoding="utf-8").partition(start)
    _, _, behind = rest.partition(end)
    readme.write_text("\n\n".join((before + start, *(each.strip() for each in tables), end + behind)), encoding="utf-8")


def main() -> None:
    """Measure the folders of the command line, and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--files", type=int, default=5, help="how many files are edited in each situation")
    parser.add_argument("--page", action="store_true", help="write the tables into README.md")
    parser.add_argument("--lintpickle", type=Path, help="the program to measure (default: this checkout, installed)")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "lintpickle-benchmarks")
    given = parser.parse_args()
    tool = as_given(given.lintpickle.absolute()) if given.lintpickle else install(LINTPICKLE, given.cache)
    program = Path(tool.command("check")[0])
    tables: list[str] = []
    try:
        with tempfile.TemporaryDirectory(prefix="lintpickle-benchmarks-") as scratch:
            runner = Runner(Path(scratch) / "home")
            for folder in given.folders:
                checkout = Checkout(folder.resolve(), Path(scratch), runner, program)
                tables.append(table(folder.name, len(checkout.files), list(measured(checkout, given.files))))
                print(tables[-1], flush=True)
        if given.page:
            write(tables, README)
    except LintpickleError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    os.umask(0o077)
    main()
