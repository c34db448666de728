"""The command: formats, exit codes, and output that steers nobody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lintpickle.commands import app
from lintpickle.saved_files.formats import inspection_format_names

from .support import Made, Named, dumped, torch_zip

FORMATS = inspection_format_names()


def run(*arguments: object, folder: Path) -> Result:
    return CliRunner().invoke(app, ["inspect", "--isolated", "--project", str(folder), *map(str, arguments)])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "person.py").write_text("class Person: ...\n")
    path = tmp_path / "saved.pkl"
    path.write_bytes(dumped([Made("__main__.Person"), Made("decimal.Decimal", "1")], 4))
    return path


def test_all_formats() -> None:
    assert FORMATS == ("full", "json", "markdown")


def test_exit_codes(saved: Path, tmp_path: Path) -> None:
    assert run(saved, folder=tmp_path).exit_code == 1
    assert run("--exit-zero", saved, folder=tmp_path).exit_code == 0
    good = tmp_path / "good.pkl"
    good.write_bytes(dumped(Made("person.Person"), 4))
    assert run(good, folder=tmp_path).exit_code == 0
    assert run(good, saved, folder=tmp_path).exit_code == 1
    good.write_bytes(good.read_bytes()[:-2])
    assert run(good, folder=tmp_path).exit_code == 1


@pytest.mark.parametrize(
    "arguments", [[], ["nowhere.pkl"], ["."], ["--output-format", "yaml", __file__], ["--project", "nowhere", __file__]]
)
def test_wrong_use(arguments: list[str], tmp_path: Path) -> None:
    result = run(*arguments, folder=tmp_path)
    assert result.exit_code == 2
    assert "Error" in result.output or "error" in result.output


def test_full(saved: Path, tmp_path: Path) -> None:
    text = run(saved, folder=tmp_path).output
    assert "missing: __main__.Person" in text
    assert "it may be person.Person now" in text
    assert "Can't get attribute 'Person' on <module '__main__'>" in text
    assert 'sys.modules["__main__"].Person = person.Person' in text
    assert text.endswith("1 file: 1 missing.\n")


def test_json(saved: Path, tmp_path: Path) -> None:
    [found] = json.loads(run("--output-format", "json", saved, folder=tmp_path).output)["files"]
    assert found["missing"] == ["__main__.Person"]
    assert found["pickles"][0]["protocol"] == 4
    assert found["pickles"][0]["globals"] == {"__main__.Person": 1, "decimal.Decimal": 1}
    [person] = [each for each in found["globals"] if each["missing"]]
    assert (person["standing"], person["called"]) == ("__main__", 1)
    assert person["elsewhere"][0]["name"] == "person.Person"


def test_markdown(saved: Path, tmp_path: Path) -> None:
    text = run("--output-format", "markdown", saved, folder=tmp_path).output
    assert "- **missing**: `__main__.Person`" in text
    assert "| `decimal.Decimal` | 1 |" in text


@pytest.mark.parametrize("format_", FORMATS)
def test_what_runs_code_is_marked_and_a_scanner_is_named(format_: str, tmp_path: Path) -> None:
    path = torch_zip(tmp_path / "a.pt", Made("os.system", "echo"))
    text = run("--output-format", format_, path, folder=tmp_path).output
    assert "os.system" in text
    assert "runs a program or changes the system" in text
    assert format_ == "json" or "picklescan" in text


NASTY = "\x1b]0;owned\x07\x1b[31m"


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("color", ["never", "always"])
def test_names_in_files_steer_nobody(format_: str, color: str, tmp_path: Path) -> None:
    names = [f"evil{NASTY}.Class", "a\r\n::error::b.C", "##[error]x.C", "x.\u202eC", "a`b|c<b>.D", "[x](y).z"]
    path = tmp_path / "a.pkl"
    path.write_bytes(dumped([Named(name) for name in names], 4))
    text = run("--output-format", format_, "--color", color, path, folder=tmp_path).output
    assert "\x1b]" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "\n::error::" not in text
    assert "##[" not in text
    assert color == "always" or "\x1b" not in text
    if format_ == "markdown":
        assert "<b>" not in text.replace("`a`b|c<b>.D`", "").replace("``a`b\\|c<b>.D``", "")


def test_a_file_for_the_report(saved: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    assert run("--output-format", "markdown", "-o", target, saved, folder=tmp_path).exit_code == 1
    assert "__main__.Person" in target.read_text(encoding="utf-8")
