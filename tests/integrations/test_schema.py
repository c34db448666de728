"""The schema of the settings, as validate-pyproject meets it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lintpickle.schema import get_schema
from lintpickle.settings import options
from tests.integrations.conftest import need


def test_it_knows_every_option() -> None:
    assert set(get_schema("lintpickle")["properties"]) == {option.name for option in options()}


@pytest.mark.integration
@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ('select = ["LP1"]', None),
        ('[tool.lintpickle.per-file-ignores]\n"tests/" = ["LP1"]', None),
        ('selct = ["LP1"]', "selct"),
        ('start-methods = ["thread"]', "start-methods"),
        ("pedantic = 1", "pedantic"),
    ],
)
def test_validate_pyproject(setting: str, complaint: str | None, tmp_path: Path) -> None:
    need("validate_pyproject", "validate_pyproject.tool_schema")
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.lintpickle]\n{setting}\n")
    command = [sys.executable, "-m", "validate_pyproject", str(path)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == (complaint is not None), run.stdout + run.stderr
    if complaint is not None:
        assert "tool.lintpickle" in run.stdout + run.stderr
        assert complaint in run.stdout + run.stderr
