"""What `trace` names for tracebacks of public threads, in the sources of their time:
`python -m tools.traced_threads --histories DIR`.

`tests/tracebacks/threads/lines.tsv` says by hand, for each thread whose repository could be had, the commit at which
the traceback's quoted lines stand (or the last one before the thread), and the lines that cause the error. A history is
a clone, `DIR/owner+name` or `DIR/owner+name/repo`. Its tree is written to a temporary folder; nothing of it is run.

A row is printed for each thread: "right" if the first line that `trace` names is one of those, "among" if a later one
is, "other" if only others are named, "none" if nothing is. Threads for which no line of the repository is to blame are
left out. The exit code is 1 if one that the table calls right is not.
"""

from __future__ import annotations

import argparse
import csv
import io
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lintpickle.diagnostics import Location
from lintpickle.settings import SettingsResolver
from lintpickle.tracebacks import Explanation, explain

THREADS = Path(__file__).resolve().parent.parent / "tests" / "tracebacks" / "threads"
TABLE = THREADS / "lines.tsv"
NO_LINE = "-"


@dataclass(frozen=True)
class Traced:
    """A row of the table. `lines` are the "path:row"s to blame, none if no line is; `named` is what `trace` said when
    the table was written, one of the words of this module's text; `note` says why."""

    thread: str
    repository: str
    commit: str
    lines: tuple[str, ...]
    named: str
    note: str


def read_table(path: Path = TABLE) -> list[Traced]:
    """The rows of the table."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Traced(
                row["thread"],
                row["repository"],
                row["commit"],
                tuple(row["lines"].split(" | ")) if row["lines"] != NO_LINE else (),
                row["named"],
                row["note"],
            )
            for row in rows
        ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0 if nothing that was right is wrong now, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.traced_threads")
    parser.add_argument("threads", nargs="*", help="only these")
    parser.add_argument("--histories", type=Path, required=True, metavar="DIR")
    given = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    lost = 0
    for row in read_table():
        history = _history(given.histories, row.repository)
        if (given.threads and row.thread not in given.threads) or not row.lines or history is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            _write_tree(history, row.commit, root)
            text = (THREADS / f"{row.thread}.txt").read_text(encoding="utf-8")
            told = explain(text, root, SettingsResolver(isolated=True, overrides={"pedantic": True}, cwd=root))
            named = list(_named(told, root))
        verdict = _verdict(row, named)
        counts[verdict] += 1
        lost += row.named == "right" != verdict
        print(row.thread, verdict, " | ".join(named[:4]) or "nothing", sep="\t", flush=True)
    print(", ".join(f"{name}: {count}" for name, count in counts.most_common()), file=sys.stderr)
    return int(lost > 0)


def _history(folder: Path, repository: str) -> Path | None:
    clone = folder / repository.replace("/", "+")
    return next((each for each in (clone / "repo", clone) if each.is_dir()), None)


def _write_tree(history: Path, commit: str, root: Path) -> None:
    """The Python of a commit. Other files do not matter, and may not be there."""
    listed = _git(history, "ls-tree", "-r", "-z", "--name-only", commit).decode(errors="surrogateescape").split("\0")
    paths = [path for path in listed if path.endswith((".py", ".pyi", ".ipynb", ".toml", ".cfg"))]
    for start in range(0, len(paths), 500):
        packed = _git(history, "archive", commit, "--", *paths[start : start + 500])
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(root, filter="data")


def _git(history: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(history), *arguments], check=True, capture_output=True).stdout


def _named(told: Explanation, root: Path) -> Iterator[str]:
    """The lines that are named, best first, as "path:row". For a finding, it is where it is reported and where its
    trail ends: what is stored, and what stores it."""
    for each in told.candidates:
        trail = each.diagnostic.trail
        places = [each.diagnostic.location, *([trail[-1].location] if trail else [])]
        yield "=".join(dict.fromkeys(_shown(place, root) for place in places))
    yield from (_shown(each.location, root) for each in told.named)


def _shown(place: Location, root: Path) -> str:
    return f"{Path(place.path).relative_to(root).as_posix()}:{place.start.row}"


def _verdict(row: Traced, named: Sequence[str]) -> str:
    right = [bool(set(each.split("=")) & set(row.lines)) for each in named]
    if not right:
        return "none"
    return "right" if right[0] else "among" if any(right) else "other"


if __name__ == "__main__":
    sys.exit(main())
