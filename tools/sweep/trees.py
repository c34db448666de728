"""The trees that a sweep lints: packages of the index, downloaded on demand, and checkouts that lie in a folder."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.real_code import unpack

PINS = Path(__file__).resolve().parent / "trees.tsv"
PYTHON = "3.12"
"""The Python for which wheels are chosen."""

_PLATFORMS = ("manylinux1_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64", "any")


@dataclass(frozen=True)
class Pin:
    """A package ("pypi") at its version or a repository ("github") at its commit."""

    kind: str
    name: str
    version: str

    @property
    def folder(self) -> str:
        """The name of its folder: in the cache for packages, among the checkouts for repositories."""
        return f"{self.name}-{self.version}" if self.kind == "pypi" else self.name.replace("/", "+")


@dataclass(frozen=True)
class Tree:
    """A pin whose files are there, and how much Python is below `folder`."""

    pin: Pin
    folder: Path
    files: int
    lines: int


def read_pins(path: Path = PINS) -> list[Pin]:
    """The pins of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Pin(row["kind"], row["name"], row["version"]) for row in rows]


def trees(pins: list[Pin], cache: Path, checkouts: Path | None) -> Iterator[Tree]:
    """The trees of those pins that can be had; of the others, a line on standard error says which."""
    for pin in pins:
        folder = _package(pin, cache) if pin.kind == "pypi" else _checkout(pin, checkouts)
        if folder is None:
            print(f"absent: {pin.kind} {pin.name} {pin.version}", file=sys.stderr)
        else:
            sources = [path.read_bytes() for path in folder.rglob("*.py") if path.is_file()]
            yield Tree(pin, folder, len(sources), sum(source.count(b"\n") for source in sources))


def _checkout(pin: Pin, checkouts: Path | None) -> Path | None:
    folder = checkouts / pin.folder if checkouts is not None else None
    return folder if folder is not None and folder.is_dir() else None


def _package(pin: Pin, cache: Path) -> Path | None:
    """The unpacked wheel of a package. Only wheels: pip runs the code of a source distribution to know its name."""
    folder = cache / "packages" / pin.folder
    if folder.is_dir():
        return folder
    wheels = cache / "archives" / pin.folder
    wheels.mkdir(parents=True, exist_ok=True)
    if not any(wheels.glob("*.whl")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        target = ["--python-version", PYTHON, *(f"--platform={name}" for name in _PLATFORMS), "--dest", str(wheels)]
        subprocess.run([*pip, *target, f"{pin.name}=={pin.version}"], check=False, capture_output=True)
    wheel = next(wheels.glob("*.whl"), None)
    if wheel is None:
        return None
    unfinished = folder.with_name(folder.name + ".unfinished")
    unpack(wheel, unfinished)
    unfinished.mkdir(parents=True, exist_ok=True)
    unfinished.rename(folder)
    return folder


def empty_environment(cache: Path) -> Path:
    """A virtual environment's folder in which nothing is installed: no tree may see what this machine has."""
    prefix = cache / "environment"
    version = "{}.{}".format(*sys.version_info)
    (prefix / "lib" / f"python{version}" / "site-packages").mkdir(parents=True, exist_ok=True)
    (prefix / "pyvenv.cfg").write_text(f"version = {version}\n", encoding="utf-8")
    return prefix
