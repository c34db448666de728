"""The section "A saved file does not load" of the page "I have an error": its examples give what it shows."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.commands import app

from .support import Made, dumped

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
STEP = re.compile(r"<!-- (file|run|write|output): ([^\n]+?) -->(?:\n```\w+\n(.*?)```)?", re.DOTALL)


def test_the_examples_give_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## A saved file does not load\n")[2].partition("\n## ")[0]
    monkeypatch.chdir(tmp_path)
    shown = []
    for kind, name, text in STEP.findall(section):
        if kind == "file":
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        elif kind == "run":
            subprocess.run([sys.executable, name], check=True)
        elif kind == "write":
            target, path = name.split()
            (tmp_path / "person.py").unlink()
            (tmp_path / target).write_bytes(dumped([Made(path, "Ann")], 4))
        else:
            result = CliRunner().invoke(app, [*name.split()[1:], "--isolated"])
            assert (result.exit_code, result.stdout) == (1, text)
            shown.append(name)
    assert shown == ["lintpickle inspect people.pkl", "lintpickle inspect moved.pkl"]


def test_the_lines_of_the_page_help(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "people.py").write_text("class Person:\n    def __init__(self, name): self.name = name\n")
    (tmp_path / "moved.pkl").write_bytes(dumped([Made("person.Person", "Ann")], 4))
    text = PAGE.read_text(encoding="utf-8")
    help_ = text[text.index("moved.pkl  pickle") :].partition("help: ")[2].partition("\n\n")[2].partition("\n\n")[0]
    lines = [line.strip() for line in help_.splitlines()]
    code = "\n".join([*lines, "import pickle", "print(pickle.load(open('moved.pkl', 'rb'))[0].name)"])
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout == "Ann\n", ran.stderr
    assert pickle.HIGHEST_PROTOCOL >= 4
