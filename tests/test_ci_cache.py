"""The recipes that keep the cache in CI, as the page shows them: saved, restored on another machine, and used there.

The steps are read from the page. What the CI system does in between, `Archives` does: it packs the folders that a
recipe names, and unpacks them on another machine, where the home folder and the checkout have other paths and all files
are new.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import need

ROOT = Path(__file__).resolve().parent.parent
RUNNER = "Linux"
SECRET = "a masked and protected variable"

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(sys.platform != "linux", reason="the recipes name the folders of Linux"),
]

MODULE = """\
from torch.utils.data import DataLoader, Dataset


class Frames{0}(Dataset):
    def __init__(self, names):
        self.names = names.keys()


DataLoader(Frames{0}({{}}), num_workers=2)
"""
COUNT = 5


class Archives:
    """The caches that a CI system has kept, oldest first."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def save(self, key: str, folders: Sequence[Path], names: Sequence[str]) -> None:
        """Pack folders under these names, if nothing is kept for the key yet."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for name, folder in zip(names, folders, strict=True):
                if folder.exists():
                    archive.add(folder, name)
        self.kept.setdefault(key, packed.getvalue())

    def restore(self, key: str, prefixes: Sequence[str], folders: Sequence[Path], names: Sequence[str]) -> str | None:
        """Unpack what is kept for the key, or else the newest for the first prefix with any. Gives its key."""
        found = key if key in self.kept else None
        for prefix in prefixes:
            found = found or next((each for each in reversed(self.kept) if each.startswith(prefix)), None)
        if found is None:
            return None
        with tarfile.open(fileobj=io.BytesIO(self.kept[found])) as archive:
            for name, folder in zip(names, folders, strict=True):
                for member in archive.getmembers():
                    if member.name == name or member.name.startswith(f"{name}/"):
                        target = folder.parent / member.name.replace(name, folder.name, 1)
                        target.parent.mkdir(parents=True, exist_ok=True)
                        member.name = target.name
                        archive.extract(member, target.parent, filter="data")
        return found


class Machine:
    """A new one for each job: a home folder, a checkout, and lintpickle on PATH."""

    def __init__(self, folder: Path, texts: Mapping[str, str]) -> None:
        self.home, self.checkout = folder / "home", folder / "work" / folder.name
        self.home.mkdir(parents=True)
        self.checkout.mkdir(parents=True)
        (self.checkout / "pyproject.toml").write_text('[project]\nname = "frames"\n', encoding="utf-8")
        for name, text in texts.items():
            (self.checkout / name).write_text(text, encoding="utf-8")
        program = folder / "bin" / "lintpickle"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lintpickle "$@" --profile\n', encoding="utf-8")
        program.chmod(0o755)
        kept = {"LANG", "PYTHONHASHSEED", "SYSTEMROOT", "TMPDIR", "VIRTUAL_ENV"}
        self.environment = {name: value for name, value in os.environ.items() if name in kept}
        self.environment |= {"HOME": str(self.home), "PYTHONPATH": str(ROOT)}
        self.environment["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"

    def place(self, path: str) -> Path:
        """The folder that a recipe names."""
        return self.home / path[2:] if path.startswith("~/") else self.checkout / path

    def run(self, script: str, **environment: str) -> Job:
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.checkout,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
        )
        return Job(done.returncode, done.stdout, done.stderr)


class Job:
    """What a job said, and how much of each part of the work it did, as `--profile` counts it."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        assert "part of the run" in err, err
        rows = re.findall(r"^(\S.*?)(?: \(.*?\))?\s+\d+\s+[\d.]+%\s+(\d+)$", err, re.MULTILINE)
        self.counts = {part: int(count) for part, count in rows}

    @property
    def read_anew(self) -> int:
        """How many files were parsed, which those are that no cache knows."""
        return self.counts.get("map: outline by ast", 0)

    @property
    def judged(self) -> bool:
        """Whether rules were asked about any module."""
        return "rules" in self.counts


