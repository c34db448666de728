from __future__ import annotations

import pytest

lsp = pytest.importorskip("lsprotocol.types")
pytest.importorskip("pygls")

from lintpickle.server.workspace import EditorWorkspace  # noqa: E402

URI = "file:///a.py"


def _edited(text: str, start: tuple[int, int], end: tuple[int, int], new: str, encoding: str = "utf-16") -> str:
    workspace = EditorWorkspace(None, lsp.TextDocumentSyncKind.Incremental, [], encoding)
    workspace.put_text_document(lsp.TextDocumentItem(URI, "python", 1, text))
    where = lsp.Range(lsp.Position(*start), lsp.Position(*end))
    change = lsp.TextDocumentContentChangePartial(range=where, text=new)
    workspace.update_text_document(lsp.VersionedTextDocumentIdentifier(2, URI), change)
    assert workspace.get_text_document(URI).version == 2
    source: str = workspace.get_text_document(URI).source
    return source


@pytest.mark.parametrize("odd", ["\x0c", "\x0b", "\x1c", "\x85", "\u2028"])
def test_an_edit_below_a_character_that_python_splits_lines_at(odd: str) -> None:
    text = f"x = 1\n# {odd} section\ny = 2\n"
    assert _edited(text, (2, 4), (2, 5), "3") == f"x = 1\n# {odd} section\ny = 3\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_end_of_the_protocol_counts(newline: str) -> None:
    assert _edited(newline.join("abc"), (1, 0), (1, 1), "B") == newline.join("aBc")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_columns_count_the_clients_units(encoding: str, column: int) -> None:
    assert _edited("é😋x", (0, column), (0, column + 1), "y", encoding) == "é😋y"


def test_edits_at_and_behind_the_end() -> None:
    assert _edited("", (0, 0), (0, 0), "a") == "a"
    assert _edited("a\n", (1, 0), (1, 0), "b") == "a\nb"
    assert _edited("a", (7, 0), (7, 0), "b") == "ab"


def test_a_change_without_a_range_replaces_everything() -> None:
    workspace = EditorWorkspace(None, lsp.TextDocumentSyncKind.Incremental, [], "utf-16")
    workspace.put_text_document(lsp.TextDocumentItem(URI, "python", 1, "old"))
    change = lsp.TextDocumentContentChangeWholeDocument("new")
    workspace.update_text_document(lsp.VersionedTextDocumentIdentifier(2, URI), change)
    assert workspace.get_text_document(URI).source == "new"
