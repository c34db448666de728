"""`lintpickle.api` for other people's programs: the page's examples print what it shows, and no public name changes."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lintpickle import api

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
FILES = re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = re.findall(
    r"\n```python\n((?:from|import) (?:(?!```).)*?)```\n\n<!-- prints -->\n```text\n(.*?)```", PAGE, re.DOTALL
)

FIELDS = {
    "Diagnostic": (
        "code name message severity confidence location span noqa_row start_methods error help trail fix related where"
    ),
    "Edit": "span content",
    "FileChange": "path before after fixed",
    "Fix": "message applicability edits is_the_help",
    "Location": "path start end cell",
    "Outcome": "diagnostics changes notices files defects held_back cuts unread suggests_library pinned unwritten",
    "Position": "row column",
    "Span": "start end",
    "Step": "message location",
}
VALUES = {
    "Applicability": "safe unsafe display",
    "Confidence": "certain likely possible",
    "FixMode": "none write diff",
    "Severity": "error warning",
    "StartMethod": "fork spawn forkserver",
}
PARAMETERS = {
    "SettingsResolver": "overrides config isolated cwd",
    "lint_paths": "paths resolver fix progress store jobs moving_to checking stage counts_pinned",
    "lint_source": "text path resolver fix",
}


def test_the_page_has_its_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("<!-- prints -->") == 4


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_examples_print_what_is_shown(tmp_path: Path, code: str, printed: str) -> None:
    for name, text in FILES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert (run.stdout.replace(f"{tmp_path}/", ""), run.stderr) == (printed, "")


def test_the_public_names_are_these() -> None:
    assert set(api.__all__) == {*FIELDS, *VALUES, *PARAMETERS, "LintpickleError"}
    assert sorted(api.__all__) == list(api.__all__)


@pytest.mark.parametrize("name", FIELDS)
def test_no_field_is_missing_or_has_moved(name: str) -> None:
    assert list(getattr(api, name).__struct_fields__) == FIELDS[name].split()


@pytest.mark.parametrize("name", VALUES)
def test_no_value_is_missing(name: str) -> None:
    assert [member.value for member in getattr(api, name)] == VALUES[name].split()


@pytest.mark.parametrize("name", PARAMETERS)
def test_no_parameter_is_missing(name: str) -> None:
    assert list(inspect.signature(getattr(api, name)).parameters) == PARAMETERS[name].split()
