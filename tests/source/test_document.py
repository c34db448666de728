from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Edit, LintpickleError, Location, Position, Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.source.document import (
    UnreadableSource,
    decode_document,
    document_from_text,
    read_document,
)

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("raw", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        (BOM, "", "utf-8"),
        ("x = 'é😋'\n".encode(), "x = 'é😋'\n", "utf-8"),
        (BOM + b"x = 1\n", "x = 1\n", "utf-8"),
        (BOM + b"# coding: utf-8\n", "# coding: utf-8\n", "utf-8"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n", "iso8859-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n# \x80", None, "cp1252"),
        (b"\n# coding=cp1252\n# \x80\n", None, "cp1252"),
        (b"#!x\r# coding=cp1252\r# \x80\r", None, "cp1252"),
        (b"# coding: utf-8-unix\n# \xc3\xa9\n", None, "utf-8"),
        (b"# coding: Latin_1-dos\n# \xe9\n", None, "iso8859-1"),
        (b"x = 1\n# coding: latin-1\n# \xc3\xa9\n", None, "utf-8"),
        (b"\n\n# coding: latin-1\n# \xc3\xa9\n", None, "utf-8"),
        (b"a = 1\r\nb = 2\rc = 3\n\x0c\nd = 4\r", "a = 1\r\nb = 2\rc = 3\n\x0c\nd = 4\r", "utf-8"),
    ],
)
def test_decoding_gives_the_same_bytes_again(raw: bytes, text: str | None, encoding: str) -> None:
    document = decode_document(raw, "/p/a.py")
    assert text is None or document.text == text
    assert document.code is document.text
    assert document.encoding == encoding
    assert document.encode(document.text) == document.encode_edits([]) == raw


@pytest.mark.parametrize(
    ("raw", "row", "column", "reason"),
    [
        (b"x = 1\nx = '\xe9'\n", 2, 6, "byte 0xe9 is not valid utf-8"),
        (b"x = 'a\xc3", 1, 7, "not valid utf-8"),
        (b"# coding: ascii\r\n\xe9", 2, 1, "not valid ascii"),
        (b"x = 1\r\ny\x00\n", 2, 2, "NUL"),
        ("x = 1\n".encode("utf-16"), 1, 1, "UTF-16"),
        ("x = 1\n".encode("utf-32"), 1, 1, "UTF-16 or UTF-32"),
        ("x = 1\n".encode("utf-16-le"), 1, 2, "NUL"),
        (b"#!\n# coding: klingon\n", 2, 1, "unknown encoding 'klingon'"),
        (b"# coding: rot13\n", 1, 1, "unknown encoding 'rot13'"),
        (b"# coding: hex\n", 1, 1, "unknown encoding"),
        (b"# coding: undefined\n", 1, 1, "unknown encoding"),
        (BOM + b"# coding: latin-1\n", 1, 1, "byte order mark"),
    ],
)
def test_unreadable_bytes(raw: bytes, row: int, column: int, reason: str) -> None:
    with pytest.raises(UnreadableSource) as caught:
        decode_document(raw, "/p/a.py")
    error = caught.value
    assert (error.path, error.row, error.column) == ("/p/a.py", row, column)
    assert reason in error.reason


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_unreadable(raw: bytes) -> None:
    for path in ("/p/a.py", "/p/a.ipynb"):
        try:
            document = decode_document(raw, path)
        except UnreadableSource:
            continue
        assert document.encode_edits([]) == raw


def test_read_document_makes_the_path_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\r\n")
    monkeypatch.chdir(tmp_path)
    assert read_document("a.py").path == str(tmp_path / "a.py")


def test_a_file_that_is_gone_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="No such file"):
        read_document(tmp_path / "gone.py")
    with pytest.raises(UnreadableSource, match="directory"):
        read_document(tmp_path)


def test_positions_count_code_points() -> None:
    document = document_from_text("é = '😋'\r\nab = 1\n", "/p/a.py")
    span = Span(document.text.index("ab"), document.text.index("ab") + 2)
    assert document.location(span) == Location("/p/a.py", Position(2, 1), Position(2, 3))
    assert document.position(5) == Position(1, 6)
    assert document.offset(Position(2, 2)) == span.start + 1


def test_noqa_row_is_the_end_of_the_logical_line() -> None:
    document = document_from_text("x = f(\n  1,\n)\ny = '''\n'''\nif a: \\\n  b\n\n", "/p/a.py")
    rows = [document.noqa_row(document.offset(Position(row, 1))) for row in range(1, 9)]
    assert rows == [3, 3, 3, 5, 5, 7, 7, 8]


def test_edits_keep_encoding_newlines_and_mark() -> None:
    raw = BOM + "é = 1\r\nb = 2\rc = 3".encode()
    document = decode_document(raw, "/p/a.py")
    at = document.text.index("2")
    edits = [Edit(Span(at, at + 1), "é"), Edit(Span(0, 0), "import a\r\n")]
    assert document.encode_edits(edits) == BOM + "import a\r\né = 1\r\nb = é\rc = 3".encode()


def test_a_character_without_room_in_the_encoding_is_an_error() -> None:
    document = decode_document(b"# coding: latin-1\nx = 1\n", "/p/a.py")
    with pytest.raises(LintpickleError, match=r"/p/a.py:2:3: '😋' cannot be written"):
        document.encode_edits([Edit(Span(20, 20), "😋")])


def test_an_encoding_that_does_not_round_trip_is_not_written() -> None:
    document = decode_document(b"# coding: utf-7\nx = '+AGE-'\n", "/p/a.py")
    with pytest.raises(LintpickleError, match="does not give the same bytes"):
        document.encode_edits([])


def test_text_that_lies_about_its_encoding_can_be_read_but_not_written() -> None:
    document = document_from_text("# coding: ascii\nx = 'é'\n", "/p/a.py")
    assert document.text.endswith("'é'\n")
    with pytest.raises(LintpickleError, match="ascii"):
        document.encode_edits([])


def test_text_is_encoded_as_it_declares() -> None:
    assert document_from_text("# coding: latin-1\n# é\n", "/p/a.py").raw == b"# coding: latin-1\n# \xe9\n"
    assert document_from_text("\ufeffx\n", "/p/a.py").bom == BOM


def test_insertions_at_one_offset_keep_their_order() -> None:
    assert apply_edits("ac", [Edit(Span(1, 1), "x"), Edit(Span(1, 1), "b"), Edit(Span(0, 1), "_")]) == "_xbc"


@pytest.mark.parametrize("second", [Span(1, 3), Span(0, 1), Span(3, 9), Span(3, 2)])
def test_overlapping_edits_are_refused(second: Span) -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcd", [Edit(Span(0, 2), ""), Edit(second, "")])
