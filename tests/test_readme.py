"""What the README shows is valid. Its generated parts are checked in test_generated.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintpickle.settings import SettingsResolver

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def block(marker: str) -> str:
    """The fenced block below a marker comment."""
    match = re.search(rf"<!-- {re.escape(marker)} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert match is not None, f"the README has no block {marker!r}"
    return match[1]


def test_the_configuration_example_is_valid(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(block("example: pyproject.toml"), encoding="utf-8")
    settings = SettingsResolver(cwd=tmp_path).for_path("train.py")
    assert settings.ignore == ("LP301",)


@pytest.mark.parametrize("name", ["install", "test"])
def test_ci_finds_the_commands(name: str) -> None:
    assert block(f"ci: {name}").count("\n") == 1


def test_the_first_command_ends_with_a_finding_and_its_fix() -> None:
    command = block("ci: install").strip()
    shown = block(f"output: {command.rpartition('.venv/bin/')[2]}")
    assert "error[LP101]" in shown
    assert "= how it gets there:" in shown
    assert "+         self.class_names = list(self.class_range.keys())" in shown


def test_the_first_screen_shows_what_there_is() -> None:
    screen = README.partition("## Install")[0]
    assert len(screen.splitlines()) < 30
    for command in ("check", "trace", "probe", "migrate"):
        assert f"`lintpickle {command}" in screen
    assert "cannot pickle" in screen
