"""What is not known, in reports for people: limits are left out where something breaks anyway."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration import migration_format
from lintpickle.migration.model import Boundary, Finding, Gap, Migration, Spot
from lintpickle.report.context import ReportContext
from tests.migration.test_migrate import migrated

_SPOT = Spot("/project/program.py", 3)
_GAPS = (Gap("the limit of 9 nested calls was reached", _SPOT, is_limit=True), Gap("`args[1]` is not known", _SPOT))


def _finding(folder: Path) -> Finding:
    start = "multiprocessing.Process(target=print, args=(lambda: 1,)).start()"
    text = f"import multiprocessing\n\n\ndef go():\n    {start}\n"
    [boundary] = migrated(folder, program=text).boundaries
    return boundary.findings[0]


def _shown(name: str, findings: tuple[Finding, ...], folder: Path) -> str:
    methods = (StartMethod.FORKSERVER,)
    boundary = Boundary("Process()", "work", _SPOT, methods, findings, _GAPS)
    found = Migration(StartMethod.FORKSERVER, "3.14", (boundary,), (), 1)
    return migration_format(name).render(found, ReportContext(folder))


@pytest.mark.parametrize("name", ["full", "html", "markdown"])
def test_limits_do_not_matter_where_it_breaks(name: str, tmp_path: Path) -> None:
    shown = _shown(name, (_finding(tmp_path),), tmp_path)
    assert "nested calls" not in shown
    assert "is not known" in shown


@pytest.mark.parametrize("name", ["full", "html", "markdown"])
def test_they_do_where_nothing_is_known_to_break(name: str, tmp_path: Path) -> None:
    assert "nested calls" in _shown(name, (), tmp_path)


def test_json_has_them_all(tmp_path: Path) -> None:
    assert "nested calls" in _shown("json", (_finding(tmp_path),), tmp_path)
