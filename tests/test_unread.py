"""Files that cannot be read: an error in the library, a remark in tests and the like, never silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.commands import app

BROKEN = "print 'a'\n"


def _run(folder: Path, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", "--isolated", "--no-cache", *arguments, str(folder)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    for name in ("pkg/__init__.py", "tests/data/bad.py", "tests/data/worse.py", "docs/bad.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BROKEN if path.stem != "__init__" else "", encoding="utf-8")
    (tmp_path / "tests/data/worse.py").write_bytes(b"# coding: nonsense\n")
    return tmp_path


def test_in_tests_and_docs_it_is_counted(project: Path) -> None:
    code, output = _run(project)
    assert code == 0
    assert "LP900" not in output
    assert "3 files in docs and tests cannot be read as Python: `--verbose` names them." in output


def test_verbose_names_them(project: Path) -> None:
    code, output = _run(project, "--verbose")
    assert code == 0
    for name in ("tests/data/bad.py:1", "tests/data/worse.py:1", "docs/bad.py:1"):
        assert f"{name}: the file cannot be read as Python" in output


def test_pedantic_shows_them(project: Path) -> None:
    code, output = _run(project, "--pedantic", "--output-format", "concise")
    assert code == 1
    assert output.count("LP900") >= 3
    assert "--verbose" not in output


def test_python_2_among_others_is_counted(project: Path) -> None:
    (project / "pkg/old.py").write_text(BROKEN, encoding="utf-8")
    code, output = _run(project)
    assert code == 0
    assert "4 files in the library and docs and tests cannot be read as Python: `--verbose` names them." in output


def test_python_2_alone_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(BROKEN, encoding="utf-8")
    code, output = _run(tmp_path, "--output-format", "concise")
    assert code == 1
    assert "old.py:1:1: LP900" in output


@pytest.mark.parametrize(
    ("row", "is_error"),
    [
        ("form = re.compile(ur'a')", False),
        ("if a <> b: pass", False),
        ("text = `number`", False),
        ('exec "a = 1"', False),
        ("print 'a'", True),
        ("a b  # a <> b", True),
        ("a = (`", True),
    ],
)
def test_what_only_python_2_has_is_counted(tmp_path: Path, row: str, is_error: bool) -> None:
    (tmp_path / "old.py").write_text(f"import re\n{row}\n", encoding="utf-8")
    code, output = _run(tmp_path)
    assert (code, "LP900" in output) == (int(is_error), is_error)
    assert "cannot be read as Python" in output


def test_in_the_library_it_is_an_error(project: Path) -> None:
    (project / "pkg/broken.py").write_text("def load(:\n", encoding="utf-8")
    code, output = _run(project, "--output-format", "concise")
    assert code == 1
    assert output.count("LP900") == 1 and "pkg/broken.py:1:" in output


def test_where_nothing_but_tests_is_asked_for_it_is_an_error(project: Path) -> None:
    code, output = _run(project / "tests", "--output-format", "concise")
    assert code == 1
    assert "tests/data/bad.py:1:1: LP900" in output


def test_where_the_rule_is_off_nothing_is_said(project: Path) -> None:
    assert "cannot be read" not in _run(project, "--ignore", "LP900")[1]


def test_a_second_run_says_the_same(project: Path, tmp_path: Path) -> None:
    arguments = ["check", "--isolated", "--cache-dir", str(tmp_path / "cache"), str(project)]
    first, second = (CliRunner().invoke(app, arguments).output for _ in range(2))
    assert first == second
    assert "3 files in docs and tests" in first
