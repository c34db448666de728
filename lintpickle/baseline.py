"""A baseline: the findings that a project has accepted, stored in a file, so that only new ones are reported.

A finding is identified by its rule, its file and the text of its row, so it does not matter if rows above it are added
or removed. Of several identical findings, as many are accepted as are in the file. A finding with several places is
identified by any of them, so it stays accepted if another place is added. The file is JSON, sorted, so that it can be
reviewed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from lintpickle import disk
from lintpickle.diagnostics import Diagnostic, LintpickleError, told_at
from lintpickle.report import ReportContext
from lintpickle.source.document import Document

VERSION = 1
_LARGEST = 100_000_000

BaselineSource = Callable[[str], Document | None]
"""The document of a file, by absolute path; None if it cannot be read."""


class AcceptedFinding(Struct, frozen=True, order=True):
    """What a finding is known by. `path` counts from the folder of the baseline, with forward slashes; `row` is the
    text of the finding's row, its white space made plain."""

    path: str
    code: str
    row: str


class Compared(Struct, frozen=True):
    """`new` findings, in the order given; how many were `known`; how many entries fit nothing any more (`gone`)."""

    new: tuple[Diagnostic, ...]
    known: int
    gone: int


class Baseline(Struct, frozen=True):
    """The accepted findings, and how many there are of each."""

    counts: Mapping[AcceptedFinding, int]
    folder: Path

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic], folder: Path, source: BaselineSource) -> Baseline:
        """The baseline that accepts these findings and is to lie in `folder`."""
        known = _Reader(folder, source)
        return cls(Counter(known(each) for each in diagnostics), folder)

    def compare(self, diagnostics: Iterable[Diagnostic], source: BaselineSource, checked: Sequence[Path]) -> Compared:
        """Separate new findings from accepted ones. `checked` are the absolute files and folders that were checked:
        accepted findings in other files do not count as gone."""
        known = _Reader(self.folder, source)
        left = Counter(self.counts)
        new: list[Diagnostic] = []
        count = 0
        for diagnostic in diagnostics:
            keys = [known(diagnostic), *(known(told_at(diagnostic, each)) for each in diagnostic.related)]
            accepted = [key for key in keys if left[key] > 0]
            left.subtract(dict.fromkeys(accepted, 1))
            if accepted:
                count += 1
            else:
                new.append(diagnostic)
        gone = sum(number for key, number in left.items() if self._is_below(key, checked))
        return Compared(tuple(new), count, gone)

    def _is_below(self, key: AcceptedFinding, folders: Sequence[Path]) -> bool:
        path = Path(os.path.abspath(self.folder / key.path))
        return any(path.is_relative_to(folder) for folder in folders)

    def text(self) -> str:
        """The content of the file."""
        findings = [
            {"path": key.path, "code": key.code, "row": key.row, "count": count}
            for key, count in sorted(self.counts.items())
        ]
        return json.dumps({"version": VERSION, "findings": findings}, indent=2, ensure_ascii=False) + "\n"


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises `LintpickleError` if the file is missing or not well formed."""
    remedy = "write it with --write-baseline"
    try:
        value: Any = json.loads(disk.text(path, limit=_LARGEST))
    except FileNotFoundError:
        raise LintpickleError(f"{path}: there is no such baseline; {remedy}") from None
    except OSError as error:
        raise LintpickleError(f"{path}: the baseline cannot be read: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise LintpickleError(f"{path}:{error.lineno}:{error.colno}: not a baseline: {error.msg}; {remedy}") from None
    except (ValueError, RecursionError):  # no UTF-8, a number of thousands of digits, or nested too deeply
        raise LintpickleError(f"{path}: not a baseline; {remedy}") from None
    version = value.get("version") if isinstance(value, dict) else None
    if version != VERSION:
        raise LintpickleError(f"{path}: not a baseline of version {VERSION}; {remedy}")
    counts: Counter[AcceptedFinding] = Counter()
    for number, entry in enumerate(_entries(value), 1):
        match entry:
            case {"path": str(file), "code": str(code), "row": str(row), "count": int(count)} if count > 0:
                counts[AcceptedFinding(file, code, row)] += count
            case _:
                raise LintpickleError(f"{path}: finding {number} of the baseline is not well formed; {remedy}")
    return Baseline(counts, Path(os.path.abspath(path.parent)))


def _entries(value: dict[str, Any]) -> list[Any]:
    findings = value.get("findings")
    return findings if isinstance(findings, list) else [None]


class _Reader:
    """What findings are known by, in a baseline that lies in `folder`."""

    def __init__(self, folder: Path, source: BaselineSource) -> None:
        self._folder = folder
        self._context = ReportContext(cwd=folder, source=source)

    def __call__(self, diagnostic: Diagnostic) -> AcceptedFinding:
        location = diagnostic.location
        row = " ".join(self._context.row_text(location, location.start.row).split())
        return AcceptedFinding(_relative(location.path, self._folder), diagnostic.code, row)


def _relative(path: str, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # on another drive
        return Path(path).as_posix()
