"""Findings that comments hide from `lintpickle check`: a boundary is not ready because of a comment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lintpickle.commands._group import app
from lintpickle.migration import migration_format_names
from lintpickle.migration.model import Finding, Verdict
from tests.migration.test_verdicts import migrated, worst

PROGRAM = """\
import multiprocessing


class Job:
    def __init__(self, names):
        self.names = names.keys(){comment}


def work(job):
    print(job)


def main():
    process = multiprocessing.Process(target=work, args=({given},))
    process.start()
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
SHIPPED, OTHER = 'Job({"a": 1})', "1"
COMMENT = "  # lintpickle: ignore[LP101] never shipped"


def findings(folder: Path, comment: str, before: str = "", given: str = SHIPPED) -> list[Finding]:
    found = migrated(folder, before + PROGRAM.format(comment=comment, given=given))
    return [finding for boundary in found.boundaries for finding in boundary.findings]


@pytest.mark.parametrize(
    ("before", "comment", "row"),
    [
        pytest.param("", COMMENT, 6, id="own"),
        pytest.param("", "  # lintpickle: ignore[dict-view-attribute]", 6, id="by name"),
        pytest.param("", "  # noqa: LP101", 6, id="noqa"),
        pytest.param("", "  # noqa", 6, id="blanket"),
        pytest.param("# lintpickle: file-ignore[LP101]\n", "", 1, id="of the file"),
        pytest.param("# lintpickle: disable[LP101]\n", "", 1, id="from there on"),
    ],
)
def test_they_count_and_name_the_comment(before: str, comment: str, row: int, tmp_path: Path) -> None:
    [finding] = findings(tmp_path, comment, before)
    assert finding.is_loud
    assert finding.hidden_at is not None and finding.hidden_at.row == row


@pytest.mark.parametrize("comment", ["", "  # noqa: LP102", "  # noqa: F401", "  # a job", "  # lintpickle: enable"])
def test_what_no_comment_hides_names_none(comment: str, tmp_path: Path) -> None:
    assert [finding.hidden_at for finding in findings(tmp_path, comment)] == [None]


def test_without_the_hazard_it_is_ready(tmp_path: Path) -> None:
    found = migrated(tmp_path, PROGRAM.format(comment="", given=OTHER).replace("names.keys()", "list(names)"))
    assert worst(found) is Verdict.READY
    assert (found.hidden_here, found.hidden) == (0, 0)


def test_those_to_which_no_boundary_leads_stay_hidden(tmp_path: Path) -> None:
    dataset = "from torch.utils.data import Dataset\n\n\n"
    program = dataset + PROGRAM.format(comment=COMMENT, given=OTHER).replace("class Job:", "class Job(Dataset):")
    found = migrated(tmp_path, program)
    assert worst(found) is Verdict.READY
    assert (found.hidden_here, found.hidden) == (0, 1)
    told = worst(migrated(tmp_path, program.replace(COMMENT, "")))
    assert told is Verdict.BREAKS


@pytest.mark.parametrize("name", migration_format_names())
@pytest.mark.parametrize("comment", ["", COMMENT])
def test_each_format_says_so(comment: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(PROGRAM.format(comment=comment, given=SHIPPED), encoding="utf-8")
    result = CliRunner().invoke(app, ["migrate", "--isolated", "--format", name, str(tmp_path)])
    assert result.exit_code == 1
    assert "LP101" in result.stdout
    if name == "json":
        value: dict[str, Any] = json.loads(result.stdout)
        [told] = [each["hidden_at"] for boundary in value["boundaries"] for each in boundary["findings"]]
        assert told == ({"filename": str(tmp_path / "main.py"), "row": 6} if comment else None)
        assert value["hidden_by_comments"] == {"counted": int(bool(comment)), "elsewhere": 0}
    else:
        assert ("1 finding that a comment hides counts here." in result.stdout) is bool(comment)
        assert ("main.py:6, counts all the same" in result.stdout.replace("`", "")) is bool(comment)


def test_the_check_stays_silent(tmp_path: Path) -> None:
    program = PROGRAM.format(comment=COMMENT, given=SHIPPED).replace('"fork"', '"spawn"')
    (tmp_path / "main.py").write_text(program, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", "--isolated", "--no-cache", str(tmp_path)])
    assert result.exit_code == 0, result.output
