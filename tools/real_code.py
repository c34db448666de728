"""Measures the linter on real code: lints published packages and repositories in which hazards are known.

python -m tools.real_code [--cache DIR] [--repos DIR] [--only NAME] [--rows FILE]

The rows stand in `tests/real_code.tsv`. Packages of the index are downloaded by pip (pinned, without dependencies,
nothing of theirs is installed or run, except that pip asks an sdist for its metadata: for those, setuptools must be
installed) and unpacked below `--cache`. Repositories are not downloaded: `--repos` names a folder that holds a
checkout of each at its commit, named `owner+name`. Rows whose source is not there are listed as absent.

A row with a category `negative:…` must be silent at its statement; any other must be found there by one of its
rules (codes or prefixes); "found (trail)" says that the report stands elsewhere and its trail passes there. Everything
is linted with --pedantic; what only that shows is marked so, and does not make a negative row noisy. The exit code is 1
if a row is missed or noisy.
"""

from __future__ import annotations

import argparse
import ast
import csv
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence, Diagnostic, Location
from lintpickle.settings import SettingsResolver

ROWS = Path(__file__).resolve().parent.parent / "tests" / "real_code.tsv"
PYTHON = "3.11"
PLATFORMS = ("manylinux1_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64", "any")


@dataclass(frozen=True)
class Source:
    """A package ("pypi") or repository ("github") at a version or commit, and the packages ("name==version") that
    are linted as its dependencies."""

    kind: str
    name: str
    version: str
    needs: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """The name of its folder in the cache or among the repositories."""
        return f"{self.name}-{self.version}" if self.kind == "pypi" else self.name.replace("/", "+")


@dataclass(frozen=True)
class Row:
    """A place in real code of which it is known whether it is a hazard. `line` is 1-based."""

    source: Source
    path: str
    line: int
    category: str
    rules: tuple[str, ...]

    @property
    def negative(self) -> bool:
        return self.category.startswith("negative:")

    def __str__(self) -> str:
        return f"{self.source.name} {self.path}:{self.line}"


@dataclass(frozen=True)
class Result:
    """What was reported at the statement of a row, and what was reported elsewhere with a trail that passes there;
    `found` is None if the row's file is not there."""

    row: Row
    found: tuple[Diagnostic, ...] | None
    passing: tuple[Diagnostic, ...] = ()

    @property
    def verdict(self) -> str:
        """found, found (pedantic), found (trail), missed, silent, noisy or absent."""
        if self.found is None:
            return "absent"
        shown = [each for each in self.found if each.confidence is not Confidence.POSSIBLE]
        if self.row.negative:
            return "noisy" if shown else "silent"
        if any(each.code.startswith(self.row.rules) for each in shown):
            return "found"
        if any(each.code.startswith(self.row.rules) for each in self.found):
            return "found (pedantic)"
        return "found (trail)" if any(each.code.startswith(self.row.rules) for each in self.passing) else "missed"


def read_rows(path: Path) -> list[Row]:
    """The rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Row(
                Source(entry["source"], entry["name"], entry["version"], tuple(entry["needs"].split())),
                entry["path"],
                int(entry["line"]),
                entry["category"],
                tuple(entry["rules"].split()),
            )
            for entry in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def download(requirement: str, cache: Path) -> Path | None:
    """The folder of an unpacked package ("name==version"), downloaded if it is not there; None if pip cannot."""
    folder = cache / requirement.replace("==", "-")
    if folder.is_dir():
        return folder
    archives = cache / "archives" / folder.name
    archives.mkdir(parents=True, exist_ok=True)
    wheel = ["--only-binary", ":all:", "--python-version", PYTHON, *(f"--platform={name}" for name in PLATFORMS)]
    sdist = ["--no-binary", ":all:", "--no-build-isolation"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(archives), requirement]
    for options in (wheel, sdist):
        if next(archives.iterdir(), None) is None:
            subprocess.run([*pip, *options], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    archive = next(archives.iterdir(), None)
    if archive is None:
        return None
    unpack(archive, folder)
    return folder


def unpack(archive: Path, folder: Path) -> None:
    """Unpack the Python files of a wheel or sdist; an sdist without the folder around its files."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as wheel:
            files = {name: wheel.read(name) for name in wheel.namelist() if name.endswith(".py")}
    else:
        with tarfile.open(archive) as sdist:
            files = {}
            for member in sdist.getmembers():
                content = sdist.extractfile(member) if member.isfile() and member.name.endswith(".py") else None
                if content is not None:
                    files[member.name.partition("/")[2]] = content.read()
    for name, data in files.items():
        target = folder / name
        if target.resolve().is_relative_to(folder.resolve()):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def environment(source: Source, cache: Path) -> Path:
    """A folder that looks like a virtual environment in which nothing but the source's needs are installed."""
    prefix = cache / "environments" / ("+".join(source.needs) or "empty")
    packages = prefix / "lib" / f"python{PYTHON}" / "site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    (prefix / "pyvenv.cfg").write_text(f"version = {PYTHON}\n", encoding="utf-8")
    folders = [folder for need in source.needs if (folder := download(need, cache)) is not None]
    (packages / "needs.pth").write_text("".join(f"{folder}\n" for folder in folders), encoding="utf-8")
    return prefix


