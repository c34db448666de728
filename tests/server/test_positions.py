from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

lsp = pytest.importorskip("lsprotocol.types")

from lintpickle.server.positions import Units  # noqa: E402
from lintpickle.source.lines import LineIndex  # noqa: E402

TEXT = "a\r\né😋b\x0cc\rx\u2028y\n"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_columns_count_the_units_of_the_encoding(encoding: str, column: int) -> None:
    assert Units(encoding).position(LineIndex(TEXT), TEXT.index("b")) == lsp.Position(1, column)


def test_form_feeds_and_line_separators_end_no_row() -> None:
    assert Units("utf-16").position(LineIndex(TEXT), TEXT.index("y")) == lsp.Position(2, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_what_lies_outside_is_moved_inside(encoding: str) -> None:
    units, lines = Units(encoding), LineIndex("é😋\nx")
    assert units.offset(lines, lsp.Position(0, 99)) == 2
    assert units.offset(lines, lsp.Position(99, 0)) == 4


def test_a_position_inside_of_a_character_is_its_start() -> None:
    assert Units("utf-16").offset(LineIndex("😋x"), lsp.Position(0, 1)) == 0
    assert Units("utf-8").offset(LineIndex("😋x"), lsp.Position(0, 3)) == 0


@given(st.text("aé😋\r\n\x0c\u2028 "), st.sampled_from(["utf-8", "utf-16", "utf-32"]), st.data())
def test_there_and_back(text: str, encoding: str, data: st.DataObject) -> None:
    units, lines = Units(encoding), LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    inside_newline = text[offset - 1 : offset + 1] == "\r\n"
    there = units.position(lines, offset)
    assert units.offset(lines, there) == offset - inside_newline
