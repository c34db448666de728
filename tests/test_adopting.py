"""`check` in a project that has findings already: suppress them, accept them, watch them. With the real engine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner, Result

from lintpickle.commands import app
from tests.integrations.conftest import need

DATA = """\
from torch.utils.data import Dataset


class Boxes(Dataset):
    def __init__(self, names):
        self.names = names.keys()
        self.scale = lambda x: x
        self.text = '''
        '''; self.more = names.values()

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return index
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one file that has three findings; it is the working folder."""
    (tmp_path / "pyproject.toml").write_text("[tool.lintpickle]\n")
    (tmp_path / "data.py").write_text(DATA)
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "LINTPICKLE_OUTPUT_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def check(*arguments: str, stdin: str | None = None) -> Result:
    arguments = ("check", "--output-format=concise", *arguments)
    return CliRunner().invoke(app, list(arguments), input=stdin, prog_name="lintpickle")


def rows(result: Result) -> list[tuple[str, str]]:
    """The row and code of every finding."""
    lines = [line.split(":") for line in result.stdout.splitlines() if line.startswith("data.py:")]
    return [(row, text.split()[0]) for _, row, _, text, *_ in lines]


class TestAddIgnore:
    def test_all_findings_are_suppressed(self, project: Path) -> None:
        result = check("--add-ignore")
        assert result.exit_code == 0, result.output
        assert "wrote 3 suppression comments to 1 file" in result.stderr
        text = (project / "data.py").read_text()
        assert "self.names = names.keys()  # lintpickle: ignore[LP101]\n" in text
        assert "self.scale = lambda x: x  # lintpickle: ignore[LP102]\n" in text
        assert check().exit_code == 0

    def test_the_reason_stands_behind(self, project: Path) -> None:
        assert check("--add-ignore=loaded by fork", "data.py").exit_code == 0
        assert "ignore[LP101] loaded by fork\n" in (project / "data.py").read_text()

    def test_a_path_is_no_reason(self, project: Path) -> None:
        assert check("--add-ignore", "data.py").exit_code == 0
        assert "ignore[LP101]\n" in (project / "data.py").read_text()

    def test_what_has_no_place_is_reported(self, project: Path) -> None:
        (project / "broken.py").write_text("def (\n")
        result = check("--add-ignore")
        assert result.exit_code == 1
        assert "broken.py:1" in result.stdout
        assert rows(result) == []
        assert (project / "broken.py").read_text() == "def (\n"

    def test_twice_is_once(self, project: Path) -> None:
        check("--add-ignore")
        text = (project / "data.py").read_text()
        assert "wrote 0 suppression comments to 0 files" in check("--add-ignore").stderr
        assert (project / "data.py").read_text() == text


class TestBaseline:
    def test_only_new_findings_are_reported(self, project: Path) -> None:
        result = check("--write-baseline=base.json")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "wrote 3 findings to base.json" in result.stderr
        result = check("--baseline=base.json")
        assert result.exit_code == 0
        assert "3 findings known by base.json" in result.stderr
        (project / "data.py").write_text("import os\n" + DATA.replace("return index", "self.x = 1"))
        assert check("--baseline=base.json").exit_code == 0
        (project / "data.py").write_text(DATA.replace("lambda x: x", "lambda x: x + 1"))
        result = check("--baseline=base.json")
        assert result.exit_code == 1
        assert rows(result) == [("7", "LP102")]
        assert "1 finding of base.json not met again" in result.stderr

    def test_quiet(self) -> None:
        assert check("-q", "--write-baseline=base.json").output == ""
        assert check("-q", "--baseline=base.json").output == ""

    def test_standard_input(self, project: Path) -> None:
        check("--write-baseline=base.json")
        changed = DATA.replace("names.keys()", "names.items()")
        result = check("--baseline=base.json", "--stdin-filename=data.py", "-", stdin=changed)
        assert rows(result) == [("6", "LP101")]

    def test_with_fix(self, project: Path) -> None:
        check("--write-baseline=base.json")
        assert check("--baseline=base.json", "--fix").exit_code == 0
        assert "list(names.keys())" in (project / "data.py").read_text()

    def test_formats_for_programs_get_new_findings_only(self) -> None:
        check("--write-baseline=base.json")
        assert json.loads(check("--baseline=base.json", "--output-format=json").stdout) == []

    def test_a_missing_baseline_is_an_error(self) -> None:
        result = check("--baseline=base.json")
        assert result.exit_code == 2
        assert "write it with --write-baseline" in result.stderr

    def test_a_missing_folder_is_an_error(self) -> None:
        assert check("--write-baseline=no/base.json").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["--add-ignore", "--fix"],
        ["--add-ignore", "--diff"],
        ["--add-ignore", "--watch"],
        ["--add-ignore", "--write-baseline=b.json"],
        ["--add-ignore", "-"],
        ["--write-baseline=b.json", "--baseline=b.json"],
        ["--write-baseline=b.json", "--fix"],
        ["--baseline=b.json", "--diff"],
        ["--watch", "--fix"],
        ["--watch", "-"],
        ["--watch", "--output-file=x"],
    ],
)
def test_contradictions(arguments: list[str], project: Path) -> None:
    result = check(*arguments, stdin="")
    assert result.exit_code == 2
    assert "exclude each other" in result.stderr
    assert (project / "data.py").read_text() == DATA


class TestWatch:
    def test_without_watchfiles_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "watchfiles", None)
        result = check("--watch")
        assert result.exit_code == 2
        assert "lintpickle[watch]" in result.stderr

    def test_what_was_not_looked_at_is_told_with_verbose(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from lintpickle.commands._request import Request
        from lintpickle.commands._watching import Watched, _show
        from lintpickle.commands.check import command
        from lintpickle.limits import Cut
        from lintpickle.session import Session

        monkeypatch.setattr(Session, "cuts", (Cut("depth", str(project / "data.py"), 3, 2),))
        for options, is_told in ((["--verbose"], True), ([], False)):
            context = command.make_context("check", options, resilient_parsing=False)
            paths = context.params.pop("paths")
            _show(Watched(Request.of(paths, context.params)), ())
            assert ("limit depth reached at data.py:3, 2 times" in capsys.readouterr().err) == is_told

    def test_rounds_see_what_changed(self, project: Path) -> None:
        from lintpickle.commands._request import Request
        from lintpickle.commands._watching import Watched
        from lintpickle.commands.check import command

        context = command.make_context("check", [], resilient_parsing=False)
        paths = context.params.pop("paths")
        watched = Watched(Request.of(paths, context.params))
        data, other = project / "data.py", project / "other.py"

        def found(*changed: Path) -> list[tuple[str, str]]:
            outcome = watched.outcome({str(path) for path in changed})
            return [(Path(each.location.path).name, each.code) for each in outcome.diagnostics]

        three = [("data.py", "LP101"), ("data.py", "LP102"), ("data.py", "LP101")]
        assert found() == three
        data.write_text(DATA.replace("names.keys()", "names"))
        assert found() == three  # nobody said that it changed
        assert found(data) == three[1:]
        other.write_text(DATA)
        assert len(found(other)) == 5
        other.unlink()
        assert found(other) == three[1:]
        (project / "pyproject.toml").write_text('[tool.lintpickle]\nignore = ["LP102"]\n')
        assert found(project / "pyproject.toml") == three[2:]
        data.write_bytes(b"# coding: nonsense\n")
        assert found(data) == [("data.py", "LP900")]
        data.write_text("x = 1\n")
        assert found(data) == []

    @pytest.mark.integration
    def test_the_real_thing(self, project: Path) -> None:
        need("watchfiles")
        command = [sys.executable, "-m", "lintpickle", "check", "--watch", "--output-format=concise"]
        with (project / "out").open("w") as out:
            process = subprocess.Popen(
                command, stdout=out, stderr=subprocess.PIPE, text=True, cwd=project, preexec_fn=can_be_interrupted
            )
        guard = threading.Timer(240, process.kill)
        guard.start()
        try:
            assert process.stderr is not None
            wait_for("watching", process.stderr)
            assert (project / "out").read_text().count("LP101") == 2
            (project / "data.py").write_text("x = 1\n")
            wait_for("watching", process.stderr)
            assert "All checks passed" in (project / "out").read_text()
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0
        finally:
            process.kill()
            process.communicate()
            guard.cancel()


def can_be_interrupted() -> None:
    """What a shell starts in the background ignores SIGINT, and so would all that the tests start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(word: str, stream: IO[str]) -> None:
    """Read from a stream up to the line that holds a word."""
    said = []
    for line in stream:
        said.append(line)
        if word in line:
            return
    pytest.fail(f"it ended, having said {said}")
