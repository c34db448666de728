"""Packages whose own tests run without a network, for `tools.fix_sweep`: in each of them lintpickle fixes something.

`tested_packages.tsv` names them: `arguments` are pytest's, `path` is the folder of the source distribution that the
package is in, and `needs` are the packages that the tests import; torch comes from elsewhere. What is `unfixed` is left
as it is: there, tests want that an object cannot cross. In `outcome`, the last sweep is told: how many fixes were made
in how many files, and how many tests passed before and after.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_suffix(".tsv")


class Row(NamedTuple):
    """A tree, and how its tests are run: by which interpreter (None: not), arguments of pytest, folder of packages; and
    what is not fixed."""

    tree: Path
    python: str | None
    arguments: str
    path: str
    unfixed: str


def tested_rows(cache: Path, names: Sequence[str], torch: str | None) -> Iterator[Row]:
    """The packages of the table, or those of these names, downloaded to a folder. Without an interpreter that has
    torch, those that need it are left out. Sets PYTHONPATH to where torch is."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        packages = [row for row in csv.DictReader(file, delimiter="\t") if not names or row["name"] in names]
    cache = cache.resolve()
    needs = {name for row in packages for name in row["needs"].split()} - {"torch"}
    python = _environment(cache / "venv", sorted({"pytest", *needs}))
    if torch is not None:
        asked = [torch, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        os.environ["PYTHONPATH"] = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    for row in packages:
        if "torch" in row["needs"].split() and torch is None:
            print(f"{row['name']}: left out, because its tests need torch", file=sys.stderr)
            continue
        yield Row(_source(row["name"], row["version"], cache), python, row["arguments"], row["path"], row["unfixed"])


def _environment(folder: Path, needs: Sequence[str]) -> str:
    """The interpreter of an environment with these packages."""
    if not folder.exists():
        venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *needs], check=True)
    return python


def _source(name: str, version: str, cache: Path) -> Path:
    """The folder of an unpacked source distribution."""
    folder = cache / f"{name}-{version}"
    if not folder.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"--no-binary={name}"]
        archives = cache / "archives" / name
        subprocess.run([*command, "--dest", str(archives), f"{name}=={version}"], check=True)
        [archive] = archives.iterdir()
        with tarfile.open(archive) as packed:
            packed.extractall(archives, filter="data")
        [unpacked] = (each for each in archives.iterdir() if each.is_dir())
        unpacked.rename(folder)
    return folder
