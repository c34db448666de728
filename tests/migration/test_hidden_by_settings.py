"""Rules that the settings switch off for `lintpickle check`: a boundary is not ready because of a setting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lintpickle.commands._group import app
from lintpickle.diagnostics import StartMethod
from lintpickle.migration import migration_format_names
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Finding, Migration, Verdict
from lintpickle.settings import SettingsResolver
from tests.migration.test_hidden_by_comments import COMMENT, OTHER, PROGRAM, SHIPPED
from tests.migration.test_verdicts import worst

TABLE = "[tool.lintpickle]\n"


def migrated(folder: Path, settings: str, code: str = PROGRAM.format(comment="", given=SHIPPED)) -> Migration:
    (folder / "pyproject.toml").write_text(TABLE + settings, encoding="utf-8")
    (folder / "main.py").write_text(code, encoding="utf-8")
    return migrate([str(folder)], SettingsResolver(cwd=folder), StartMethod.SPAWN, "3.14")


def findings(migration: Migration) -> list[Finding]:
    return [finding for boundary in migration.boundaries for finding in boundary.findings]


@pytest.mark.parametrize(
    ("settings", "option", "row"),
    [
        pytest.param('ignore = ["LP101"]', "ignore", 2, id="by code"),
        pytest.param('ignore = [\n    "LP2",\n    "dict-view-attribute",\n]', "ignore", 4, id="by name"),
        pytest.param('extend-ignore = ["LP1"]', "extend-ignore", 2, id="by prefix"),
        pytest.param('start-methods = ["spawn"]\nselect = ["LP2"]', "select", 3, id="not selected"),
        pytest.param("select = []", "select", 2, id="none selected"),
        pytest.param('select = ["LP"]\nignore = ["LP1"]', "ignore", 3, id="selected and ignored"),
        pytest.param('per-file-ignores = { "main.py" = ["LP101"] }', "per-file-ignores", 2, id="in the file"),
        pytest.param(
            '[tool.lintpickle.per-file-ignores]\n"x.py" = ["LP2"]\n"*.py" = ["LP1"]',
            "per-file-ignores",
            4,
            id="by glob",
        ),
    ],
)
def test_what_they_switch_off_counts_and_names_them(settings: str, option: str, row: int, tmp_path: Path) -> None:
    found = migrated(tmp_path, settings)
    [finding] = findings(found)
    assert worst(found) is Verdict.BREAKS
    assert finding.switched_off is not None
    assert (finding.switched_off.option, finding.switched_off.origin.row) == (option, row)
    assert finding.switched_off.origin.path == tmp_path / "pyproject.toml"
    assert (found.off_here, found.off_elsewhere) == (("LP101",), ())


@pytest.mark.parametrize(
    "settings",
    [
        'ignore = ["LP2"]',
        'select = ["LP1"]',
        'ignore = ["LP1"]\nselect = ["LP101"]',  # The narrower selector wins.
        'per-file-ignores = { "other.py" = ["LP101"] }',
        "unfixable = ['LP101']",
    ],
)
def test_settings_that_leave_the_rule_on_are_not_named(settings: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, settings)
    assert [finding.switched_off for finding in findings(found)] == [None]
    assert found.off_here == ()


def test_without_the_hazard_it_is_ready(tmp_path: Path) -> None:
    code = PROGRAM.format(comment="", given=OTHER).replace("names.keys()", "list(names)")
    assert worst(migrated(tmp_path, 'ignore = ["LP"]', code)) is Verdict.READY


def test_those_to_which_no_boundary_leads_stay_off(tmp_path: Path) -> None:
    dataset = "from torch.utils.data import Dataset\n\n\n"
    code = dataset + PROGRAM.format(comment="", given=OTHER).replace("class Job:", "class Job(Dataset):")
    found = migrated(tmp_path, 'ignore = ["LP101"]', code)
    assert worst(found) is Verdict.READY
    assert (found.off_here, found.off_elsewhere) == ((), ("LP101",))
    assert worst(migrated(tmp_path, "", code)) is Verdict.BREAKS


def test_a_comment_may_hide_it_as_well(tmp_path: Path) -> None:
    code = PROGRAM.format(comment=COMMENT, given=SHIPPED)
    [finding] = findings(migrated(tmp_path, 'ignore = ["LP101"]', code))
    assert finding.hidden_at is not None and finding.switched_off is not None


def test_each_folder_has_its_own_settings(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "lintpickle.toml").write_text('ignore = ["LP101"]\n', encoding="utf-8")
    (inner / "job.py").write_text(PROGRAM.format(comment="", given=SHIPPED), encoding="utf-8")
    found = findings(migrated(tmp_path, ""))
    paths = {Path(each.diagnostic.location.path).name: each.switched_off is not None for each in found}
    assert paths == {"main.py": False, "job.py": True}


@pytest.mark.parametrize("name", migration_format_names())
@pytest.mark.parametrize("settings", ["", 'ignore = ["LP101"]'])
def test_each_format_says_so(settings: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(PROGRAM.format(comment="", given=SHIPPED), encoding="utf-8")
    config = ["--config", settings] if settings else []
    result = CliRunner().invoke(app, ["migrate", "--isolated", *config, "--format", name, str(tmp_path)])
    assert result.exit_code == 1
    assert "LP101" in result.stdout
    if name == "json":
        value: dict[str, Any] = json.loads(result.stdout)
        [told] = [each["switched_off"] for boundary in value["boundaries"] for each in boundary["findings"]]
        assert told == ({"option": "ignore", "filename": None, "row": None} if settings else None)
        assert value["switched_off"] == {"counted": {"LP101": 1} if settings else {}, "elsewhere": {}}
    else:
        counted = "1 finding counts here although the settings switch its rule off: LP101."
        assert (counted in result.stdout) is bool(settings)
        said = "switched off by ignore on the command line, counts all the same"
        assert (said in result.stdout.replace("`", "")) is bool(settings)


def test_the_check_and_its_fixes_follow_the_settings(tmp_path: Path) -> None:
    program = PROGRAM.format(comment="", given=SHIPPED).replace('"fork"', '"spawn"')
    (tmp_path / "main.py").write_text(program, encoding="utf-8")
    (tmp_path / "lintpickle.toml").write_text('ignore = ["LP101"]\n', encoding="utf-8")
    assert CliRunner().invoke(app, ["check", "--no-cache", str(tmp_path)]).exit_code == 0
    CliRunner().invoke(app, ["migrate", "--fix", "--unsafe-fixes", str(tmp_path)])
    assert (tmp_path / "main.py").read_text(encoding="utf-8") == program
