"""The tool that measures the linter on real code: how it judges, and that its table can be read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tools.real_code import ROWS, Result, Row, Source, measure, read_rows, statement, summary, unpack

TEXT = """\
@register(
    "x"
)
class A:
    x = f(
        1,
    )

    def m(
        self,
    ):
        return 1
"""


@pytest.mark.parametrize(
    ("line", "lines"),
    [(2, range(1, 5)), (4, range(1, 5)), (6, range(5, 8)), (10, range(9, 12)), (12, range(12, 13)), (8, range(8, 9))],
)
def test_the_statement_around_a_line(line: int, lines: range) -> None:
    assert statement(TEXT, line) == lines


def test_a_file_that_cannot_be_parsed_has_lines_only() -> None:
    assert statement("print 'x'\n", 1) == range(1, 2)


def test_rows_are_found_missed_silent_noisy_or_absent(tmp_path: Path) -> None:
    folder = tmp_path / "repos" / "me+it"
    folder.mkdir(parents=True)
    (folder / "data.py").write_text(
        "from torch.utils.data import Dataset\n\n\nclass D(Dataset):\n    def __init__(self):\n"
        "        self.f = lambda x: x\n        self.g = len\n\n\nclass Plain:\n    def __init__(self):\n"
        "        self.f = lambda x: x\n"
    )
    source = Source("github", "me/it", "abc")
    rows = [
        Row(source, "data.py", 6, "attr-lambda", ("LP102",)),
        Row(source, "data.py", 6, "attr-lambda", ("LP6",)),
        Row(source, "data.py", 12, "attr-lambda", ("LP1",)),
        Row(source, "data.py", 7, "negative:x", ()),
        Row(source, "data.py", 6, "negative:x", ()),
        Row(source, "data.py", 12, "negative:x", ()),
        Row(source, "gone.py", 1, "attr-lambda", ("LP102",)),
    ]
    results = list(measure(source, rows, tmp_path / "cache", tmp_path / "repos"))
    assert [result.verdict for result in results] == [
        "found", "missed", "found (pedantic)", "silent", "noisy", "silent", "absent"
    ]  # fmt: skip
    assert list(summary(results)) == [
        "positives: 1 absent, 1 found, 1 found (pedantic), 1 missed",
        "negatives: 1 noisy, 2 silent",
    ]
    assert [result.verdict for result in measure(source, rows[:1], tmp_path / "cache", None)] == ["absent"]


def test_a_trail_that_passes_a_row_is_found_by_trail(tmp_path: Path) -> None:
    folder = tmp_path / "repos" / "me+it"
    folder.mkdir(parents=True)
    (folder / "train.py").write_text(
        "from torch.utils.data import DataLoader\n\n\ndef loader(data):\n    first = lambda batch: batch[0]\n"
        "    return DataLoader(\n        data, num_workers=2, collate_fn=first\n    )\n"
    )
    rows = [Row(Source("github", "me/it", "abc"), "train.py", line, "collate-lambda", ("LP2",)) for line in (5, 7)]
    results = measure(rows[0].source, rows, tmp_path / "cache", tmp_path / "repos")
    assert [result.verdict for result in results] == ["found", "found (trail)"]


def test_archives_areunpacked_without_leaving_their_folder(tmp_path: Path) -> None:
    archive = tmp_path / "a-1.whl"
    with zipfile.ZipFile(archive, "w") as wheel:
        wheel.writestr("a/b.py", "x = 1\n")
        wheel.writestr("a/data.bin", "no")
        wheel.writestr("../evil.py", "x = 1\n")
    unpack(archive, tmp_path / "out")
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*.py"))] == ["out/a/b.py"]


def test_the_table_is_whole() -> None:
    rows = read_rows(ROWS)
    assert len(rows) > 100
    assert len({(row.source, row.path, row.line, row.category) for row in rows}) == len(rows)
    for row in rows:
        assert row.line > 0
        assert bool(row.rules) is not row.negative, row
        assert row.source.kind in ("pypi", "github")
    assert Result(rows[0], None).verdict == "absent"
