"""SARIF files before Microsoft's own validator, from the npm package `@microsoft/sarif-multitool`.

It is looked for where NODE_PATH points.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.commands import app
from tests.server.conftest import need

pytestmark = pytest.mark.client

_COMPLAINT = re.compile(r"\b(?:error|warning|note) (?:SARIF|GH|JSON)\d+", re.IGNORECASE)


@pytest.fixture(scope="module")
def multitool() -> str:
    folders = [Path(folder, ".bin") for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    found = shutil.which("sarif-multitool", path=os.pathsep.join([*map(str, folders), os.environ["PATH"]]))
    need(found, "sarif-multitool")
    assert found is not None
    return found


def _complaints(multitool: str, path: Path) -> list[str]:
    done = subprocess.run([multitool, "validate", str(path)], capture_output=True, encoding="utf-8", timeout=240)
    assert "1 files scanned" in done.stdout, done.stdout + done.stderr
    return _COMPLAINT.findall(done.stdout)


def _checked(folder: Path) -> Path:
    path = folder / "out.sarif"
    arguments = ["check", "--output-format", "sarif", "--output-file", str(path), "--exit-zero", str(folder)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return path


def test_findings_with_trails_and_fixes(multitool: str, project: Path) -> None:
    (project / "odd né %.py").write_bytes((project / "pkg/data.py").read_bytes().replace(b"\n", b"\r\n"))
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": (project / "pkg/data.py").read_text("utf-8")}
    ]
    (project / "nb.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
    (project / "broken.py").write_text("def f(:\n")
    path = _checked(project)
    results = json.loads(path.read_text("utf-8"))["runs"][0]["results"]
    assert {"LP101", "LP102", "LP204", "LP900"} <= {result["ruleId"] for result in results}
    assert any("codeFlows" in result for result in results) and any("fixes" in result for result in results)
    assert _complaints(multitool, path) == []


def test_a_run_without_findings(multitool: str, tmp_path: Path) -> None:
    (tmp_path / "quiet.py").write_text("x = 1\n")
    assert _complaints(multitool, _checked(tmp_path)) == []


def test_the_validator_complains_where_it_should(multitool: str, project: Path) -> None:
    path = _checked(project)
    log = json.loads(path.read_text("utf-8"))
    log["runs"][0]["results"][0]["ruleIndex"] = 77
    path.write_text(json.dumps(log), encoding="utf-8")
    assert _complaints(multitool, path)