def _recipe(system: str) -> Any:
    """The YAML below *Keeping the cache* that is for a system."""
    need("ruamel.yaml")
    from ruamel.yaml import YAML

    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    [section] = re.findall(r"^## Keeping the cache\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```yaml\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    read = [YAML(typ="safe").load(block) for block in blocks]
    [found] = [each for each in read if isinstance(each, list) == (system == "GitHub")]
    return found


def _texts(**changed: str) -> dict[str, str]:
    return {**{f"m{number}.py": MODULE.format(number) for number in range(COUNT)}, **changed}


class GitHub:
    """Runs the steps of the recipe for GitHub."""

    def __init__(self, steps: Any) -> None:
        self._steps = steps
        self._archives = Archives()
        self.restored: str | None = None

    def job(self, machine: Machine, sha: str, without: str = "") -> Job:
        """One job, on a machine that is new; `without` leaves out one of the folders that are restored."""
        done: Job | None = None
        for step in self._steps:
            given = {name: self._expanded(value, sha) for name, value in step.get("with", {}).items()}
            if done is not None and done.code != 0 and "if" not in step:
                continue  # After a failure, only the steps run that say so.
            assert step.get("if", "") in ("", "${{ !cancelled() }}")
            match step["uses"].partition("@")[0]:
                case "actions/cache/restore":
                    names = [each for each in given["path"].split() if each != without]
                    folders = [machine.place(name) for name in names]
                    prefixes = given["restore-keys"].split()
                    self.restored = self._archives.restore(given["key"], prefixes, folders, names)
                case "actions/cache/save":
                    names = given["path"].split()
                    self._archives.save(given["key"], [machine.place(name) for name in names], names)
                case "OWNER/REPOSITORY":
                    done = machine.run("lintpickle check --output-format github .")
                case other:
                    pytest.fail(f"nobody knows {other}")
        assert done is not None
        return done

    @staticmethod
    def _expanded(text: str, sha: str) -> str:
        expanded = text.replace("${{ runner.os }}", RUNNER).replace("${{ github.sha }}", sha)
        assert "${{" not in expanded
        return expanded


class TestGitHub:
    @pytest.fixture
    def github(self) -> GitHub:
        return GitHub(_recipe("GitHub"))

    def test_the_next_commit_uses_the_cache_of_the_last(self, github: GitHub, tmp_path: Path) -> None:
        cold = github.job(Machine(tmp_path / "first", _texts()), "a" * 40)
        assert github.restored is None
        assert (cold.code, cold.out.count("::error"), cold.read_anew) == (1, COUNT, COUNT)
        warm = github.job(Machine(tmp_path / "second", _texts()), "b" * 40)
        assert github.restored == f"lintpickle-Linux-{'a' * 40}"
        assert (warm.code, warm.out) == (cold.code, cold.out)
        assert (warm.read_anew, warm.judged) == (0, False)
        changed = _texts(**{"m1.py": "x = 1\n" + MODULE.format(1)})
        third = github.job(Machine(tmp_path / "third", changed), "c" * 40)
        assert github.restored == f"lintpickle-Linux-{'b' * 40}"
        others, moved = [row for row in cold.out.splitlines() if "m1.py" not in row], "file=m1.py,line=7,"
        assert [row for row in third.out.splitlines() if moved not in row] == others
        assert third.out.count(moved) == 1
        assert (third.read_anew, third.judged) == (1, True)

    @pytest.mark.parametrize("folder", ["~/.cache/lintpickle", "~/.local/share/lintpickle"])
    def test_each_folder_is_needed(self, folder: str, github: GitHub, tmp_path: Path) -> None:
        cold = github.job(Machine(tmp_path / "first", _texts()), "a" * 40)
        again = github.job(Machine(tmp_path / "second", _texts()), "b" * 40, without=folder)
        assert github.restored is not None
        assert (again.out, again.read_anew, again.judged) == (cold.out, COUNT, True)

    def test_what_is_restored_is_what_is_saved(self, github: GitHub) -> None:
        given = [step["with"] for step in github._steps if step["uses"].startswith("actions/cache/")]
        restoring, saving = given
        assert {name: restoring[name] for name in saving} == dict(saving)


class TestGitLab:
    """The recipe for systems that keep folders of the checkout."""

    def job(self, machine: Machine, archives: Archives, **environment: str) -> Job:
        job = _recipe("GitLab")["lintpickle"]
        cache = job["cache"]
        folders = [machine.place(path) for path in cache["paths"]]
        archives.restore(cache["key"], (), folders, cache["paths"])
        [script] = job["script"]
        done = machine.run(script, **environment)
        if done.code == 0 or cache["when"] == "always":
            archives.kept.pop(cache["key"], None)
            archives.save(cache["key"], folders, cache["paths"])
        return done

    def test_the_next_job_uses_the_cache_of_the_last(self, tmp_path: Path) -> None:
        archives = Archives()
        cold = self.job(Machine(tmp_path / "first", _texts()), archives, LINTPICKLE_CACHE_KEY=SECRET)
        assert (cold.code, cold.out.count("error[LP101]"), cold.read_anew) == (1, COUNT, COUNT)
        warm = self.job(Machine(tmp_path / "second", _texts()), archives, LINTPICKLE_CACHE_KEY=SECRET)
        assert (warm.code, warm.out, warm.read_anew, warm.judged) == (1, cold.out, 0, False)

    def test_without_the_variable_it_is_not_used_and_nothing_else_changes(self, tmp_path: Path) -> None:
        archives = Archives()
        cold = self.job(Machine(tmp_path / "first", _texts()), archives, LINTPICKLE_CACHE_KEY=SECRET)
        for environment in ({}, {"LINTPICKLE_CACHE_KEY": f"not {SECRET}"}):
            fork = self.job(Machine(tmp_path / f"fork{len(environment)}", _texts()), archives, **environment)
            assert (fork.out, fork.read_anew, fork.judged) == (cold.out, COUNT, True)
