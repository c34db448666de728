"""Reports for other programs, read as those programs read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lintpickle.commands import app
from tests.integrations.conftest import need

pytestmark = pytest.mark.integration

GITLAB: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "pattern": "^LP[0-9]{3}$"},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "positions"],
                "properties": {
                    "path": {"type": "string", "not": {"pattern": r"^(\./|/)|\\"}},
                    "positions": {
                        "type": "object",
                        "required": ["begin"],
                        "additionalProperties": {
                            "type": "object",
                            "required": ["line", "column"],
                            "additionalProperties": {"type": "integer", "minimum": 1},
                        },
                    },
                },
            },
        },
    },
}
"""What GitLab's documentation asks of a code quality report."""


def _report(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CI_PROJECT_DIR", raising=False)
    result = CliRunner().invoke(app, ["check", "--output-format", name, "--exit-zero", "."])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_gitlab_takes_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("jsonschema")
    from jsonschema import Draft202012Validator

    issues = json.loads(_report("gitlab", project, monkeypatch))
    Draft202012Validator(GITLAB).validate(issues)
    assert {issue["check_name"] for issue in issues} == {"LP101", "LP102"}
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    assert all((project / issue["location"]["path"]).is_file() for issue in issues)


def test_junitparser_reads_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("junitparser")
    from junitparser import Failure, JUnitXml

    suites = list(JUnitXml.fromstring(_report("junit", project, monkeypatch).encode()))
    assert [(suite.name, suite.tests, suite.failures) for suite in suites] == [
        ("pkg/config.py", 1, 1),
        ("pkg/data.py", 1, 1),
    ]
    [case] = list(suites[1])
    [failure] = case.result
    assert isinstance(failure, Failure) and "lambda" in failure.message


def test_junitparser_reads_a_run_without_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("junitparser")
    from junitparser import JUnitXml

    (tmp_path / "quiet.py").write_text("x = 1\n")
    report = JUnitXml.fromstring(_report("junit", tmp_path, monkeypatch).encode())
    report.update_statistics()
    assert (report.tests, report.failures, report.errors) == (1, 0, 0)
