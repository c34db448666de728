"""Starting is cheap: what the fast ways in import is held here, and what others never need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .cache.support import Cached

OF_THE_INTERPRETER = frozenset(
    {"marshal", "time", "gc", "_blake2", "_stat", "winreg", "posix", "nt", "errno", "encodings.utf_8_sig"}
)
"""What is built in, or is loaded as one library that imports nothing."""

MODULES = "import json, sys; known = set(sys.modules); {}; print(json.dumps(sorted(set(sys.modules) - known)))"
NEVER = (
    "asyncio", "concurrent.futures", "email", "hashlib", "http", "importlib.metadata", "libcst.codemod",
    "libcst.matchers", "logging", "multiprocessing.pool", "socket", "sqlite3", "ssl", "tempfile", "unittest", "xml",
)  # fmt: skip


def _imported(code: str, cwd: Path) -> set[str]:
    root = Path(__file__).resolve().parent.parent
    script = f"import sys; sys.path.insert(0, {str(root)!r}); {MODULES.format(code)}"
    ran = subprocess.run([sys.executable, "-S", "-c", script], cwd=cwd, capture_output=True, text=True, check=True)
    modules: list[str] = json.loads(ran.stdout.splitlines()[-1])
    return set(modules)


def test_the_version(tmp_path: Path) -> None:
    code = "sys.argv = ['lintpickle', '--version']; from lintpickle.cli import main; main()"
    assert _imported(code, tmp_path) - OF_THE_INTERPRETER == {"lintpickle", "lintpickle.cli"}


def test_an_answer_from_the_cache(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text("d = {}\n")
    cached = Cached(project, tmp_path / "cache")
    cached.run("check")
    modules = cached.run("check").modules
    assert modules is not None
    assert modules - OF_THE_INTERPRETER == {
        "lintpickle",
        "lintpickle.cache",
        "lintpickle.cache.answers",
        "lintpickle.cache.stamps",
        "lintpickle.cache.store",
        "lintpickle.cli",
    }


@pytest.mark.parametrize("arguments", [["check"], ["check", "--no-cache", "--output-format", "json"]])
def test_a_check_imports_only_what_it_may_need(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.py").write_text("d = {}\n")
    root = Path(__file__).resolve().parent.parent
    script = (
        f"import sys; sys.path.insert(0, {str(root)!r}); sys.argv = ['lintpickle', *{arguments!r}]\n"
        "from lintpickle.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(*sorted(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    modules = set(ran.stdout.splitlines()[-1].split())
    assert "lintpickle.engine" in modules
    assert modules.isdisjoint(NEVER)
