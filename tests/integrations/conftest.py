"""A small project with one finding whose cause lies in another file, and what real hosts need."""

from __future__ import annotations

import os
import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

CONFIG = """\
class Config:
    def __init__(self, ranges):
        self.ranges = ranges
        self.names = self.ranges.keys()


class Quiet:
    def __init__(self, ranges):
        self.names = ranges.keys()  # noqa: LP101
"""

DATA = """\
from torch.utils.data import DataLoader, Dataset

from pkg.config import Config, Quiet


class Boxes(Dataset):
    def __init__(self):
        self.config = Config({"car": 1})
        self.quiet = Quiet({})
        self.label = "é😋"; self.f = lambda x: x

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return index


loader = DataLoader(Boxes(), num_workers=2)
"""

DICT_VIEW = ("pkg/config.py", 4, 22, "LP101")
"""Path, row, column from 1, code."""

LAMBDA = ("pkg/data.py", 10, 37, "LP102")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of two modules; `pkg/config.py` alone looks harmless."""
    folder = tmp_path / "project"
    (folder / "pkg").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "project"\n')
    (folder / "pkg" / "__init__.py").touch()
    (folder / "pkg" / "config.py").write_text(CONFIG)
    (folder / "pkg" / "data.py").write_text(DATA, encoding="utf-8")
    return folder


def need(package: str, group: str | None = None) -> None:
    """Skip the test unless the package, and lintpickle's entry point for it, are installed; with
    LINTPICKLE_REQUIRE_INTEGRATIONS set, fail."""
    try:
        installed = find_spec(package) is not None
    except ModuleNotFoundError:  # the package around it
        installed = False
    if group is not None:
        installed = installed and any(each.value.startswith("lintpickle.") for each in entry_points(group=group))
    require(installed, f"{package} or lintpickle's entry point for it")


def require(installed: bool, what: str) -> None:
    """Skip the test unless it is installed; with LINTPICKLE_REQUIRE_INTEGRATIONS set, fail."""
    if not installed and os.environ.get("LINTPICKLE_REQUIRE_INTEGRATIONS"):
        pytest.fail(f"{what} is not installed in {sys.prefix}")
    if not installed:
        pytest.skip(f"{what} is not installed")
