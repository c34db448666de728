"""LP900: syntax-error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP900"


def codes(folder: Path) -> list[str]:
    return [each.code for each in lint_paths([str(folder)], resolver=SettingsResolver(isolated=True)).diagnostics]


SETUP = "conda create --name rows python=3.11\npip install -r requirements.txt\n"


@pytest.mark.parametrize(
    ("first", "shown"),
    [
        ("#!/bin/bash\n", []),
        ("#!/usr/bin/env bash\n", []),
        ("#! /bin/sh -e\n", []),
        ("#!/usr/bin/perl\n", []),
        ("", ["LP900"]),
        ("# a script\n", ["LP900"]),
        ("#!/usr/bin/env python3\n", ["LP900"]),
        ("#!/opt/python/bin/python\n", ["LP900"]),
        ("#!/usr/bin/pypy\n", ["LP900"]),
        ("#!/usr/bin/env -S ipython3\n", ["LP900"]),
    ],
)
def test_a_script_for_another_interpreter(first: str, shown: list[str], tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text("rows = [1, 2]\n")
    (tmp_path / "set_up.py").write_text(first + SETUP)
    assert codes(tmp_path) == shown


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("workers = @WORKERS@ * 2", []),
        ("from app_##NAME## import __version__", []),
        ("x = {{ cookiecutter.size }", []),
        ("path = # where the data are", []),
        ("workers = @workers", ["LP900"]),
        ("path = = 1 ## none", ["LP900"]),
    ],
)
def test_a_template_is_filled_in_before_it_runs(row: str, shown: list[str], tmp_path: Path) -> None:
    (tmp_path / "config.py").write_text(f"x = 1\n{row}\n")
    assert codes(tmp_path) == ["LP900"]  # It is all that is checked.
    (tmp_path / "rows.py").write_text("rows = [1, 2]\n")
    assert codes(tmp_path) == shown


BROKEN = "x = 1\n        y = np.where(x)\n"


@pytest.mark.parametrize(
    ("place", "source", "shown"),
    [
        ("rows.ipynb", BROKEN, ["LP900"]),
        ("notebooks/rows.ipynb", BROKEN, ["LP900"]),
        ("doc/nb/rows.ipynb", BROKEN, []),
        ("docs-gb/examples/custom/README.ipynb", BROKEN, []),
        ("rows.ipynb", "# %load requirements.txt\nnumpy==1.22.4\njax==0.2.24\n", []),
        ("rows.ipynb", "# %load model.py\nnumpy==1.22.4\n", ["LP900"]),
        ("rows.ipynb", "# load requirements.txt\nnumpy==1.22.4\n", ["LP900"]),
    ],
)
def test_cells_of_notebooks(place: str, source: str, shown: list[str], tmp_path: Path) -> None:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": each}
        for each in ("import torch", source)
    ]
    notebook = tmp_path / place
    notebook.parent.mkdir(parents=True, exist_ok=True)
    notebook.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    (tmp_path / "rows.py").write_text("rows = [1, 2]\n")
    (tmp_path / "pyproject.toml").write_text("")
    assert codes(tmp_path) == shown
