"""Real clients, without a screen: neovim, Emacs and Microsoft's client library.

The node packages are looked for where NODE_PATH points.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.conftest import HAZARDS, need, need_module, need_program

pytestmark = pytest.mark.client

HERE = Path(__file__).parent / "clients"
SERVER = [sys.executable, "-m", "lintpickle", "server"]
ONE_FIXED = HAZARDS.replace("{}.keys()", "list({}.keys())")
ALL_FIXED = ONE_FIXED.replace("{}.values()", "list({}.values())")


def _run(arguments: list[str], **environment: str) -> str:
    checkout = str(Path(__file__).resolve().parents[2])
    inherited = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [checkout, os.environ.get("PYTHONPATH")]))}
    done = subprocess.run(
        arguments,
        env=inherited | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("pick", "only", "left", "expected"),
    [
        ("Convert to a list", "", 1, ONE_FIXED),
        ("Fix all", "source.fixAll.lintpickle", 0, ALL_FIXED),
        ("Disable for this line", "", 1, HAZARDS.replace("{}.keys()", "{}.keys()  # lintpickle: ignore[LP101]")),
    ],
)
def test_neovim(project: Path, pick: str, only: str, left: int, expected: str) -> None:
    need_module("pygls")
    nvim = need_program("nvim")
    environment = {"LP_ROOT": str(project), "LP_COMMAND": json.dumps(SERVER), "LP_PICK": pick}
    if only:
        environment["LP_ONLY"] = only
    # -n: neovims that start at the same time would race for the folder of their swap files.
    output = _run([nvim, "--clean", "-n", "--headless", "-S", str(HERE / "neovim.lua")], **environment)
    assert "[{}.keys()]" in output, output
    assert f"LEFT {left}" in output, output
    assert (project / "bad.py").read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(("pick", "left", "expected"), [("Convert to a list", 1, ONE_FIXED), ("Fix all", 0, ALL_FIXED)])
def test_emacs(project: Path, pick: str, left: int, expected: str) -> None:
    need_module("pygls")
    emacs = need_program("emacs")
    environment = {"LP_ROOT": str(project), "LP_PYTHON": sys.executable, "LP_PICK": pick}
    output = _run([emacs, "--batch", "-q", "-l", str(HERE / "eglot.el")], **environment)
    assert "[{}.keys()]" in output, output
    assert f"LEFT {left}" in output, output
    assert (project / "bad.py").read_text(encoding="utf-8") == expected


def test_notebooks_with_the_client_of_vs_code(project: Path) -> None:
    need_module("pygls")
    node = need_program("node")
    packages = (
        "require.resolve('vscode-languageserver-protocol/node');require.resolve('vscode-languageserver-textdocument')"
    )
    need(subprocess.run([node, "-e", packages], capture_output=True).returncode == 0, "vscode-languageserver-protocol")
    output = _run([node, str(HERE / "notebook.js"), str(project / "nb.ipynb"), *SERVER])
    said = {line.split(" ", 1)[0]: json.loads(line.split(" ", 1)[1]) for line in output.splitlines()}
    where = {"start": {"line": 3, "character": 31}, "end": {"line": 3, "character": 40}}
    assert said["RANGE"] == where
    assert f"vscode-notebook-cell:{project}/nb.ipynb#c" in said["RELATED"]
    assert "self.names = list({}.keys())\n" in said["QUICK"]
    assert said["ALL"] == said["QUICK"]
    assert (said["PLAIN"], said["LAZY"], said["DONE"]) == (0, True, True)
    assert said["AGAIN"] == where | {"end": {"line": 3, "character": 41}}
