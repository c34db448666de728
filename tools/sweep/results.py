"""What a sweep found: one record for each tree, kept as JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

import msgspec

PARTS = ("test", "example", "doc", "demo", "benchmark", "tutorial", "notebook")
"""What the first letters of a folder's or a file's name say about the code in it."""


LEAST = 5000
"""Of trees with fewer lines, a run's start is most of what they cost: they are not compared with others."""


def place_of(path: str, cell: int | None, line: int) -> str:
    """How a place is written: "path:line", in a notebook "path[cell]:line"."""
    return f"{path}:{line}" if cell is None else f"{path}[{cell}]:{line}"


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One finding. `path` is relative to the tree, `cell` the cell of a notebook, `trail` one line for each step,
    `related` are the places of the others that have the same culprit."""

    code: str
    confidence: str
    path: str
    line: int
    message: str
    cell: int | None = None
    fix: str | None = None
    trail: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands, as `place_of` writes it."""
        return place_of(self.path, self.cell, self.line)

    @property
    def part(self) -> str:
        """The part of the project in which the finding stands: library, or one of `PARTS`."""
        if self.cell is not None:
            return "notebook"
        names = self.path.lower().split("/")
        return next((part for name in names for part in PARTS if name.strip("_").startswith(part)), "library")


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one run over one tree cost and found.

    `cpu` is in seconds, `peak` in megabytes of the largest process, `status` the exit status (None: it was stopped at
    the time limit), `errors` the end of what was written to standard error, `unreadable` whether the output
    was none.
    """

    tree: str
    version: str
    lintpickle: str
    files: int
    lines: int
    seconds: float
    cpu: float
    peak: float
    status: int | None
    errors: str = ""
    unreadable: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def ended(self) -> bool:
        """Whether the run came to its end and did what it was asked for."""
        return self.status in (0, 1) and not self.unreadable

    @property
    def cost(self) -> float:
        """CPU seconds per 1,000 lines."""
        return self.cpu / max(self.lines, 1) * 1000


def read_results(path: Path) -> dict[str, Result]:
    """The results of a file, by tree. Raises msgspec.MsgspecError if it is not one that a sweep wrote."""
    decoder = msgspec.json.Decoder(Result)
    results = (decoder.decode(line) for line in path.read_bytes().splitlines() if line.strip())
    return {result.tree: result for result in results}


def append_result(path: Path, result: Result) -> None:
    """Add a result to a file."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(result) + b"\n")


def typical_cost(results: Iterable[Result]) -> float:
    """The median of the costs of the trees that can be compared; 0 if there are none."""
    costs = [result.cost for result in results if result.ended and result.lines >= LEAST]
    return median(costs) if costs else 0.0


def slow(results: Sequence[Result], factor: float = 5.0) -> list[Result]:
    """The trees that did not end, and those whose cost per line is more than `factor` times the typical one."""
    limit = typical_cost(results) * factor
    found = [r for r in results if not r.ended or (r.lines >= LEAST and r.cost > limit > 0)]
    return sorted(found, key=lambda result: -result.cost)
