"""Fixes of notebooks are judged in the notebook that they make, and are counted as they are in a plain file."""

from __future__ import annotations

import json
from pathlib import Path

from lintpickle.api import FixMode, lint_paths
from lintpickle.settings import SettingsResolver

CELLS = (
    "from torch.utils.data import DataLoader, Dataset\n",
    "class D(Dataset):\n"
    "    def __init__(self, d):\n"
    "        self.k = d.keys()\n"
    "    def __len__(self):\n"
    "        return 1\n"
    "    def __getitem__(self, i):\n"
    "        return i\n",
    "loader = DataLoader(D({}), num_workers=2, multiprocessing_context='spawn')\nnext(iter(loader))\n",
)


def _notebook(cells: tuple[str, ...]) -> str:
    code: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell.splitlines(True)}
        for cell in cells
    ]
    language = {"kernelspec": {"display_name": "Python", "language": "python", "name": "python3"}}
    return json.dumps({"cells": code, "metadata": language, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def test_what_is_fixed_in_a_notebook_is_gone_and_the_rest_still_stands(tmp_path: Path) -> None:
    file = tmp_path / "train.ipynb"
    file.write_text(_notebook(CELLS), encoding="utf-8")
    resolver = SettingsResolver(cwd=tmp_path)
    assert [each.code for each in lint_paths([str(file)], resolver=resolver).diagnostics] == ["LP204", "LP101"]
    [asked] = lint_paths([str(file)], resolver=resolver, fix=FixMode.DIFF).changes
    assert [each.code for each in asked.fixed] == ["LP101"]
    outcome = lint_paths([str(file)], resolver=resolver, fix=FixMode.WRITE)
    assert outcome.notices == ()
    assert [each.code for change in outcome.changes for each in change.fixed] == ["LP101"]
    assert [each.code for each in outcome.diagnostics] == ["LP204"]
    assert outcome.diagnostics == lint_paths([str(file)], resolver=resolver).diagnostics
    cell = "".join(json.loads(file.read_text(encoding="utf-8"))["cells"][1]["source"])
    assert cell == CELLS[1].replace("d.keys()", "list(d.keys())")
