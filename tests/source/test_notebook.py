from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Edit, Location, Position, Span
from lintpickle.source.document import Document, UnreadableSource, decode_document, document_from_text
from lintpickle.source.magics import is_python_cell, mask_magics

PATH = "/p/a.ipynb"


def code(source: str | list[str], **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": [{"text": ["a"]}],
        "source": source,
    }


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [source]}


def notebook(*cells: dict[str, Any], language: str | None = "python") -> dict[str, Any]:
    metadata = {} if language is None else {"language_info": {"name": language}}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def read(*cells: dict[str, Any]) -> Document:
    return document_from_text(json.dumps(notebook(*cells)), PATH)


def replace(document: Document, old: str, new: str) -> bytes:
    start = document.text.index(old)
    return document.encode_edits([Edit(Span(start, start + len(old)), new)])


def sources(raw: bytes) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(raw)["cells"]]


def test_cells_are_joined_and_numbered() -> None:
    document = read(markdown("# hi"), code(["x = 1\n", "y = 2"]), code(""), code("z = 3\n"))
    assert document.text == "x = 1\ny = 2\nz = 3\n"
    assert document.cells is not None
    assert [(cell.number, cell.padded) for cell in document.cells] == [(2, True), (4, False)]
    assert document.cell_spans == (Span(0, 12), Span(12, 18))


@pytest.mark.parametrize(
    "source",
    [
        "    x = 1\n    y = 2",
        "\n\n  import os\n  def f():\n      return 1\n",
        "    %matplotlib inline\n    x = 1",
        "   # comment\n   x = 1",
        " # comment\nx = 1\nif x:\n    y = 2",
        "\n  # comment\n\n  x = 1\n  y = 2",
        "    for i in x:\n        !ls {i}\n    y = 1\n",
        "\t!ls",
        "  x?",
        "%%time -r\n    x = 1",
        ">>> x = 1\n>>> y = 2",
        "for f in x:\n    !echo {f}",
        "try:\n    import x\nexcept ImportError:\n    %pip install x",
        "r = await f()\nasync for x in y:\n    print(x)",
    ],
)
def test_what_ipython_reads_is_read(source: str) -> None:
    document = read(code("a = 1"), code(source), code("z = 3"))
    ast.parse(document.code)
    assert len(document.code) == len(document.text)
    second = document.cells[1] if document.cells else None
    assert second is not None
    assert document.text[second.span.start : second.span.end].rstrip("\n") == source.rstrip("\n")
    start = document.text.index("z = 3")
    assert document.location(Span(start, start + 1)) == Location(PATH, Position(1, 1), Position(1, 2), 3)
    assert sources(replace(document, "z = 3", "z = 4")) == ["a = 1", source, "z = 4"]


@pytest.mark.parametrize("source", ["x = 1\n    y = 2", "print 'a'", "def f(:", "x = “a”", "if x: !ls"])
def test_what_ipython_does_not_read_stays_broken(source: str) -> None:
    document = read(code("a = 1"), code(source), code("b = 2\n"))
    assert document.text == f"a = 1\n{source}\nb = 2\n"
    assert [document.location(Span(each.offset, each.offset)).cell for each in document.broken] == [2]
    assert len(document.code) == len(document.text)
    assert document.code.split() == ["a", "=", "1", "b", "=", "2"]


@pytest.mark.parametrize(
    ("others", "source", "is_to_be_run"),
    [
        (["b = 2"], "print 'a'", False),
        (["b = 2", "print 'c'"], "print 'a'", False),
        (["b = 2"], "def f(:", True),
        (["print 'c'"], "print 'a'", True),
        ([], "print 'a'", True),
    ],
)
def test_a_cell_of_python_2_beside_others_that_can_be_read_is_left_behind(
    others: list[str], source: str, is_to_be_run: bool
) -> None:
    document = read(code(source), *map(code, others))
    assert document.broken[0].is_to_be_run is is_to_be_run


def test_a_broken_cell_that_is_indented_leaves_no_block_behind() -> None:
    document = read(code("  a = ("), code("b = 2\n"))
    assert document.code.split() == ["b", "=", "2"]
    assert [each.offset for each in document.broken] == [document.text.index("(")]


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "ir", "language": "R"}},
        {"kernelspec": {"name": "julia-1.9", "language": "julia"}, "language_info": {"name": "julia"}},
        {"kernelspec": {"name": "sagemath", "language": "sage"}, "language_info": {"name": "python"}},
    ],
)
def test_notebooks_of_other_kernels_are_left_alone(metadata: dict[str, Any]) -> None:
    raw = json.dumps({**notebook(code("x <- c(1)"), language=None), "metadata": metadata})
    assert document_from_text(raw, PATH).text == ""