def lint(folder: Path, prefix: Path) -> list[Diagnostic]:
    """Everything that the linter reports below `folder`, with the packages of the environment `prefix`."""
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True, "python": str(prefix)}, cwd=folder)
    return list(lint_paths([str(folder)], resolver=resolver).diagnostics)


def statement(text: str, line: int) -> range:
    """The lines of the innermost statement that holds a line; of a compound one, those down to its body."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return range(line, line + 1)
    best = range(line, line + 1)
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        last = max(node.lineno, body[0].lineno - 1) if isinstance(body, list) else node.end_lineno or node.lineno
        if first <= line <= last:
            best = range(first, last + 1)
    return best


def measure(source: Source, rows: Sequence[Row], cache: Path, repos: Path | None) -> Iterator[Result]:
    """Lint one source and look at its rows."""
    if source.kind == "pypi":
        folder = download(f"{source.name}=={source.version}", cache)
    else:
        folder = repos / source.folder if repos is not None else None
    if folder is None or not folder.is_dir():
        yield from (Result(row, None) for row in rows)
        return
    diagnostics = lint(folder, environment(source, cache))
    for row in rows:
        file = folder / row.path
        if not file.is_file():
            yield Result(row, None)
            continue
        lines = statement(file.read_text(encoding="utf-8", errors="replace"), row.line)
        here = tuple(each for each in diagnostics if _is_in(each.location, file, lines))
        passing = (each for each in diagnostics if any(_is_in(step.location, file, lines) for step in each.trail))
        yield Result(row, here, tuple(passing))


def _is_in(location: Location, file: Path, lines: range) -> bool:
    return location.path == str(file) and location.start.row in lines


def table(results: Iterable[Result]) -> Iterator[str]:
    """The results as lines: verdict, category, codes that were found, row."""
    for result in results:
        codes = ",".join(sorted({each.code for each in result.found or ()})) or "-"
        expected = " ".join(result.row.rules) or "-"
        yield f"{result.verdict:16}  {result.row.category:28}  {expected:9}  {codes:12}  {result.row}"


def summary(results: Sequence[Result]) -> Iterator[str]:
    """Counts of each verdict, for positive and for negative rows."""
    for title, negative in (("positives", False), ("negatives", True)):
        counts = Counter(result.verdict for result in results if result.row.negative is negative)
        yield f"{title}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure lintpickle on real code in which hazards are known.")
    parser.add_argument("--cache", type=Path, default=Path("real_code_cache"), help="where packages are unpacked")
    parser.add_argument("--repos", type=Path, help="a folder with checkouts named owner+name")
    parser.add_argument("--only", default="", help="only sources whose name contains this")
    parser.add_argument("--rows", type=Path, default=ROWS, help="the table to measure by")
    options = parser.parse_args()
    cache = options.cache.absolute()
    repos = options.repos.absolute() if options.repos is not None else None
    by_source: dict[Source, list[Row]] = {}
    for row in read_rows(options.rows):
        if options.only in row.source.name:
            by_source.setdefault(row.source, []).append(row)
    results: list[Result] = []
    for source, rows in by_source.items():
        found = list(measure(source, rows, cache, repos))
        print(*table(found), sep="\n", flush=True)
        results += found
    print(*summary(results), sep="\n")
    return int(any(result.verdict in ("missed", "noisy") for result in results))


if __name__ == "__main__":
    sys.exit(main())
