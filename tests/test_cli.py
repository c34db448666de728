"""The command line: options, exit codes, and what goes to which stream. The engine is a fake one here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

import lintpickle
from lintpickle.commands import app
from lintpickle.commands._output import ProgressBar
from lintpickle.diagnostics import (
    Applicability,
    Confidence,
    Diagnostic,
    Edit,
    FileChange,
    Fix,
    LintpickleError,
    Outcome,
    Severity,
    Span,
)
from lintpickle.graph import graph_format_names
from lintpickle.migration import migration_format_names
from lintpickle.report import format_names
from lintpickle.rulebook.pages import HEADINGS
from lintpickle.rules import all_rules
from lintpickle.saved_files.formats import inspection_format_names
from lintpickle.settings import Settings, SettingsResolver, options
from lintpickle.source.document import document_from_text

SOURCE = "self.k = d.keys()\n"


class FixMode(Enum):
    NONE = "none"
    WRITE = "write"
    DIFF = "diff"


@dataclass
class FakeEngine:
    """Finds `d.keys()` in every text that it is given, and remembers how it was called."""

    fix: FixMode = FixMode.NONE
    settings: Settings | None = None
    paths: list[str] = field(default_factory=list)
    notices: tuple[str, ...] = ()
    failure: BaseException | None = None

    def lint_paths(
        self,
        paths: Sequence[str],
        *,
        resolver: SettingsResolver,
        fix: FixMode = FixMode.NONE,
        progress: object = None,
        **_: object,
    ) -> Outcome:
        if self.failure is not None:
            raise self.failure
        self.paths, self.fix, self.settings = list(paths), fix, resolver.for_run()
        files = [str(resolver.cwd / path) for path in paths if (resolver.cwd / path).is_file()]
        outcome = Outcome((), notices=self.notices, files=len(files))
        for file in files:
            found = self.lint(Path(file).read_text(encoding="utf-8"), file, fix)
            outcome = replace(
                outcome,
                diagnostics=outcome.diagnostics + found.diagnostics,
                changes=outcome.changes + found.changes,
            )
            if fix is FixMode.WRITE and found.changes:
                Path(file).write_text(found.changes[0].after, encoding="utf-8")
        return outcome

    def lint_source(self, text: str, path: str, *, resolver: SettingsResolver, fix: FixMode = FixMode.NONE) -> Outcome:
        self.paths, self.fix, self.settings = [path], fix, resolver.for_path(path)
        return self.lint(text, path, fix)

    def lint(self, text: str, path: str, fix: FixMode) -> Outcome:
        document = document_from_text(text, path)
        start = document.text.find("d.keys()")
        if start < 0 or "list(" in text:
            return Outcome((), files=1)
        span = Span(start, start + len("d.keys()"))
        diagnostic = Diagnostic(
            code="LP101",
            name="dict-view-attribute",
            message="`self.k` stores a dict view",
            severity=Severity.ERROR,
            confidence=Confidence.CERTAIN,
            location=document.location(span),
            span=span,
            noqa_row=1,
            fix=Fix("Convert to a list", Applicability.SAFE, (Edit(span, "list(d.keys())"),)),
        )
        if fix is FixMode.NONE:
            return Outcome((diagnostic,), files=1)
        after = document.text.replace("d.keys()", "list(d.keys())")
        return Outcome((), (FileChange(path, document.text, after, (diagnostic,)),), files=1)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """A fake engine behind the command line, in an empty working folder with `a.py` and `clean.py`."""
    fake = FakeEngine()
    module: Any = ModuleType("lintpickle.api")
    module.FixMode, module.lint_paths, module.lint_source = FixMode, fake.lint_paths, fake.lint_source
    monkeypatch.setitem(sys.modules, "lintpickle.api", module)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "LINTPICKLE_OUTPUT_FORMAT", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "clean.py").write_text("x = 1\n")
    return fake


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin, prog_name="lintpickle")


class TestExitCodes:
    def test_clean(self, engine: FakeEngine) -> None:
        result = run("check", "clean.py")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "All checks passed! (1 file)\n", "")

    def test_findings(self, engine: FakeEngine) -> None:
        result = run("check", "a.py")
        assert result.exit_code == 1
        assert " --> a.py:1:10\n" in result.stdout and "Found 1 error.\n" in result.stdout

    def test_exit_zero(self, engine: FakeEngine) -> None:
        result = run("check", "a.py", "--exit-zero")
        assert result.exit_code == 0 and "Found 1 error." in result.stdout

    def test_exit_non_zero_on_fix(self, engine: FakeEngine) -> None:
        assert run("check", "a.py", "--fix", "--exit-non-zero-on-fix").exit_code == 1
        assert run("check", "a.py", "--fix", "--exit-non-zero-on-fix").exit_code == 0

    def test_error_of_the_user(self, engine: FakeEngine) -> None:
        engine.failure = LintpickleError("gone.py does not exist")
        result = run("check", "gone.py", "--exit-zero")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "error: gone.py does not exist\n"

    def test_missing_paths_are_all_told_and_the_rest_is_checked(self, engine: FakeEngine) -> None:
        result = run("check", "gone.py", "a.py", "lost")
        assert result.exit_code == 2 and engine.paths == ["a.py"]
        assert "LP101" in result.stdout
        assert result.stderr == "error: gone.py does not exist\nerror: lost does not exist\n"
        assert run("check", "gone.py", "clean.py", "--exit-zero").exit_code == 2

    def test_nothing_passes_if_all_paths_are_missing(self, engine: FakeEngine) -> None:
        result = run("check", "gone.py")
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", "error: gone.py does not exist\n")

    def test_defect(self, engine: FakeEngine) -> None:
        engine.failure = ZeroDivisionError("oops")
        result = run("check", "a.py")
        assert result.exit_code == 2
        assert "ZeroDivisionError: oops" in result.stderr and "please report it" in result.stderr

    def test_interrupted(self, engine: FakeEngine) -> None:
        engine.failure = KeyboardInterrupt()
        assert run("check", "a.py").exit_code == 130

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("chekc",), "Did you mean 'check'?"),
            (("a.py",), "To check a path: lintpickle check a.py"),
            (("check", "--selct", "LP1"), "--select"),
            (("--select", "LP1"), "lintpickle check --select"),
            (("--selct", "LP1"), "--selct"),
            (("-q",), "lintpickle check -q"),
            (("check", "-n", "4"), "-j sets the number of processes"),
            (("help", "chekc"), "Did you mean 'check'?"),
            (("check", "-", "a.py"), "standard input (-) cannot be checked together"),
            (("check", "-q", "-v"), "exclude each other"),
            (("check", "--output-format", "jso"), 'Did you mean "json"?'),
            (("check", "--config", "nope"), "neither a file nor"),
            (("check", "--config", "pedantc = true"), 'Did you mean "pedantic"?'),
            (("check", "--per-file-ignores", "tests"), "expected GLOB:SELECTOR"),
            (("check", "a.py", "--statistics", "--output-format", "sarif"), "--statistics knows no"),
            (("check", "a.py", "-o", "no/such/folder/x"), "cannot be written"),
        ],
    )
    def test_wrong_calls(self, engine: FakeEngine, arguments: tuple[str, ...], message: str) -> None:
        result = run(*arguments)
        assert result.exit_code == 2
        assert message in result.stderr and "Traceback" not in result.stderr


class TestSettings:
    def test_options_become_settings(self, engine: FakeEngine, tmp_path: Path) -> None:
        run(
            *[
                "check",
                "a.py",
                "--select",
                "LP1,LP2",
                "--select",
                "LP3",
                "--ignore",
                "LP101",
                "--extend-select",
                "ALL",
                "--extend-ignore",
                "LP2",
            ],
            *[
                "--per-file-ignores",
                "tests/:LP1,tests/:LP2,x.py:LP3",
                "--pedantic",
                "--unsafe-fixes",
                "--force-exclude",
            ],
            *[
                "--exclude",
                "a,b",
                "--extend-exclude",
                "c",
                "--no-respect-gitignore",
                "--python",
                "env",
            ],
            *["--output-format", "json", "--target-version", "py311"],
        )
        settings = engine.settings
        assert settings is not None
        assert settings.select == ("LP1", "LP2", "LP3")
        assert settings.ignore == ("LP101",)
        assert settings.extend_select == ("ALL",) and settings.extend_ignore == ("LP2",)
        assert settings.per_file_ignores == {"tests/": ("LP1", "LP2"), "x.py": ("LP3",)}
        assert settings.pedantic and settings.unsafe_fixes and settings.force_exclude
        assert settings.exclude == ("a", "b") and settings.extend_exclude == ("c",)
        assert not settings.respect_gitignore
        assert settings.python == tmp_path / "env"
        assert settings.output_format == "json" and settings.target_version == "3.11"

    def test_what_is_not_said_is_left_to_the_file(self, engine: FakeEngine, tmp_path: Path) -> None:
        text = 'pedantic = true\nexclude = ["x"]\noutput-format = "concise"\nrespect-gitignore = false\n'
        (tmp_path / "lintpickle.toml").write_text(text)
        result = run("check", "a.py")
        settings = engine.settings
        assert settings is not None
        assert settings.pedantic and settings.exclude == ("x",) and not settings.respect_gitignore
        assert result.stdout.startswith("a.py:1:10: LP101 [*] ")
        run("check", "a.py", "--no-pedantic", "--isolated")
        assert engine.settings is not None and engine.settings.exclude != ("x",)

    def test_environment_chooses_the_format(self, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LINTPICKLE_OUTPUT_FORMAT", "json")
        assert json.loads(run("check", "a.py").stdout)[0]["code"] == "LP101"

    def test_show_settings(self, engine: FakeEngine, tmp_path: Path) -> None:
        (tmp_path / "lintpickle.toml").write_text("\npedantic = true\n")
        result = run("check", "--show-settings", "a.py", "--select", "LP1")
        assert result.exit_code == 0
        assert f"# Settings for {tmp_path / 'a.py'}\n" in result.stdout
        assert f"pedantic = true  # from {tmp_path / 'lintpickle.toml'}:2\n" in result.stdout
        assert 'select = ["LP1"]  # from the CLI\n' in result.stdout

    def test_show_files(self, engine: FakeEngine, tmp_path: Path) -> None:
        (tmp_path / "note.txt").write_text("")
        result = run("check", "--show-files")
        assert result.stdout == f"{tmp_path / 'a.py'}\n{tmp_path / 'clean.py'}\n"
        assert run("check", "--show-files", "gone.py").exit_code == 2


class TestOutput:
    def test_default_is_the_working_folder(self, engine: FakeEngine) -> None:
        run("check")
        assert engine.paths == ["."]

    @pytest.mark.parametrize("name", format_names())
    def test_every_format_can_be_chosen(self, engine: FakeEngine, name: str) -> None:
        result = run("check", "a.py", "--output-format", name)
        assert result.exit_code == 1 and "LP101" in result.stdout and result.stderr == ""

    def test_file(self, engine: FakeEngine, tmp_path: Path) -> None:
        result = run("check", "a.py", "-o", "out.txt", "--output-format", "concise")
        assert (result.exit_code, result.stdout) == (1, "")
        assert (tmp_path / "out.txt").read_text().startswith("a.py:1:10: LP101 ")

    def test_remarks_go_to_standard_error(self, engine: FakeEngine) -> None:
        engine.notices = ("no Python environment was found",)
        result = run("check", "a.py", "--output-format", "json")
        assert result.stderr == "note: no Python environment was found\n"
        assert len(json.loads(result.stdout)) == 1
        assert run("check", "a.py", "-q").stderr == ""

    def test_no_files(self, engine: FakeEngine) -> None:
        result = run("check")
        assert result.exit_code == 0
        assert result.stderr == "warning: no Python files were found under the given paths\n"

    def test_quiet(self, engine: FakeEngine) -> None:
        assert "Found" not in run("check", "a.py", "-q").stdout
        assert run("check", "clean.py", "-q").stdout == ""

    def test_quiet_is_one_line_for_each_finding(self, engine: FakeEngine) -> None:
        assert run("check", "a.py", "-q").stdout == "a.py:1:10: LP101 [*] `self.k` stores a dict view\n"
        assert run("-q", "check", "a.py").stdout == run("check", "a.py", "-q").stdout
        assert json.loads(run("check", "a.py", "-q", "--output-format", "json").stdout)
        assert "list(d.keys())" in run("check", "a.py", "-q", "--show-fixes").stdout

    def test_verbose(self, engine: FakeEngine) -> None:
        result = run("check", "a.py", "-v")
        assert f"note: lintpickle {lintpickle.__version__}, settings: defaults\n" in result.stderr
        assert "note: checked 1 file in " in result.stderr

    def test_statistics(self, engine: FakeEngine) -> None:
        text = "1  LP101  [*] dict-view-attribute\nFound 1 error.\n[*] 1 fixable with `--fix`.\n"
        assert run("check", "a.py", "--statistics").stdout == text
        assert json.loads(run("check", "a.py", "--statistics", "--output-format", "json").stdout) == [
            {
                "code": "LP101",
                "name": "dict-view-attribute",
                "count": 1,
                "fixable": True,
                "fixable_count": 1,
            }
        ]

    def test_colour(self, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "\033[" not in run("check", "a.py").stdout
        assert "\033[" in run("check", "a.py", "--color", "always").stdout
        assert "\033[" not in run("check", "a.py", "--color", "always", "--output-format", "json").stdout
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\033[" in run("check", "a.py").stdout
        assert "\033[" not in run("check", "a.py", "--color", "never").stdout


class TestFixing:
    def test_fix(self, engine: FakeEngine, tmp_path: Path) -> None:
        result = run("check", "a.py", "--fix", "--show-fixes")
        assert engine.fix is FixMode.WRITE and result.exit_code == 0
        assert (tmp_path / "a.py").read_text() == "self.k = list(d.keys())\n"
        assert "Fixed 1 problem:\n- a.py:\n" in result.stdout
        assert "Found 1 problem (1 fixed, 0 remaining).\n" in result.stdout

    def test_the_last_of_fix_and_no_fix_counts(self, engine: FakeEngine, tmp_path: Path) -> None:
        run("check", "a.py", "--fix", "--no-fix")
        assert engine.fix is FixMode.NONE and (tmp_path / "a.py").read_text() == SOURCE

    def test_diff(self, engine: FakeEngine, tmp_path: Path) -> None:
        result = run("check", "a.py", "--fix", "--diff")
        assert engine.fix is FixMode.DIFF and result.exit_code == 1
        assert (tmp_path / "a.py").read_text() == SOURCE
        assert result.stdout == ("--- a.py\n+++ a.py\n@@ -1 +1 @@\n-self.k = d.keys()\n+self.k = list(d.keys())\n")
        assert result.stderr == "Would fix 1 problem in 1 file.\n"

    def test_diff_without_changes(self, engine: FakeEngine) -> None:
        result = run("check", "clean.py", "--diff")
        assert (result.exit_code, result.stdout) == (0, "")

    def test_show_fixes_alone_changes_nothing(self, engine: FakeEngine, tmp_path: Path) -> None:
        result = run("check", "a.py", "--show-fixes")
        assert "1 + self.k = list(d.keys())\n" in result.stdout
        assert (tmp_path / "a.py").read_text() == SOURCE and result.exit_code == 1

    def test_fix_only(self, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
        lint = engine.lint

        def leave_one(text: str, path: str, fix: FixMode) -> Outcome:
            outcome = lint(text, path, fix)
            return replace(outcome, diagnostics=outcome.changes[0].fixed)

        monkeypatch.setattr(engine, "lint", leave_one)
        result = run("check", "a.py", "--fix-only")
        assert (result.exit_code, result.stdout) == (0, "Fixed 1 problem.\n")


class TestStandardInput:
    def test_findings(self, engine: FakeEngine, tmp_path: Path) -> None:
        result = run("check", "-", stdin=SOURCE)
        assert result.exit_code == 1 and " --> -:1:10\n" in result.stdout
        assert engine.paths == [str(tmp_path / "-")]

    @pytest.mark.parametrize("arguments", [("-", "--stdin-filename", "pkg/x.py"), ("--stdin-filename", "pkg/x.py")])
    def test_name(self, engine: FakeEngine, arguments: tuple[str, ...], tmp_path: Path) -> None:
        (tmp_path / "pkg").mkdir()
        (tmp_path / "pkg" / "lintpickle.toml").write_text("pedantic = true\n")
        result = run("check", *arguments, stdin=SOURCE)
        assert " --> pkg/x.py:1:10\n1 | self.k = d.keys()\n".splitlines()[0] in result.stdout
        assert engine.settings is not None and engine.settings.pedantic

    def test_fix_writes_the_text_and_nothing_else_to_standard_output(self, engine: FakeEngine) -> None:
        result = run("check", "-", "--fix", stdin=SOURCE)
        assert (result.exit_code, result.stdout) == (0, "self.k = list(d.keys())\n")
        assert result.stderr == "Found 1 problem (1 fixed, 0 remaining).\n"

    @pytest.mark.parametrize(
        "raw",
        [
            b"\xef\xbb\xbfself.k = d.keys()\r\nx = '\xc3\xa9'\r\n",
            b"# coding: latin-1\nx = '\xe9'\nself.k = d.keys()",
        ],
    )
    def test_fix_keeps_encoding_and_newlines(self, engine: FakeEngine, raw: bytes) -> None:
        result = run("check", "-", "--fix", stdin=raw)
        assert result.stdout_bytes == raw.replace(b"d.keys()", b"list(d.keys())")

    def test_fix_passes_clean_text_through(self, engine: FakeEngine) -> None:
        assert run("check", "-", "--fix", stdin=b"x = 1\r\ny = 2").stdout_bytes == b"x = 1\r\ny = 2"

    def test_diff(self, engine: FakeEngine) -> None:
        result = run("check", "-", "--diff", "--stdin-filename", "x.py", stdin=SOURCE)
        assert result.exit_code == 1 and "+self.k = list(d.keys())\n" in result.stdout

    def test_excluded(self, engine: FakeEngine) -> None:
        arguments = ("check", "-", "--stdin-filename", "x.py", "--exclude", "x.py")
        assert run(*arguments, stdin=SOURCE).exit_code == 1
        assert run(*arguments, "--force-exclude", stdin=SOURCE).exit_code == 0
        assert run(*arguments, "--force-exclude", "--fix", stdin=SOURCE).stdout == SOURCE

    def test_bytes_that_are_no_text(self, engine: FakeEngine) -> None:
        result = run("check", "-", stdin=b"x = '\xff'\n")
        assert result.exit_code == 2 and result.stderr.startswith("error: standard input: ")


class TestRule:
    def test_table(self) -> None:
        result = run("rule")
        assert result.exit_code == 0
        assert [line.split()[:2] for line in result.stdout.splitlines()] == [
            [rule.code, rule.name] for rule in all_rules()
        ]

    @pytest.mark.parametrize("prefix", ["LP1", "lp90", "LP"])
    def test_family(self, prefix: str) -> None:
        lines = [line.split("  ") for line in run("rule", prefix).stdout.splitlines()]
        wanted = [rule.code for rule in all_rules() if rule.code.startswith(prefix.upper())]
        assert [line[0] for line in lines if len(line) > 1] == wanted
        assert (lines[0] == ["LP1xx: State that does not pickle"]) == (prefix == "LP1")
        every = json.loads(run("rule", prefix, "--output-format", "json").stdout)
        assert [item["code"] for item in every] == wanted

    def test_at_a_glance(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "60")
        text = run("rule", "LP101").stdout
        headings = [line for line in text.splitlines() if line in HEADINGS]
        assert headings == [name for name in HEADINGS if name not in ("Proof", "Known gaps")]
        assert "    class Boxes(Dataset):\n" in text and "```" not in text and "## " not in text
        assert "self.class_names = list(self.class_range.keys())" in text and "Splits" not in text
        prose = [line for line in text.splitlines() if not line.startswith("    ") and "https://" not in line]
        assert max(map(len, prose)) <= 60
        assert "`lintpickle rule LP101 --full` shows all" in text

    def test_full(self) -> None:
        text = run("rule", "LP101", "--full").stdout
        assert [line for line in text.splitlines() if line in HEADINGS] == list(HEADINGS)
        assert "    # bad=detours\n" in text and "\nbad=detours " in text and "--full" not in text

    def test_in_colour_marks_become_colours(self) -> None:
        text = run("rule", "LP101", "--color", "always").stdout
        assert "\x1b[36m.keys()\x1b[0m" in text and "`.keys()`" not in text

    def test_explain_is_another_name(self) -> None:
        assert run("explain", "LP101").stdout == run("rule", "LP101").stdout

    @pytest.mark.parametrize("word", ["LP101", "lp101", "dict-view-attribute"])
    def test_one(self, word: str) -> None:
        result = run("rule", word)
        assert result.exit_code == 0 and result.stdout.startswith("LP101 dict-view-attribute\nerror, under ")

    def test_json(self) -> None:
        one = json.loads(run("rule", "LP101", "--output-format", "json").stdout)
        keys = [
            "code",
            "name",
            "summary",
            "severity",
            "start_methods",
            "fix",
            "since",
            "default",
            "url",
            "explanation",
        ]
        assert list(one) == keys and one["code"] == "LP101" and one["severity"] == "error"
        every = json.loads(run("rule", "--all", "--output-format", "json").stdout)
        assert [item["code"] for item in every] == [rule.code for rule in all_rules()]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("dict-view-atribute",), "Did you mean 'dict-view-attribute'?"),
            (("LP1010",), "Did you mean 'LP1"),
            (("LP7",), "No code of a rule begins with 'LP7'"),
            (("F401",), "a code of another linter"),
            (("qqqqqqqq",), "`lintpickle rule` lists the rules."),
            (("LP101", "--all"), "not both"),
        ],
    )
    def test_wrong_calls(self, arguments: tuple[str, ...], message: str) -> None:
        result = run("rule", *arguments)
        assert result.exit_code == 2 and message in result.stderr


class TestConfig:
    def test_every_option(self) -> None:
        text = run("config").stdout
        for option in options():
            assert f"{option.name} = " in text and option.summary in text

    def test_one(self) -> None:
        result = run("config", "start-methods")
        assert 'Default: ["fork", "spawn", "forkserver"]' in result.stdout
        assert run("config", "start_methods").stdout == result.stdout

    def test_colour(self) -> None:
        assert run("config", "pedantic", "--color", "always").stdout.startswith("\x1b[1;36mpedantic\x1b[0m\n")

    def test_json(self) -> None:
        one = json.loads(run("config", "pedantic", "--output-format", "json").stdout)
        assert (one["name"], one["type"], one["default"]) == ("pedantic", "boolean", False)
        every = json.loads(run("config", "--output-format", "json").stdout)
        assert [item["name"] for item in every] == [option.name for option in options()]

    def test_unknown(self) -> None:
        result = run("config", "selct")
        assert result.exit_code == 2 and "Did you mean 'select'?" in result.stderr


class TestHelp:
    def test_every_option_of_check_has_help(self) -> None:
        text = run("check", "--help").stdout
        for section in ("Fixes:", "Rules:", "Files:", "Program:", "Output:", "Configuration:"):
            assert f"\n{section}\n" in text

    @pytest.mark.parametrize(
        ("command", "names"),
        [
            ("check", format_names()),
            ("graph", graph_format_names()),
            ("inspect", inspection_format_names()),
            ("migrate", migration_format_names()),
        ],
    )
    def test_names_the_values_that_an_option_takes(self, command: str, names: tuple[str, ...]) -> None:
        text = " ".join(run(command, "--help").stdout.split())
        assert f"[values: {', '.join(names)}]" in text

    def test_commands(self) -> None:
        text = run("--help").stdout
        for name in ("check", "config", "rule"):
            assert f"\n  {name} " in text

    def test_help_of_a_command(self) -> None:
        assert run("help", "check").stdout == run("check", "--help").stdout
        assert run("help", "explain").stdout == run("rule", "--help").stdout
        assert run("help").stdout == run("--help").stdout

    @pytest.mark.parametrize("word", ["version", "-V", "--version"])
    def test_version(self, word: str) -> None:
        assert run(word).stdout == f"lintpickle {lintpickle.__version__}\n"


class TestProgress:
    class Screen:
        def __init__(self) -> None:
            self.text = ""

        def write(self, text: str) -> int:
            self.text += text
            return len(text)

        def flush(self) -> None:
            pass

    def test_short_runs_show_nothing(self) -> None:
        screen = self.Screen()
        progress = ProgressBar(screen)  # type: ignore[arg-type]
        progress(1, 2)
        progress.close()
        assert screen.text == ""

    def test_long_runs_show_a_bar_and_wipe_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("lintpickle.commands._output.PROGRESS_AFTER", 0.0)
        screen = self.Screen()
        progress = ProgressBar(screen)  # type: ignore[arg-type]
        progress(1, 2)
        assert screen.text == "\r[############............] reading 1/2 files"
        progress.close()
        assert screen.text.endswith("\r" + " " * 44 + "\r")

    def test_what_is_done_after_reading_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        screen = self.Screen()
        progress = ProgressBar(screen)  # type: ignore[arg-type]
        progress.checking(0, 5)
        assert screen.text == ""
        progress.checking(0, 500)
        assert screen.text == "\rchecking 500 files ..."
        monkeypatch.setattr("lintpickle.commands._output.PROGRESS_AFTER", 0.0)
        progress.checking(250, 500)
        assert screen.text.endswith("\r[############............] checking 250/500 files")
        progress.close()

    def test_stages_are_counted_and_what_is_left_estimated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = [100.0]
        monkeypatch.setattr("lintpickle.commands._output.time.monotonic", lambda: now[0])
        screen = self.Screen()
        progress = ProgressBar(screen)  # type: ignore[arg-type]
        now[0] += 1
        progress.stage("following boundaries", 0, 40)
        assert screen.text == "\r[........................] following boundaries 0/40"
        now[0] += 10
        progress.stage("following boundaries", 10, 40)
        assert screen.text.endswith("\r[######..................] following boundaries 10/40, about 30 s left")
        progress.stage("checking files", 10, 40)
        assert screen.text.rstrip().endswith("checking files 10/40"), "another stage begins"
        progress.close()


class TestProcess:
    """What only a new process can show."""

    def python(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, **environment},
            timeout=60,
            check=False,
        )

    def test_version(self) -> None:
        result = self.python("-m", "lintpickle", "--version")
        assert (result.returncode, result.stdout) == (0, f"lintpickle {lintpickle.__version__}\n")

    @pytest.mark.parametrize(
        ("arguments", "unwanted"),
        [
            (["--version"], {"click", "libcst", "lintpickle.settings"}),
            (["config"], {"libcst", "pathspec", "lintpickle.api"}),
            (["check", "--help"], {"libcst", "pathspec", "lintpickle.api"}),
            (["check", "--show-settings"], {"libcst", "lintpickle.api"}),
            (["check", "--show-files", "."], {"libcst", "lintpickle.api"}),
        ],
    )
    def test_imports_only_what_is_needed(self, arguments: list[str], unwanted: set[str], tmp_path: Path) -> None:
        code = (
            "import sys, atexit\n"
            "atexit.register(lambda: print('IMPORTED', *sys.modules, file=sys.stderr))\n"
            f"sys.argv = ['lintpickle', *{arguments!r}]\n"
            "from lintpickle.cli import main\n"
            "sys.exit(main())\n"
        )
        result = self.python("-c", code)
        assert result.returncode == 0
        imported = set(result.stderr.rpartition("IMPORTED ")[2].split())
        assert "lintpickle.cli" in imported
        assert not imported & unwanted

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
    @pytest.mark.parametrize("arguments", [["check", "--no-cache", "."], ["check", "."], ["config"]])
    def test_a_full_disk_is_an_error(self, arguments: list[str], tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text("import pickle\n\npickle.dumps(lambda: 0)\n", encoding="utf-8")
        with open("/dev/full", "wb") as full:
            command = [sys.executable, "-m", "lintpickle", *arguments]
            environ = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1]), "HOME": str(tmp_path)}
            ran = subprocess.run(command, cwd=tmp_path, env=environ, stdout=full, stderr=subprocess.PIPE)
        said = b"error: the output cannot be written: No space left on device\n"
        assert (ran.returncode, ran.stderr) == (2, said)

    @pytest.mark.skipif(sys.platform == "win32", reason="a working folder cannot be removed there")
    def test_a_working_folder_that_is_gone_is_an_error(self, tmp_path: Path) -> None:
        code = (
            f"import os, sys; sys.path.insert(0, {str(Path(__file__).resolve().parents[1])!r})\n"
            "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')\n"
            "sys.argv = ['lintpickle', 'check', '.']\n"
            "from lintpickle.cli import main\n"
            "sys.exit(main())\n"
        )
        ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (2, "error: the working folder is gone\n")

    @pytest.mark.parametrize(
        ("words", "position", "expected"),
        [
            ("lintpickle rule LP10", "2", "LP101"),
            ("lintpickle check --select LP102,dict", "3", "LP102,dict-view-attribute"),
        ],
    )
    def test_completion_of_rules(self, words: str, position: str, expected: str) -> None:
        result = self.python(
            "-c",
            "import sys; sys.argv = ['lintpickle']; from lintpickle.cli import main; main()",
            _LINTPICKLE_COMPLETE="bash_complete",
            COMP_WORDS=words,
            COMP_CWORD=position,
        )
        assert f"plain,{expected}\n" in result.stdout