def test_locations_count_rows_from_the_cell() -> None:
    document = read(code("x = 1\ny = 2"), markdown("text"), code("zé = 3\nw = 4"))
    start = document.text.index("w")
    assert document.location(Span(start, start + 1)) == Location(PATH, Position(2, 1), Position(2, 2), 3)
    assert document.position(start) == Position(2, 1)
    assert document.offset(Position(2, 1), cell=3) == start
    assert document.noqa_row(start) == 2
    with pytest.raises(ValueError, match="no Python cell 2"):
        document.offset(Position(1, 1), cell=2)


def test_a_location_that_ends_with_its_cell_stays_in_it() -> None:
    document = read(code("x = 1"), code("y = 2"))
    assert document.location(Span(0, 6)) == Location(PATH, Position(1, 1), Position(2, 1), 1)
    assert document.location(Span(6, 7)).cell == 2


@pytest.mark.parametrize(
    "cells",
    [
        [markdown("# x = 1")],
        [code("%%bash\nls")],
        [code("%%writefile a.py\nx = 1")],
        [code("x = 1\n%%html\n<b>")],
        [code("pip install torch")],
        [code("## the report\n\n# of step 7\ncat $stats.s7")],
        [code("cd ..")],
        [code("%md\n# Some text, not code")],
        [code("%sql\nselect 1")],
        [code("%md ## A title\nand text")],
        [code("select 1", vscode={"languageId": "sql"})],
        [{"cell_type": "raw", "metadata": {}, "source": "x"}],
        [],
    ],
)
def test_cells_that_are_not_python_are_skipped(cells: Sequence[dict[str, Any]]) -> None:
    document = read(*cells)
    assert document.text == ""
    assert document.position(0) == Position(1, 1)
    assert document.location(Span(0, 0)).cell is None


@pytest.mark.parametrize(
    "source",
    [
        "time = 3",
        "history",
        "%%time\nx = 1",
        "%%capture out\nx",
        "ls += [1]",
        "run(x)",
        "rm: int = 1",
        "%cd ..",
        "%sql select 1\nx = 1",
        "%sh ls",
    ],
)
def test_cells_that_are_python_are_kept(source: str) -> None:
    assert is_python_cell(source)


def test_other_languages_are_skipped() -> None:
    for language, text in (("R", ""), ("python", "x\n"), (None, "x\n")):
        raw = json.dumps(notebook(code("x"), language=language))
        assert document_from_text(raw, PATH).text == text


@pytest.mark.parametrize(
    ("source", "masked"),
    [
        ("%matplotlib inline", "0#################"),
        ("x = 1\n!pip install 'a\ny = 2", "x = 1\n0##############\ny = 2"),
        ("if a:\n    %run b.py\n", "if a:\n    0########\n"),
        ("files = !ls *.py", "files = 0#######"),
        ("a, b = %env HOME", "a, b = 0########"),
        ("np.sum?", "0######"),
        ("?np.sum", "0######"),
        ("x??\ny", "0##\ny"),
        ("!ls \\\r\n  -l\r\nx = 1", "0####\r\n####\r\nx = 1"),
        ("%%time\nx = 1", "0#####\nx = 1"),
        (",f a b", "0#####"),
        ("x = (a\n%b)", "x = (a\n%b)"),
        ("x = a \\\n%b", "x = a \\\n%b"),
        ('s = """what?\n!ls\n"""', 's = """what?\n!ls\n"""'),
        ("print('100%')", "print('100%')"),
        ("x = a % b  # why?", "x = a % b  # why?"),
        ("f(a=!b)", "f(a=!b)"),
        ("x: int = !ls", "x: int = 0##"),
        ("(a, *b), c = %env HOME", "(a, *b), c = 0########"),
        ("f(x)[0] = !ls", "f(x)[0] = 0##"),
        ("x = y?", "0#####"),
        ("    ?y\n    y?", "    0#\n    0#"),
        ("x == %y", "x == %y"),
        ("print('a?')", "print('a?')"),
        (">>> def f():\n...     return 1\n...\n>>> f()", "    def f():\n        return 1\n   \n    f()"),
        ("In [12]: def f():\n    ...:     pass", "         def f():\n             pass"),
        ("x = 1\n>>> y", "x = 1\n>>> y"),
        ("%%time\n\n    x = 1\n", "if 1:#\n\n    x = 1\n"),
    ],
)
def test_magics_are_masked_at_equal_length(source: str, masked: str) -> None:
    assert mask_magics(source) == masked


