"""Runs the programs under every start method, and writes down what came out: the truth that verdicts are held against.

    python -m tests.migration.runner PYTHON [NAME...]

runs them with that interpreter (Python 3.11 with numpy and torch) and writes `truth.tsv` anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

METHODS = ("fork", "spawn", "forkserver")
PROGRAMS = Path(__file__).with_name("programs")
TRUTH = Path(__file__).with_name("truth.tsv")
_SECONDS = 60


def programs() -> Iterator[Path]:
    """The scripts to run, in order: a file each, or the `main.py` of a folder."""
    for path in sorted(PROGRAMS.iterdir()):
        if path.suffix == ".py":
            yield path
        elif (path / "main.py").exists():
            yield path / "main.py"


def name_of(script: Path) -> str:
    """What a program is called."""
    return script.parent.name if script.name == "main.py" else script.stem


def outcome(python: str, script: Path, method: str) -> str:
    """What a program prints, or the last line of its error. It runs in a folder of its own, and reads one name."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-W", "ignore::DeprecationWarning", str(script), method]
    with TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environ,
                input="Ann\n",
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "hang"
    errors = [line for line in done.stderr.splitlines() if line and not line.startswith(" ") and "Error" in line]
    said = " / ".join(done.stdout.split("\n")).strip(" /")
    return f"error: {errors[-1]}" if errors or done.returncode else said


def main(python: str, names: list[str]) -> None:
    known = dict(row.split("\t", 1) for row in TRUTH.read_text().splitlines()) if TRUTH.exists() else {}
    rows = ["\t".join(("program", *METHODS))]
    for script in programs():
        name = name_of(script)
        if names and name not in names:
            rows.append(f"{name}\t{known[name]}")
            continue
        rows.append("\t".join((name, *(outcome(python, script, method) for method in METHODS))))
        print(rows[-1], flush=True)
    TRUTH.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
