"""The hooks in the hands of pre-commit and prek: in a repository of its own, from a local copy of this one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.conftest import need

pytestmark = pytest.mark.client

CHECKOUT = Path(__file__).resolve().parents[2]
CONFIG = """\
repos:
  - repo: file://{hooks}
    rev: {commit}
    hooks:
      - id: lintpickle-fix
      - id: lintpickle-check
"""
DEPENDENCY = "class Config:\n    def __init__(self, ranges):\n        self.names = ranges.keys()\n"
OTHER = """\
from torch.utils.data import Dataset


class Other(Dataset):
    def __init__(self):
        self.f = {}.keys()
"""
TRAIN = """\
from dependency import Config
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self):
        self.names = {}.keys()
        self.config = Config({})


DataLoader(Frames(), num_workers=2)
"""


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository with what this checkout holds now, committed or not; and its commit."""
    if not (CHECKOUT / ".git").exists():
        pytest.skip("the hooks are installed from a git repository, and this is not a checkout of one")
    copy = tmp_path_factory.mktemp("hooks") / "lintpickle"
    listed = _git(CHECKOUT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, listed):
        if (CHECKOUT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, copy / name)
    _git(copy, "init", "--quiet")
    _git(copy, "add", "--all")
    _git(copy, "commit", "--quiet", "--message", "now")
    return copy, _git(copy, "rev-parse", "HEAD").strip()


@pytest.mark.parametrize("runner", ["pre-commit", "prek"])
def test_a_bad_commit_is_blocked_and_mended(runner: str, hooks: tuple[Path, str], tmp_path: Path) -> None:
    program = shutil.which(runner, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    need(program, runner)
    assert program is not None
    root = _repository(tmp_path / "project", hooks)
    environment = {"PRE_COMMIT_HOME": str(tmp_path / "cache"), "PREK_HOME": str(tmp_path / "cache")}
    _run(root, [program, "install"], environment)
    train = root / "train.py"
    before = _git(root, "rev-parse", "HEAD")

    train.write_text(TRAIN, encoding="utf-8")
    _git(root, "add", "train.py")
    blocked = _commit(root, environment | {"SKIP": "lintpickle-fix"})
    assert blocked.returncode == 1, blocked.stderr
    said = blocked.stdout + blocked.stderr
    assert "train.py:7:22" in said and "LP101" in said, said
    assert "other.py" not in said, "only the files of the commit are reported"
    assert "dependency" in said, "the project's .venv was not found"
    assert (train.read_text(encoding="utf-8"), _git(root, "rev-parse", "HEAD")) == (TRAIN, before)

    mended = _commit(root, environment)
    assert mended.returncode == 1
    assert "files were modified by this hook" in mended.stdout + mended.stderr
    fixed = TRAIN.replace("{}.keys()", "list({}.keys())")
    assert train.read_text(encoding="utf-8") == fixed

    train.write_text(fixed.replace("        self.config = Config({})\n", ""), encoding="utf-8")
    _git(root, "add", "train.py")
    passed = _commit(root, environment)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert _git(root, "rev-parse", "HEAD") != before


def _repository(root: Path, hooks: tuple[Path, str]) -> Path:
    """A project with an environment of its own, whose hooks are not installed yet."""
    packages = root / ".venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    (packages / "dependency.py").write_text(DEPENDENCY, encoding="utf-8")
    (root / ".venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.7\n", encoding="utf-8")
    (root / ".gitignore").write_text(".venv\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("[tool.lintpickle]\nselect = ['LP101']\n", encoding="utf-8")
    (root / "other.py").write_text(OTHER, encoding="utf-8")
    config = CONFIG.format(hooks=hooks[0], commit=hooks[1])
    (root / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
    _git(root, "init", "--quiet")
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--message", "start")
    return root


def _git(root: Path, *arguments: str) -> str:
    return _run(root, ["git", *arguments]).stdout


def _commit(root: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return _run(root, ["git", "commit", "--message", "next"], environment, check=False)


def _run(
    root: Path, arguments: list[str], environment: dict[str, str] | None = None, *, check: bool = True
) -> subprocess.CompletedProcess[str]:
    person = {f"GIT_{role}_{part}": "x@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHONPATH"))}
    done = subprocess.run(
        arguments,
        cwd=root,
        env=inherited | person | plain | (environment or {}),
        capture_output=True,
        encoding="utf-8",
        timeout=500,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done
