"""Odd input ends in findings or in one error that names it, never in an unforeseen exception; what is beside it is
still checked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import LintpickleError
from lintpickle.settings import SettingsResolver

GOOD = "import pickle\n\npickle.dumps(lambda: 0)\n"
DIGITS = "9" * 5000
DEEP = "[" * 5000 + "]" * 5000
CATALOG = 'catalog = ["own.toml"]\n'
USE = "import pickle\n\nimport foo\n\npickle.dumps(foo.a(1))\nfoo.b(lambda: 0)\n"
MAIN = "lintpickle.toml"


def _codes(folder: Path) -> dict[str, list[str]]:
    """The codes of the findings by file name."""
    outcome = lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder))
    found: dict[str, list[str]] = {}
    for each in outcome.diagnostics:
        found.setdefault(Path(each.location.path).name, []).append(each.code)
    return found


STILL_CHECKED: dict[str, dict[str, str | bytes]] = {
    "domain names": {"a.py": b"# coding: idna\nx = '\xff'\n"},
    "punycode": {"a.py": b"# coding: punycode\nx = '\xff'\n"},
    "half a character": {"a.py": b'# coding: raw_unicode_escape\nx = "\\ud800"\n'},
    "half a character in utf-7": {"a.py": b"# coding: utf-7\nx = '+2AA-'\n"},
    "a number in another tool's section": {"pyproject.toml": f"[tool.other]\na = {DIGITS}\n"},
    "the same beside the Pythons": {
        "pyproject.toml": f'[project]\nrequires-python = ">=3.9"\n[tool.x]\na = {DIGITS}\n'
    },
    "lists in another tool's section": {
        "pyproject.toml": f'[project]\nrequires-python = ">=3.9"\n[tool.x]\na={DEEP}\n'
    },
    "a minor version": {"pyproject.toml": f'[project]\nrequires-python = ">=3.{DIGITS}"\n'},
    "a major version": {"pyproject.toml": f'[project]\nrequires-python = ">={DIGITS}"\n'},
    "a far version": {"pyproject.toml": '[project]\nrequires-python = ">=3.999999999"\n'},
    "an environment": {".venv/pyvenv.cfg": f"home = /usr/bin\nversion = 3.{DIGITS}\n"},
    "an environment's info": {".venv/pyvenv.cfg": f"home = /usr/bin\nversion_info = {DIGITS}.1\n"},
    "a circle of aliases": {
        MAIN: CATALOG,
        "own.toml": '[[alias]]\nname = "foo.a"\nof = "foo.b"\n[[alias]]\nname = "foo.b"\nof = "foo.a"\n',
    },
    "an alias of itself": {MAIN: CATALOG, "own.toml": '[[alias]]\nname = "foo.a"\nof = "foo.a"\n'},
    "no user": {MAIN: 'src = ["~nosuchuser/src"]\n'},
}


@pytest.mark.parametrize("case", STILL_CHECKED)
def test_the_rest_is_still_checked(case: str, tmp_path: Path) -> None:
    _write(tmp_path, STILL_CHECKED[case])
    found = _codes(tmp_path)
    assert found["good.py"] == ["LP102"]
    assert found.get("a.py", ["LP900"]) == ["LP900"]


TOLD: dict[str, tuple[dict[str, str | bytes], str]] = {
    "a number": ({MAIN: f"select = {DIGITS}\n"}, "this is not valid TOML: Exceeds the limit"),
    "lists": ({MAIN: f"select = {DEEP}\n"}, "this is not valid TOML: it is nested too deeply"),
    "a key": ({MAIN: "a." * 20_000 + "a = 1\n"}, "a key has more than 100 parts"),
    "an own section": ({"pyproject.toml": f"[tool.lintpickle]\n[tool.x]\na = {DIGITS}\n"}, "not valid TOML"),
    "a version": ({MAIN: f'target-version = "3.{DIGITS}"\n'}, "target-version"),
    "another version": ({MAIN: f'target-version = ">={DIGITS}"\n'}, "target-version"),
    "no such user": ({MAIN: 'extend = "~nosuchuser/x.toml"\n'}, "there is no file"),
    "no such user's Python": ({MAIN: 'python = "~nosuchuser/bin/python"\n'}, "no Python environment there"),
    "NUL": ({MAIN: 'catalog = ["a\\u0000b"]\n'}, "a NUL character"),
    "NUL among sources": ({MAIN: 'src = ["a\\u0000b"]\n'}, "a NUL character"),
    "NUL in extend": ({MAIN: 'extend = "a\\u0000b"\n'}, "a NUL character"),
    "a catalog's number": ({MAIN: CATALOG, "own.toml": f'[[product]]\ncall = "foo.a"\nkind = {DIGITS}\n'}, "own.toml"),
    "a catalog's lists": ({MAIN: CATALOG, "own.toml": f'[[product]]\ncall = "foo.a"\nkind = {DEEP}\n'}, "own.toml"),
    "a catalog's version": (
        {MAIN: CATALOG, "own.toml": f'[[product]]\ncall = "foo.a"\nkind = "x"\nsince = "3.{DIGITS}"\n'},
        "own.toml:4: in .*'since' must be a Python version",
    ),
    "a catalog's wording": (
        {MAIN: CATALOG, "own.toml": '[[wording]]\nsince = "3.12"\npattern = "(a)"\ntext = "\\\\2"\n'},
        "own.toml:4: in .*'text' names a group that 'pattern' does not have",
    ),
    "an alias that grows": (
        {MAIN: CATALOG, "own.toml": '[[alias]]\nname = "foo"\nof = "foo.foo"\n'},
        "own.toml: .*more than 100 names follow `foo`",
    ),
    "many aliases": (
        {
            MAIN: CATALOG,
            "own.toml": "".join(f'[[alias]]\nname = "foo.a{i or ""}"\nof = "foo.a{i + 1}"\n' for i in range(2000)),
        },
        "own.toml: .*more than 100 names follow `foo.a`",
    ),
    "a chain": (
        {MAIN: 'extend = "c0.toml"\n', **{f"c{i}.toml": f'extend = "c{i + 1}.toml"\n' for i in range(1500)}},
        "a chain of more than 100 files",
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_what_is_wrong_is_told(case: str, tmp_path: Path) -> None:
    files, message = TOLD[case]
    _write(tmp_path, files)
    with pytest.raises(LintpickleError, match=message):
        _codes(tmp_path)


def test_a_chain_of_files_may_be_long(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"c{i}.toml": f'extend = "c{i + 1}.toml"\n' for i in range(90)}
    _write(tmp_path, {MAIN: 'extend = "c0.toml"\n', **files, "c90.toml": 'ignore = ["LP102"]\n'})
    assert _codes(tmp_path) == {}


def test_a_path_with_nul_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(LintpickleError, match="does not exist"):
        lint_paths(["a\0b"], resolver=SettingsResolver(cwd=tmp_path))


def test_folders_in_folders_without_end(tmp_path: Path) -> None:
    """No path reaches the deepest ones. What can be reached is checked, and the rest is told."""
    _write(tmp_path, {})
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(2200):
        os.mkdir("a", dir_fd=here)
        inner = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    try:
        outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path))
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "a")], check=True)  # Python's own removal calls itself
    assert [each.code for each in outcome.diagnostics] == ["LP102"]
    assert any("cannot be read" in notice for notice in outcome.notices)


def _write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in {"good.py": GOOD, "use.py": USE, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
