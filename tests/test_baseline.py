"""Baselines: what is known again, and what is new."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from lintpickle.baseline import Baseline, read_baseline
from lintpickle.diagnostics import Confidence, Diagnostic, LintpickleError, Severity, Span
from lintpickle.source.document import Document, document_from_text

ROW = "self.k = d.keys()"


class Files:
    """Files in memory, and a finding wherever they say `keys`."""

    def __init__(self, folder: Path, **texts: str) -> None:
        self._documents = {
            str(folder / f"{name}.py"): document_from_text(text, str(folder / f"{name}.py"))
            for name, text in texts.items()
        }

    def source(self, path: str) -> Document | None:
        return self._documents.get(path)

    def findings(self, code: str = "LP101") -> list[Diagnostic]:
        found = []
        for path, document in self._documents.items():
            start = document.text.find("keys")
            while start >= 0:
                span = Span(start, start + 4)
                location = document.location(span)
                place = (location, span, location.start.row)
                found.append(Diagnostic(code, "some-name", "text", Severity.ERROR, Confidence.CERTAIN, *place))
                start = document.text.find("keys", start + 1)
            assert path == document.path
        return found


def new(folder: Path, before: Files, after: Files, code: str = "LP101") -> list[tuple[str, int]]:
    """The file and row of what is new after a change, when all from before was accepted and written down."""
    path = folder / "base.json"
    path.write_text(Baseline.of(before.findings(), folder, before.source).text(), encoding="utf-8")
    compared = read_baseline(path).compare(after.findings(code), after.source, [folder])
    return [(Path(each.location.path).name, each.location.start.row) for each in compared.new]


def test_nothing_is_new_without_a_change(tmp_path: Path) -> None:
    files = Files(tmp_path, a=f"{ROW}\n{ROW}\n", b=ROW)
    assert new(tmp_path, files, files) == []


@pytest.mark.parametrize(
    "text",
    [f"import os\n\n{ROW}\n", f"        {ROW}\n", f"{ROW}\r\n", f"if x:\n\t{ROW.replace(' ', '  ')}\n"],
)
def test_a_row_may_move(tmp_path: Path, text: str) -> None:
    assert new(tmp_path, Files(tmp_path, a=ROW), Files(tmp_path, a=text)) == []


@pytest.mark.parametrize("text", ["self.k = e.keys()\n", "self.kk = d.keys()\n"])
def test_a_row_that_changed_is_new(tmp_path: Path, text: str) -> None:
    assert new(tmp_path, Files(tmp_path, a=ROW), Files(tmp_path, a=text)) == [("a.py", 1)]


def test_one_more_of_the_same_is_new(tmp_path: Path) -> None:
    after = Files(tmp_path, a=f"{ROW}\n{ROW}\n{ROW}\n")
    assert new(tmp_path, Files(tmp_path, a=f"{ROW}\n{ROW}\n"), after) == [("a.py", 3)]


def test_the_same_row_in_another_file_is_new(tmp_path: Path) -> None:
    assert new(tmp_path, Files(tmp_path, a=ROW), Files(tmp_path, b=ROW)) == [("b.py", 1)]


def test_another_rule_at_the_same_row_is_new(tmp_path: Path) -> None:
    files = Files(tmp_path, a=ROW)
    assert new(tmp_path, files, files, "LP102") == [("a.py", 1)]


def test_a_project_may_be_checked_out_elsewhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    text = Baseline.of(Files(here, a=ROW).findings(), here, Files(here, a=ROW).source).text()
    (there / "base.json").write_text(text, encoding="utf-8")
    after = Files(there, a=ROW)
    assert read_baseline(there / "base.json").compare(after.findings(), after.source, [there]).new == ()


def test_only_what_was_checked_can_be_gone(tmp_path: Path) -> None:
    before = Files(tmp_path, a=ROW, b=ROW)
    baseline = Baseline.of(before.findings(), tmp_path, before.source)

    def gone(checked: Sequence[Path]) -> int:
        return baseline.compare([], before.source, checked).gone

    assert [gone([tmp_path]), gone([tmp_path / "a.py"]), gone([tmp_path / "c.py"])] == [2, 1, 0]


def test_the_text_is_sorted_and_ends_in_a_newline(tmp_path: Path) -> None:
    files = Files(tmp_path, b=ROW, a=ROW)
    text = Baseline.of(files.findings(), tmp_path, files.source).text()
    assert text == Baseline.of(reversed(files.findings()), tmp_path, files.source).text()
    assert text.index("a.py") < text.index("b.py")
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "there is no such baseline; write it with --write-baseline"),
        ("{\n  1\n}", "base.json:2:3: not a baseline"),
        ("[]", "not a baseline of version 1"),
        ('{"version": 2, "findings": []}', "not a baseline of version 1"),
        ('{"version": 1}', "finding 1 of the baseline is not well formed"),
        ('{"version": 1, "findings": [{"path": "a.py", "code": "LP101", "row": "", "count": 0}]}', "finding 1"),
        ('{"version": 1, "findings": [{"path": "a.py", "code": "LP101"}]}', "finding 1"),
    ],
)
def test_bad_baselines(tmp_path: Path, text: str | None, complaint: str) -> None:
    if text is not None:
        (tmp_path / "base.json").write_text(text)
    with pytest.raises(LintpickleError) as caught:
        read_baseline(tmp_path / "base.json")
    assert complaint in str(caught.value)
