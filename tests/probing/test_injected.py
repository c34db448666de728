"""What runs in the interpreter of the program needs Python 3.8 and its standard library, nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from lintpickle.probing import injected

FOLDER = Path(injected.__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_syntax_is_that_of_python_3_8(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_imports_itself_and_the_standard_library(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            assert (node.module or "").partition(".")[0] in sys.stdlib_module_names


def test_annotations_are_never_evaluated() -> None:
    """`X | None` in an annotation is an error at run time before Python 3.10, unless annotations are only text."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert "from __future__ import annotations" in text or " | " not in text, path


def test_it_works_without_lintpickle_and_is_not_seen_on_the_path(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import pickle, sys, threading\n"
        "assert not any('injected' in each for each in sys.path)\n"
        "assert not any(name.startswith('lintpickle.') for name in sys.modules)\n"
        "pickle.dumps({'l': threading.Lock()})\n"
    )
    environ = {"PYTHONPATH": str(FOLDER), "LINTPICKLE_PROBE": '{"folder": null}'}
    command = [sys.executable, "program.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environ)
    assert "lintpickle probe:   dict['l']: _thread.lock" in ran.stderr


def test_starting_imports_little(tmp_path: Path) -> None:
    code = "import sys; print(*sys.modules)"
    environ = {"PYTHONPATH": str(FOLDER)}
    command = [sys.executable, "-c", code]
    before = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    environ["LINTPICKLE_PROBE"] = '{"folder": null}'
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=environ)
    assert not {"multiprocessing", "inspect", "concurrent.futures", "torch"} & (set(ran.stdout.split()) - before)
