"""A file that cannot be written is named with a remedy, keeps its findings, and costs no other file its fixes."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lintpickle.commands import app

SOURCE = """\
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __init__(self, names):
        self.names = names.keys()

    def __getitem__(self, index):
        return index


def main():
    for batch in DataLoader(Boxes({}), num_workers=2):
        pass
"""
FIXED = SOURCE.replace("names.keys()", "list(names.keys())")
NAMES = ("a.py", "b.py", "c.py")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in NAMES:
        (tmp_path / name).write_text(SOURCE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "."], prog_name="lintpickle")


def texts(tree: Path) -> list[str]:
    return [(tree / name).read_text(encoding="utf-8") for name in NAMES]


def fail_on_b(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    replace = Path.replace

    def fail(self: Path, target: Path) -> Path:
        if target.name == "b.py":
            raise OSError(number, os.strerror(number))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_a_read_only_file(tree: Path) -> None:
    (tree / "b.py").chmod(0o444)
    result = run("check", "--isolated", "--fix", "--output-format=concise")
    assert result.exit_code == 2
    assert texts(tree) == [FIXED, SOURCE, FIXED]
    assert [line.split(":")[0] for line in result.stdout.splitlines() if "LP101" in line] == ["b.py"]
    assert result.stderr.count("error: ") == 1
    assert "b.py: the file is read-only; make it writable to have it fixed" in result.stderr
    (tree / "b.py").chmod(0o644)
    assert run("check", "--isolated", "--fix").exit_code == 0
    assert texts(tree) == [FIXED] * 3


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.ENOSPC, "make room"), (errno.EROFS, "its folder must be writable"), (errno.EIO, "when that is mended")],
)
def test_what_the_system_refuses(tree: Path, number: int, remedy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_on_b(monkeypatch, number)
    for arguments in (["check", "--fix-only"], ["check", "--fix", "--exit-zero"]):
        result = run(*arguments, "--isolated")
        assert result.exit_code == 2
        assert f"{os.strerror(number)}; " in result.stderr and remedy in result.stderr
    assert texts(tree) == [FIXED, SOURCE, FIXED]
    assert sorted(path.name for path in tree.iterdir()) == list(NAMES)


def test_comments(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_on_b(monkeypatch, errno.ENOSPC)
    result = run("check", "--isolated", "--add-ignore", "--output-format=concise")
    assert result.exit_code == 2
    assert "wrote 2 suppression comments to 2 files" in result.stderr and "No space left" in result.stderr
    assert ["# lintpickle: ignore[LP101]" in text for text in texts(tree)] == [True, False, True]
    assert [line.split(":")[0] for line in result.stdout.splitlines() if "LP101" in line] == ["b.py"]


def test_migration(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_on_b(monkeypatch, errno.ENOSPC)
    result = run("migrate", "--isolated", "--fix")
    assert result.exit_code == 2
    assert "2 problems fixed" in result.stderr and "No space left" in result.stderr
    assert texts(tree) == [FIXED, SOURCE, FIXED]
