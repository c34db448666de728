"""What was read by hand in the reports of projects that pin fork (`projects.tsv`): what `migrate` said of boundaries,
and what is so. Nothing that is said to be ready may break or change."""

from __future__ import annotations

import csv
from pathlib import Path

from lintpickle.migration.model import Verdict

TABLE = Path(__file__).with_name("projects.tsv")
WORDS = {verdict.value for verdict in Verdict}


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_five_projects_were_read_and_each_line_has_its_verdict() -> None:
    assert len({row["project"] for row in rows()}) >= 5
    assert all({row["said"], row["read"]} <= WORDS and row["why"] and row["commit"] for row in rows())


def test_what_is_said_for_sure_is_so() -> None:
    sure = [row for row in rows() if row["said"] != Verdict.CANNOT_TELL.value]
    assert all(row["said"] == row["read"] for row in sure)


def test_the_page_tells_the_same() -> None:
    page = " ".join((TABLE.parents[2] / "docs" / "python-3.14.md").read_text(encoding="utf-8").split())
    sure = sum(row["said"] != Verdict.CANNOT_TELL.value for row in rows())
    failing = sum(row["said"] == Verdict.CANNOT_TELL.value and row["read"] != Verdict.READY.value for row in rows())
    told = f"of {len(rows())} boundaries, {sure} are told for sure"
    assert told in page
    assert f"{len(rows()) - sure} cannot be told, of which {failing} would break" in page
