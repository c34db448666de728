"""The probe against what pickle says, on live objects of public packages: `python -m tools.probe_packages`.

`objects.tsv` names packages, their versions, and expressions that make objects without downloads or services. In an
environment in which they are installed (`--requirements` prints the pins; of packages that need torch, install nothing
but themselves with `pip install --no-deps`), `--python PATH` makes each object, and asks the probe; `driver.py` asks
pickle whether everything that does not pickle was named, and nothing else. This runs code of those packages.

A row is printed for each object. The exit code is 1 if the probe was wrong about one.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TABLE = HERE / "objects.tsv"
SECONDS = 300
"""So long may the objects of one package take."""


@dataclass(frozen=True)
class LiveObject:
    """A row of the table: `imports` are modules, separated by spaces, that the expression needs."""

    package: str
    version: str
    imports: str
    expression: str


def read_objects(path: Path = TABLE) -> list[LiveObject]:
    """The rows of the table; those of a package stand together."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [LiveObject(row["package"], row["version"], row["imports"], row["expression"]) for row in rows]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0 if the probe was right about every object that could be made, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.probe_packages")
    parser.add_argument("packages", nargs="*", help="only these")
    parser.add_argument("--python", metavar="PATH", help="the interpreter in whose environment the packages are")
    parser.add_argument("--requirements", action="store_true", help="print the pins, and do nothing else")
    given = parser.parse_args(arguments)
    objects = [each for each in read_objects() if not given.packages or each.package in given.packages]
    if given.requirements:
        print(*dict.fromkeys(f"{each.package}=={each.version}" for each in objects), sep="\n")
        return 0
    totals = {"objects": 0, "packages": 0, "that cross": 0, "culprits": 0, "missed": 0, "needless": 0, "absent": 0}
    for package, rows in groupby(objects, key=lambda each: each.package):
        answers = list(_answers(given.python or sys.executable, list(rows)))
        totals["packages"] += any("absent" not in told for _, told in answers)
        for row, told in answers:
            print(package, row.expression[:90], _verdict(told), sep="\t", flush=True)
            _count(totals, told)
    print(", ".join(f"{name}: {count}" for name, count in totals.items()), file=sys.stderr)
    return int(totals["missed"] + totals["needless"] > 0)


def _answers(python: str, rows: Sequence[LiveObject]) -> Iterator[tuple[LiveObject, Mapping[str, Any]]]:
    asked = "".join(json.dumps({"imports": row.imports, "expression": row.expression}) + "\n" for row in rows)
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    environ.pop("LINTPICKLE_PROBE", None)
    command = [python, str(HERE / "driver.py")]
    try:
        ran = subprocess.run(
            command, input=asked, env=environ, timeout=SECONDS, capture_output=True, text=True, check=False
        )
        lines = ran.stdout.splitlines()
    except subprocess.TimeoutExpired as late:
        lines = (late.stdout or b"").decode().splitlines()
    for row, line in zip(rows, lines, strict=False):
        yield row, json.loads(line)
    for row in rows[len(lines) :]:
        yield row, {"absent": "the process ended, or did not end in time"}


def _verdict(told: Mapping[str, Any]) -> str:
    if "absent" in told:
        return f"absent: {told['absent']}"
    if (told["error"] is None) != (told["probe"] is None):
        return f"WRONG: pickle says {told['error']}, the probe {told['probe']}"
    if told["left"] is not None:
        return f"MISSED: without {len(told['culprits'])} culprits, {told['left']}"
    if told["needless"]:
        return f"NEEDLESS: {', '.join(told['needless'])}"
    if told["stopped"] is not None:
        return f"STOPPED: {told['stopped']}"
    return f"{len(told['culprits'])} culprits: {', '.join(told['culprits'][:4])}" if told["error"] else "crosses"


def _count(totals: dict[str, int], told: Mapping[str, Any]) -> None:
    if "absent" in told:
        totals["absent"] += 1
        return
    totals["objects"] += 1
    totals["that cross"] += told["error"] is None
    totals["culprits"] += len(told["culprits"])
    is_wrong = (told["error"] is None) != (told["probe"] is None)
    totals["missed"] += is_wrong or told["left"] is not None or told["stopped"] is not None
    totals["needless"] += bool(told["needless"])


if __name__ == "__main__":
    sys.exit(main())
