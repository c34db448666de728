"""The flake8 plugin: first by itself, then inside the real flake8."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lintpickle.integrations import flake8
from lintpickle.integrations.flake8 import Plugin
from tests.integrations.conftest import CONFIG, DATA, DICT_VIEW, LAMBDA, need

Found = tuple[str, int, int, str]


@pytest.fixture
def plugin(project: Path, monkeypatch: pytest.MonkeyPatch) -> type[Plugin]:
    """The plugin class with default options, in the project."""
    flake8._host.cache_clear()
    monkeypatch.chdir(project)
    monkeypatch.setattr(Plugin, "file_only", False)
    monkeypatch.setattr(Plugin, "paths", ())
    return Plugin


def results(plugin: type[Plugin], path: str, text: str) -> list[tuple[int, int, str]]:
    checked = plugin(ast.Module(body=[], type_ignores=[]), path, text.splitlines(keepends=True))
    return [(row, column, message) for row, column, message, _ in checked.run()]


class TestPlugin:
    def test_columns_count_code_points_from_zero(self, plugin: type[Plugin]) -> None:
        ((row, column, message),) = results(plugin, "pkg/data.py", DATA)
        assert (row, column + 1) == LAMBDA[1:3]
        assert message.startswith("LP102 lambda ")

    def test_options(self, plugin: type[Plugin]) -> None:
        plugin.parse_options(SimpleNamespace(lintpickle_file_only=True, filenames=["pkg"]))
        assert results(plugin, "pkg/config.py", CONFIG) == []

    def test_a_bad_configuration_is_a_finding(self, plugin: type[Plugin], project: Path) -> None:
        (project / "lintpickle.toml").write_text("selct = []\n")
        ((row, column, message),) = results(plugin, "pkg/data.py", DATA)
        assert (row, column) == (1, 0)
        assert message.startswith("LP999 ")
        assert "selct" in message

    def test_a_defect_of_ours_is_said_and_forgiven(
        self, plugin: type[Plugin], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def fail(*_: object) -> None:
            raise RecursionError("too deep")

        monkeypatch.setattr(flake8, "_host", fail)
        assert results(plugin, "pkg/data.py", DATA) == []
        assert capsys.readouterr().err == "lintpickle: pkg/data.py was not checked: RecursionError: too deep\n"

    def test_nothing_heavy_is_imported_with_it(self) -> None:
        code = "import sys, lintpickle.integrations.flake8; print('libcst' in sys.modules, 'click' in sys.modules)"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert run.stdout == "False False\n"


@pytest.mark.integration
class TestRealFlake8:
    @pytest.fixture(autouse=True)
    def _needs_flake8(self) -> None:
        need("flake8", "flake8.extension")

    def run(self, folder: Path, *arguments: str, stdin: str | None = None) -> tuple[list[Found], str]:
        """The findings of a run as (path, row, column, code), and standard error."""
        command = [sys.executable, "-m", "flake8", "--select=LP,E9", "--format=%(path)s|%(row)d|%(col)d|%(code)s"]
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        run = subprocess.run(
            [*command, *arguments], cwd=folder, env=environment, input=stdin, capture_output=True, encoding="utf-8"
        )
        found = []
        for line in run.stdout.splitlines():
            path, row, column, code = line.split("|")
            found.append((Path(path).as_posix().removeprefix("./"), int(row), int(column), code))
        assert run.returncode == bool(found), run.stderr
        return sorted(found), run.stderr

    def test_the_findings_of_a_project(self, project: Path) -> None:
        assert self.run(project, ".") == ([DICT_VIEW, LAMBDA], "")

    def test_the_same_in_one_process(self, project: Path) -> None:
        assert self.run(project, "--jobs=1", ".") == ([DICT_VIEW, LAMBDA], "")

    def test_one_file_is_seen_in_its_project(self, project: Path) -> None:
        assert self.run(project, "pkg/config.py")[0] == [DICT_VIEW]

    def test_file_only(self, project: Path) -> None:
        assert self.run(project, "--lintpickle-file-only", ".")[0] == [LAMBDA]
        (project / ".flake8").write_text("[flake8]\nlintpickle-file-only = true\n")
        assert self.run(project, ".")[0] == [LAMBDA]

    def test_noqa(self, project: Path) -> None:
        silent = DATA.replace("lambda x: x", "lambda x: x  # noqa: E702, LP102")
        (project / "pkg" / "data.py").write_text(silent, encoding="utf-8")
        assert self.run(project, ".")[0] == [DICT_VIEW]

    def test_ignored_by_flake8(self, project: Path) -> None:
        assert self.run(project, "--extend-ignore=LP101", ".")[0] == [LAMBDA]

    def test_standard_input(self, project: Path) -> None:
        text = "\n" + CONFIG
        found, _ = self.run(project, "--stdin-display-name=pkg/config.py", "-", stdin=text)
        assert found == [("pkg/config.py", 5, 22, "LP101")]

    def test_a_syntax_error_is_flake8s_own(self, project: Path) -> None:
        (project / "pkg" / "broken.py").write_text("def (\n")
        codes = [code for _, _, _, code in self.run(project, ".")[0]]
        assert sorted(codes) == ["E999", "LP101", "LP102"]

    def test_a_bad_configuration_ends_no_run(self, project: Path) -> None:
        (project / "lintpickle.toml").write_text("selct = []\n")
        found, _ = self.run(project, "--extend-select=W", "pkg/data.py")
        assert found == [("pkg/data.py", 1, 1, "LP999")]
