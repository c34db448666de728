"""The table of the lines that `trace` names in the sources of public threads; `python -m tools.traced_threads` makes
sure of it where the histories are at hand."""

from __future__ import annotations

import re

from tools.traced_threads import TABLE, THREADS, read_table

ROWS = read_table()
_LINE = re.compile(r".+\.(?:py|ipynb):[1-9]\d*")
_COMMIT = re.compile(r"[0-9a-f]{40}")


def test_each_thread_is_kept_and_told_once() -> None:
    names = [row.thread for row in ROWS]
    assert len(set(names)) == len(names)
    assert {path.stem for path in THREADS.glob("*.txt")} >= set(names)


def test_each_repository_is_that_of_its_thread() -> None:
    for row in ROWS:
        first = (THREADS / f"{row.thread}.txt").read_text(encoding="utf-8").splitlines()[0]
        assert f"github.com/{row.repository}/" in first
        assert _COMMIT.fullmatch(row.commit)


def test_lines_and_verdicts_fit() -> None:
    for row in ROWS:
        assert all(_LINE.fullmatch(line) for line in row.lines)
        assert (row.named == "-") is (not row.lines)
        assert row.named in ("-", "right", "among", "other", "none")
        assert row.note


def test_the_page_tells_how_many_are_right() -> None:
    right = sum(row.named == "right" for row in ROWS)
    told = sum(bool(row.lines) for row in ROWS)
    assert right >= 25
    page = " ".join((TABLE.parents[3] / "docs" / "errors.md").read_text(encoding="utf-8").split())
    assert f"Of {len(ROWS)} public threads" in page
    assert f"for {told}, lines of the repository are to blame; for {right}, `trace` names such a line first" in page
