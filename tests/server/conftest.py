"""Projects for the server's tests, and the clients they are tried with."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

HAZARDS = """\
import torch
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self):
        x = "hé 😋"; self.names = {}.keys()
        self.values = {}.values()

    def __getitem__(self, i):
        return i


DataLoader(Frames(), num_workers=2)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of one file, `bad.py`, with characters of several widths before the first hazard."""
    root = tmp_path.resolve()
    (root / "pyproject.toml").write_text("[tool.lintpickle]\nselect = ['LP101', 'LP9']\n", encoding="utf-8")
    (root / "bad.py").write_text(HAZARDS, encoding="utf-8")
    return root


def need(found: object, what: str) -> None:
    """Skip where a client is missing; fail where all clients must be there."""
    if found:
        return
    if os.environ.get("LINTPICKLE_REQUIRE_CLIENTS") == "1":
        pytest.fail(f"{what} is missing, and LINTPICKLE_REQUIRE_CLIENTS=1")
    pytest.skip(f"{what} is not installed (dependency group 'editors')", allow_module_level=True)


def need_program(name: str) -> str:
    """The path of a program."""
    path = shutil.which(name)
    need(path, name)
    assert path is not None
    return path


def need_module(name: str) -> None:
    """A Python package."""
    need(importlib.util.find_spec(name), name)
