"""action.yml: it is valid, and its steps do what they say, run as GitHub runs them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import need, require

ROOT = Path(__file__).resolve().parent.parent

DATA = """\
from torch.utils.data import Dataset


class Boxes(Dataset):
    def __init__(self, names):
        self.names = names.keys()
"""

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(sys.platform == "win32", reason="runs the steps with the bash of a POSIX system"),
]


@pytest.fixture
def action() -> Any:
    """The action, read."""
    need("ruamel.yaml")
    from ruamel.yaml import YAML

    return YAML(typ="safe").load(ROOT / "action.yml")


def test_it_is_valid() -> None:
    need("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_no_input_is_pasted_into_a_script(action: Any) -> None:
    assert all("${{" not in step["run"] for step in action["runs"]["steps"])


def test_the_pages_name_all_inputs(action: Any) -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert [name for name in action["inputs"] if f"| `{name}` |" not in page] == []


class TestRun:
    """The second step, with lintpickle as it is installed here in place of what the first step installs."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """A project with a finding in each of two files, one of which has a space in its name."""
        binaries = tmp_path / "temp" / "lintpickle" / "bin"
        binaries.mkdir(parents=True)
        (binaries / "lintpickle").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lintpickle "$@"\n')
        (binaries / "lintpickle").chmod(0o755)
        project = tmp_path / "project"
        (project / "sub folder").mkdir(parents=True)
        (project / "data.py").write_text(DATA)
        (project / "sub folder" / "data.py").write_text(DATA)
        return project

    def run(self, action: Any, folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
        inputs = {name: given.get(name.replace("-", "_"), value["default"]) for name, value in action["inputs"].items()}
        step = action["runs"]["steps"][1]
        environment = dict(os.environ, PYTHONPATH=str(ROOT))
        for name, value in step["env"].items():
            text = value.replace("${{ runner.temp }}", str(folder.parent / "temp"))
            for key, chosen in inputs.items():
                text = text.replace(f"${{{{ inputs.{key} }}}}", chosen)
            environment[name] = text
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    def test_findings_become_annotations(self, action: Any, folder: Path) -> None:
        run = self.run(action, folder)
        assert run.returncode == 1, run.stderr
        assert "::error title=lintpickle (LP101),file=data.py,line=6" in run.stdout
        assert "file=sub folder/data.py" in run.stdout

    def test_paths_stand_on_lines(self, action: Any, folder: Path) -> None:
        run = self.run(action, folder, paths="sub folder\n\n")
        assert run.stdout.count("::error") == 1
        assert "file=sub folder/data.py" in run.stdout

    def test_arguments(self, action: Any, folder: Path) -> None:
        run = self.run(action, folder, args="--ignore LP101  --isolated", output_format="concise")
        assert run.returncode == 0, run.stderr
        assert run.stdout.startswith("All checks passed!")

    def test_inputs_are_no_code(self, action: Any, folder: Path) -> None:
        run = self.run(action, folder, paths="$(touch hacked)", args="`touch hacked`; *")
        assert run.returncode == 2
        assert "`touch" in run.stderr
        assert not (folder / "hacked").exists()


def test_zizmor_has_no_objection(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("zizmor")
    require(program.exists(), "zizmor")
    copy = tmp_path / "action.yml"
    copy.write_bytes((ROOT / "action.yml").read_bytes())
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    run = subprocess.run([program, "--offline", tmp_path], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


class TestWorkflows:
    @pytest.fixture(params=sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
    def text(self, request: pytest.FixtureRequest) -> str:
        path: Path = request.param
        return path.read_text(encoding="utf-8")

    def test_actions_are_pinned_to_commits(self, text: str) -> None:
        used = re.findall(r"uses: (.*)", text)
        assert used
        assert [each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", each)] == []

    def test_nothing_is_allowed_that_is_not_named(self, text: str) -> None:
        assert re.search(r"^permissions: \{\}$", text, re.MULTILINE)

    def test_jobs_end(self, text: str) -> None:
        assert text.count("runs-on:") == text.count("timeout-minutes:")


def test_a_release_needs_no_secret() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert "secrets." not in text
    assert "password" not in text
    assert {"id-token: write", "attestations: true"} <= {line.split(" #")[0].strip() for line in text.splitlines()}
