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
    "argparse", "asyncio", "concurrent.futures", "email", "hashlib", "http", "importlib.metadata", "libcst.codemod",
    "libcst.matchers", "logging", "multiprocessing.pool", "socket", "sqlite3", "ssl", "tempfile", "unittest", "xml",
    "lintpickle.audit", "lintpickle.baseline", "lintpickle.graph", "lintpickle.integrations",
    "lintpickle.rulebook.pages", "lintpickle.schema", "lintpickle.server",
)  # fmt: skip
DATACLASSES = {
    "lintpickle.settings.model.Settings",  # options carry metadata, and some fields are left out of comparisons
    "lintpickle.settings.model.Selectors",
}
"""Source is generated and compiled for each of them at import: as long as thirty structs take."""
FINDING = """\
import multiprocessing

if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        pool.map(lambda x: x, [1, 2])
"""


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
        "lintpickle.cache.key",
        "lintpickle.cache.shown",
        "lintpickle.cache.stamps",
        "lintpickle.cache.store",
        "lintpickle.cli",
        "lintpickle.tree",
    }


def _after_check(folder: Path, text: str, arguments: list[str], expression: str) -> set[str]:
    """What an expression gives, when a file with a text has been checked for the first time."""
    (folder / "a.py").write_text(text)
    root = Path(__file__).resolve().parent.parent
    script = (
        f"import sys; sys.path.insert(0, {str(root)!r}); sys.argv = ['lintpickle', 'check', *{arguments!r}]\n"
        "from lintpickle.cli import main\n"
        f"try: main()\nexcept SystemExit: print(*({expression}))"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    return set(ran.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("text", ["d = {}\n", FINDING])
@pytest.mark.parametrize("arguments", [["--cache-dir", "cache"], ["--no-cache", "--output-format", "json"]])
def test_a_check_imports_only_what_it_may_need(tmp_path: Path, arguments: list[str], text: str) -> None:
    modules = _after_check(tmp_path, text, arguments, "sys.modules")
    assert "lintpickle.engine.project" in modules
    assert modules.isdisjoint(NEVER)
    assert ("libcst" in modules) == (text == FINDING)


def test_a_check_makes_next_to_no_dataclasses(tmp_path: Path) -> None:
    made = (
        "f'{c.__module__}.{c.__name__}' for n, m in list(sys.modules.items()) if n.startswith('lintpickle.')"
        " for c in vars(m).values() if '__dataclass_fields__' in getattr(c, '__dict__', {}) and c.__module__ == n"
    )
    assert _after_check(tmp_path, FINDING, ["--no-cache"], made) == DATACLASSES


@pytest.mark.parametrize("change", ["another format", "a comment"])
def test_what_is_known_is_told_without_loading_rules(tmp_path: Path, change: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text(FINDING)
    (project / "b.py").write_text("import os\n\n\ndef read(path):\n    return os.stat(path)\n")
    judging = {"libcst", "lintpickle.engine.judge", "lintpickle.payload.linker"}
    cached = Cached(project, tmp_path / "cache")
    assert cached.run("check").loaded >= judging
    if change == "a comment":
        (project / "b.py").write_text("import os\n\n\n# It may fail.\ndef read(path):\n    return os.stat(path)\n")
    ran = cached.run("check", *(("--output-format", "json") if change == "another format" else ()))
    assert b"LP201" in ran.out
    assert "lintpickle.engine.snapshots" in ran.loaded
    assert ran.loaded.isdisjoint(judging)
