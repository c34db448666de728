from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Position, Span
from lintpickle.source.lines import LineIndex

TEXTS = st.text(alphabet=["a", "é", "😋", "\n", "\r", "\f", "\v", "\x1c", "\x85", "\u2028", "\t"])


@given(TEXTS)
def test_every_offset_survives_the_round_trip(text: str) -> None:
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        assert lines.offset(lines.position(offset)) == offset


@given(TEXTS)
def test_rows_are_what_lies_between_newlines(text: str) -> None:
    lines = LineIndex(text)
    rows = [lines.row_text(row) for row in range(1, lines.row_count + 1)]
    assert rows == re.split(r"\r\n|\r|\n", text)


@given(TEXTS)
def test_positions_agree_with_universal_newlines(text: str) -> None:
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        before = text[:offset]
        if before.endswith("\r") and text[offset : offset + 1] == "\n":
            continue  # between the two halves of one newline
        rows = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert lines.position(offset) == Position(len(rows), len(rows[-1]) + 1)


@pytest.mark.parametrize("separator", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_other_separators_do_not_end_rows(separator: str) -> None:
    lines = LineIndex(f"x = 1  # {separator} section\ny = 2\n")
    assert lines.row_count == 3
    assert lines.row_text(2) == "y = 2"


def test_column_behind_the_row_means_its_end() -> None:
    lines = LineIndex("ab\r\ncd")
    assert lines.offset(Position(1, 99)) == 2
    assert lines.offset(Position(2, 99)) == 6
    assert lines.row_span(1) == Span(0, 2)


@pytest.mark.parametrize("position", [Position(0, 1), Position(3, 1), Position(1, 0)])
def test_positions_outside_the_text_are_errors(position: Position) -> None:
    with pytest.raises(ValueError, match=str(position.row if position.column else position.column)):
        LineIndex("a\nb").offset(position)


@pytest.mark.parametrize("offset", [-1, 4])
def test_offsets_outside_the_text_are_errors(offset: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        LineIndex("a\nb").position(offset)
