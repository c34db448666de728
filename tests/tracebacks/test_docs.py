"""The section "A traceback" of the page "I have an error": its example gives what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.commands._group import app

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"<!-- (file|output): ([^\n]+?) -->\n```\w+\n(.*?)```", re.DOTALL)


def test_the_example_gives_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = PAGE[PAGE.index("\n## A traceback\n") :].partition("\n## ")[2]
    section = section.partition("\n## ")[0]
    monkeypatch.chdir(tmp_path)
    shown = []
    for kind, name, text in BLOCK.findall(section):
        if kind == "file":
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        command, *arguments = name.split()
        assert command == "lintpickle"
        result = CliRunner().invoke(app, [*arguments, "--isolated"])
        assert (result.exit_code, result.stdout) == (0, text)
        shown.append(name)
    assert shown == ["lintpickle trace error.txt"]