@given(st.text(alphabet="ab%!?= \n\r\\'\"#(),;/"))
def test_masking_keeps_length_and_newlines(source: str) -> None:
    masked = mask_magics(source)
    assert [c if c in "\r\n" else "." for c in masked] == [c if c in "\r\n" else "." for c in source]


def test_text_keeps_magics_and_code_masks_them() -> None:
    document = read(code("%run a.py\nx = 1"))
    assert document.text == "%run a.py\nx = 1\n"
    assert document.code == "0########\nx = 1\n"


STYLES: list[dict[str, Any]] = [
    {"indent": 1},
    {"indent": 4, "ensure_ascii": False},
    {"indent": "\t", "ensure_ascii": False},
    {},
    {"separators": (",", ":")},
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("ending", ["", "\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_only_the_edited_row_changes(style: dict[str, Any], ending: str, bom: bytes) -> None:
    cells = [code(["é = 1\n", "x = d.keys()\n", "y = '😋'"]), markdown("é"), code("z = d.keys()")]
    raw = bom + (json.dumps(notebook(*cells), **style) + ending).encode()
    document = decode_document(raw, PATH)
    assert document.encode_edits([]) == raw
    edited = replace(document, "x = d.keys()", "x = list(d.keys())")
    assert edited == raw.replace(b'"x = d.keys()', b'"x = list(d.keys())')
    edited = replace(document, "z = d.keys()", "z = list(d.keys())")
    assert edited == raw.replace(b'"z = d.keys()', b'"z = list(d.keys())')


def test_inserted_rows_follow_the_style_of_the_array() -> None:
    raw = json.dumps(notebook(code(["x = 1\n", "y = 2"]), code(["z = 3"])), indent=1).encode()
    document = decode_document(raw, PATH)
    edited = document.encode_edits(
        [Edit(Span(0, 0), "import a\n"), Edit(Span(len(document.text), len(document.text)), "w = 4\n")]
    )
    assert sources(edited) == ["import a\nx = 1\ny = 2", "z = 3\nw = 4"]
    expected = notebook(code(["import a\n", "x = 1\n", "y = 2"]), code(["z = 3\n", "w = 4"]))
    assert edited == json.dumps(expected, indent=1).encode()


def test_unusual_spellings_outside_the_edit_survive() -> None:
    raw = (
        b'{"metadata" : {}, "n": 1.50e0,"cells":[ {"source" :["a = \\"\\u00e9\\/\\"\\n" , "b = 1\\n","c"],'
        b'"cell_type":"code"}]\r\n}'
    )
    document = decode_document(raw, PATH)
    assert replace(document, "b = 1", "b = 2") == raw.replace(b"b = 1", b"b = 2")


def test_a_cell_can_be_emptied() -> None:
    document = read(code(["x = 1\n", "y = 2"]), code("z"))
    assert sources(document.encode_edits([Edit(Span(0, 12), "")])) == ["", "z"]


def test_an_insertion_at_a_border_belongs_to_the_cell_that_starts_there() -> None:
    document = read(code("x"), code("y"))
    assert sources(document.encode_edits([Edit(Span(2, 2), "import a\n")])) == ["x", "import a\ny"]


def test_an_edit_over_a_border_is_refused() -> None:
    with pytest.raises(ValueError, match="outside of the text"):
        read(code("x"), code("y")).encode_edits([Edit(Span(0, 3), "")])


def test_an_edit_of_a_notebook_without_python_is_refused() -> None:
    with pytest.raises(ValueError, match="no cell"):
        read(markdown("x")).encode_edits([Edit(Span(0, 0), "x")])


def test_rebuild_takes_one_text_for_each_cell() -> None:
    document = read(code("x"), code("y"))
    assert sources(document.rebuild(["x = 1\n", "y\n"])) == ["x = 1", "y"]
    with pytest.raises(ValueError, match="one text for each"):
        document.rebuild(["x"])


def _code_of_format_3(text: str, language: str = "python") -> dict[str, Any]:
    return {"cell_type": "code", "input": [text], "language": language, "metadata": {}, "prompt_number": 1}


def _format_3(*sheets: Sequence[dict[str, Any]]) -> str:
    held = [{"cells": list(cells), "metadata": {}} for cells in sheets]
    return json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": held})


def test_notebooks_of_format_3() -> None:
    first = [markdown("# hi"), _code_of_format_3("x = 1\n"), _code_of_format_3("ls", "bash")]
    document = document_from_text(_format_3(first, [_code_of_format_3("y = 2")]), PATH)
    assert document.text == "x = 1\ny = 2\n"
    assert [cell.number for cell in document.cells or ()] == [2, 4]
    edited = json.loads(replace(document, "y", "name"))
    assert edited["worksheets"][1]["cells"][0]["input"] == ["name = 2"]
    assert edited["worksheets"][0]["cells"] == first


@pytest.mark.parametrize("text", ["print 1", "f(1 2"])
def test_cells_of_format_3_that_do_not_parse_are_for_python_2(text: str) -> None:
    document = document_from_text(_format_3([_code_of_format_3(text)]), PATH)
    assert [each.is_to_be_run for each in document.broken] == [False]


def test_an_empty_notebook_of_format_3() -> None:
    assert document_from_text(_format_3(), PATH).text == ""


@given(
    st.lists(st.text(alphabet='ax =\n\r\fé😋"\\\u2028', min_size=1), min_size=1, max_size=4),
    st.sampled_from(STYLES),
    st.data(),
)
def test_edits_change_their_cell_and_nothing_else(texts: list[str], style: dict[str, Any], data: st.DataObject) -> None:
    cells = [code(text.splitlines(keepends=True)) for text in texts]
    raw = json.dumps(notebook(*cells), **style).encode()
    document = decode_document(raw, PATH)
    assert document.encode_edits([]) == raw
    assert document.cells is not None
    number = data.draw(st.integers(0, len(texts) - 1))
    at = data.draw(st.integers(0, len(texts[number]) - 1))
    start = document.cells[number].span.start + at
    expected = list(texts)
    expected[number] = texts[number][:at] + "new" + texts[number][at + 1 :]
    assert sources(document.encode_edits([Edit(Span(start, start + 1), "new")])) == expected


@pytest.mark.parametrize(
    ("raw", "row", "column", "reason"),
    [
        (b"", 1, 1, "not valid JSON"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:9a0\n", 1, 1, "(this is a pointer of Git LFS)"),
        (b'{"cells": [\n{]}', 2, 2, "not valid JSON"),
        (b'{"cells": []} x', 1, 15, "not valid JSON"),
        (b'{"cells": [], "n": ' + b"1" * 5000 + b"}", 1, 1, "JSON"),
        (b"[" * 100_000, 1, 1, "nested too deeply"),
        (b"[]", 1, 1, "no list of cells"),
        (b'{"worksheets": {}}', 1, 1, "notebook format 4"),
        (b'{"worksheets": [{"cells": [\n1]}]}', 2, 1, "not a JSON object"),
        (b'{"cells": {}}', 1, 1, "no list of cells"),
        (b'{"cells": [\n1]}', 2, 1, "not a JSON object"),
        (b'{"cells": [{"cell_type": "code", "source": 3}]}', 1, 44, "neither a string nor"),
        (b'{"cells": [{"cell_type": "code", "source": ["a", 3]}]}', 1, 44, "neither a string nor"),
        (b'{"cells": [{"cell_type": "code", "source": "\\ud800"}]}', 1, 1, "surrogate"),
        (b'{"cells": [{"cell_type": "code", "source": "\\u0000"}]}', 1, 1, "NUL"),
        (b'{"cells": [{"cell_type": "code", "source": "\xff"}]}', 1, 45, "not valid utf-8"),
        (b"\x00", 1, 1, "NUL"),
    ],
)
def test_broken_notebooks_are_unreadable(raw: bytes, row: int, column: int, reason: str) -> None:
    with pytest.raises(UnreadableSource) as caught:
        decode_document(raw, PATH)
    assert reason in caught.value.reason
    assert (caught.value.row, caught.value.column) == (row, column)


@pytest.mark.parametrize("metadata", [b"1", b"[]", b'{"language_info": 3}', b'{"vscode": 1}', b"null"])
def test_odd_metadata_does_not_matter(metadata: bytes) -> None:
    cell = b'{"cell_type": "code", "source": "x", "metadata": %s}' % metadata
    document = decode_document(b'{"cells": [%s], "metadata": %s}' % (cell, metadata), PATH)
    assert document.text == "x\n"


@pytest.mark.parametrize("rows", ["\n" * 400, "# note\n" * 400, "  \n" * 400])
def test_many_empty_rows_before_the_code_of_a_cell_cost_nothing(rows: str) -> None:
    document = read(code("a = 1"), code(f"{rows}b = 2"))
    assert "b = 2" in document.code
