"""Notebooks through the command line: reported by cell, and fixed so that nothing else in the file changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.commands import app

CELLS: list[tuple[str, list[str]]] = [
    ("markdown", ["# Frames é 😋\n", "\n", "with lambda x: x in the text"]),
    ("code", ["%matplotlib inline\n", "import torch\n", "from torch.utils.data import DataLoader, Dataset\n"]),
    ("code", ["!pip install torch\n", "files = !ls\n", "'é 😋'"]),
    ("code", ["%%bash\n", "echo lambda: 0"]),
    (
        "code",
        [
            "class Frames(Dataset):\n",
            "    def __init__(self):\n",
            "        self.what = 'é 😋'; self.names = {}.keys()\n",
            "\n",
            "    def __getitem__(self, i):\n",
            "        return i",
        ],
    ),
    ("code", ["DataLoader(Frames(), num_workers=2, multiprocessing_context='spawn')"]),
]


def _notebook(indent: int | None, ascii_only: bool, joined: bool) -> str:
    cells = [
        {"cell_type": kind, "metadata": {}, "source": "".join(rows) if joined else rows}
        | ({"execution_count": 3, "outputs": [{"z": 1, "a": [1.50, 1e3]}]} if kind == "code" else {})
        for kind, rows in CELLS
    ]
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, "cells": cells}
    return json.dumps(whole, indent=indent, ensure_ascii=ascii_only) + "\n"


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", "--isolated", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    return tmp_path / "frames.ipynb"


def test_the_cell_and_its_own_row_are_reported(path: Path) -> None:
    path.write_text(_notebook(1, True, False), encoding="utf-8")
    code, output = _run("--output-format", "concise", "--select", "LP101", str(path))
    assert code == 1
    assert f"{path}:cell 5:3:41: LP101" in output


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_edited_row_changes(
    path: Path, indent: int | None, ascii_only: bool, joined: bool, newline: str
) -> None:
    before = _notebook(indent, ascii_only, joined).replace("\n", newline).encode()
    path.write_bytes(before)
    code, _ = _run("--fix", "--select", "LP101", str(path))
    assert code == 0
    assert path.read_bytes() == before.replace(b"self.names = {}.keys()", b"self.names = list({}.keys())")


def test_a_notebook_without_hazards_is_left_alone(path: Path) -> None:
    before = _notebook(2, False, False).replace("{}.keys()", "sorted({})").encode()
    path.write_bytes(before)
    assert _run("--fix", "--select", "LP101", str(path))[0] == 0
    assert path.read_bytes() == before


def test_a_comment_in_a_cell_suppresses_there_and_nowhere_else(path: Path) -> None:
    row = "self.names = {}.keys()"
    before = _notebook(1, True, False).replace(row, f"{row}  # lintpickle: ignore[LP101]")
    path.write_text(before, encoding="utf-8")
    assert _run("--select", "LP101,LP901", str(path))[0] == 0
    path.write_text(before.replace("{}.keys()", "list({})"), encoding="utf-8")
    code, output = _run("--output-format", "concise", "--select", "LP101,LP901", str(path))
    assert (code, "cell 5:3" in output, "LP901" in output) == (1, True, True)


def test_classes_defined_in_a_notebook_do_not_reach_spawned_workers(path: Path) -> None:
    path.write_text(_notebook(1, True, False), encoding="utf-8")
    _, output = _run("--output-format", "json", "--select", "ALL", str(path))
    found = {(item["code"], item["cell"]) for item in json.loads(output)}
    assert ("LP101", 5) in found
    about_notebook = [item for item in json.loads(output) if "__main__" in (item["error"] or "")]
    if not about_notebook:
        pytest.skip("no rule about classes of a notebook is there yet")


@pytest.mark.parametrize(
    ("content", "says"),
    [("{", "not valid JSON"), ("{}", "no list of cells"), ('{"cells": [1]}', "not a JSON object")],
)
def test_what_is_no_notebook_is_reported_and_left_alone(path: Path, content: str, says: str) -> None:
    path.write_text(content, encoding="utf-8")
    code, output = _run("--fix", "--output-format", "concise", str(path))
    assert code == 1
    assert "LP900" in output and says in output
    assert path.read_text(encoding="utf-8") == content
