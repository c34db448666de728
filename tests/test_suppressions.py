from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Confidence, Diagnostic, Severity, Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.source.document import Document, document_from_text
from lintpickle.suppressions.comments import Filtered, Suppressions
from lintpickle.suppressions.ignore_edits import add_ignore_edit, add_ignore_edits
from tests.support import lint

KNOWN = {
    "dict-view-attribute": "LP101",
    "lambda-attribute": "LP102",
    "open-handle": "LP201",
    "unused-suppression": "LP901",
}
MARK = "BAD"
"""Where the tests' hazards start."""


def document(text: str, path: str = "/p/a.py") -> Document:
    return document_from_text(text, path)


def diagnostics(source: Document, code: str = "LP101") -> list[Diagnostic]:
    """A diagnostic at each MARK."""
    result = []
    start = source.text.find(MARK)
    while start >= 0:
        span = Span(start, start + len(MARK))
        location, row = source.location(span), source.noqa_row(start)
        name = next((name for name, known in KNOWN.items() if known == code), "x")
        result.append(Diagnostic(code, name, "message", Severity.ERROR, Confidence.CERTAIN, location, span, row))
        start = source.text.find(MARK, start + 1)
    return result


def run(text: str, *codes: str, active: Sequence[str] | None = None) -> Filtered:
    source = document(text)
    found = [item for code in codes or ("LP101",) for item in diagnostics(source, code)]
    return Suppressions.parse(source).apply(found, KNOWN, active)


def kept_rows(text: str, *codes: str) -> list[int]:
    return [item.location.start.row for item in run(text, *codes).kept]


@pytest.mark.parametrize(
    "text",
    [
        "x = BAD  # noqa: LP101\n",
        "x = BAD  # NOQA:lp101\n",
        "x = BAD  # noqa : LP101 because\n",
        "x = BAD  # noqa: E501,LP101\n",
        "x = BAD  # noqa: E501 LP101\n",
        "x = BAD  # noqa: E501, dict-view-attribute\n",
        "x = BAD  # noqa: dict-view-attribute\n",
        "x = BAD# noqa: LP101",
        "x = BAD  # why  # noqa: LP101\n",
        "x = BAD  # type: ignore  # noqa: LP101  # more\n",
        "x = BAD  # noqa\n",
        "x = BAD  # noqa: a reason\n",
        "x = BAD  # lintpickle: ignore[LP101]\n",
        "x = BAD  # lintpickle:ignore[dict-view-attribute]\n",
        "x = BAD  #lintpickle: ignore [ LP102,LP101 ] a reason # 12\n",
        "x = BAD  # noqa: E501  # lintpickle: ignore[LP101]\n",
        "x = BAD  # lintpickle: ignore\n",
        "x = BAD  # lintpickle: ignore because of fork\n",
        "# lintpickle: ignore[LP101]\nx = BAD\n",
        "# lintpickle: ignore[LP101] why\n\n# more\nx = f(\n  1,\n  BAD,\n)\n",
        "# lintpickle: ignore[LP101]\n@decorator\n@another(\n  1\n)\ndef f(a=BAD): ...\n",
        "x = f(\n  1,\n  # lintpickle: ignore[LP101]\n  # more\n  BAD,\n)\n",
        "if a:\n    # lintpickle: ignore[LP101]\n    x = BAD\n",
        "x = f(\n  BAD,  # noqa: LP101\n  1,\n)\n",
        "x = f(\n  BAD,\n  1,\n)  # noqa: LP101\n",
        "x = BAD + '''\n'''  # lintpickle: ignore[LP101]\n",
        "x = BAD + \\\n  1  # lintpickle: ignore[LP101]\n",
        "# lintpickle: file-ignore[LP101] why\nx = BAD\ny = BAD\n",
        "x = BAD\n\n# lintpickle: file-ignore[LP101]",
        "x = BAD\n# flake8: noqa: LP101\n",
        "x = BAD\n# ruff: noqa: E501, LP101\n",
        "# lintpickle: file-ignore\nx = BAD\n",
        "# lintpickle: disable[LP101]\nx = BAD\n# lintpickle: enable[LP101]\ny = 1\n",
        "# lintpickle: disable[LP101]\nx = BAD\n# lintpickle: enable[dict-view-attribute]\n",
        "# lintpickle: disable[LP101]\nx = BAD\n\ny = BAD\n",
        "# lintpickle: disable\nx = BAD\n# lintpickle: enable\n",
        "# lintpickle: disable[LP101, LP102]\n# lintpickle: enable[LP102]\nx = BAD\n",
        "x = BAD  # lintpickle: disable[LP101]\ny = BAD\n",
        "x = BAD  # lintpickle: ignore[LP101]\r\ny = 1\r\n",
        "x = '\f'; y = BAD  # lintpickle: ignore[LP101]\rz = 1\r",
    ],
)
def test_suppressed(text: str) -> None:
    result = run(text)
    assert result.kept == ()
    assert len(result.suppressed) == text.count(MARK)
    assert [name for item in result.unused for name in item.names if name != "LP102"] == []


@pytest.mark.parametrize(
    "text",
    [
        "x = BAD\n",
        "x = BAD  # noqa: LP102\n",
        "x = BAD  # noqa: E501\n",
        "x = BAD  # noqa: LP1\n",
        "x = BAD  # noqas\n",
        "x = BAD  # nnoqa\n",
        "x = BAD + '# noqa: LP101'\n",
        "x = BAD + '  # lintpickle: ignore[LP101]'\n",
        'x = BAD; y = """  # lintpickle: ignore[LP101]\n"""\n',
        "x = BAD; y = f'{z}  # noqa'\n",
        "x = BAD  # write `# lintpickle: ignore[LP101]` here\n",
        "x = BAD  # lintpickle: ignore[LP102]\n",
        "x = BAD  # lintpickle: ignore[]\n",
        "x = BAD  # lintpickle: ignore[LP101\n",
        "x = BAD  # lintpickle: ignored\n",
        "x = BAD  # lintpickle: ignore-this\n",
        "x = BAD  # lintpickle\n",
        "x = BAD\n# lintpickle: ignore[LP101]\n",
        "# lintpickle: ignore[LP101]\ny = 1\nx = BAD\n",
        "# noqa: LP101\nx = BAD\n",
        "y = 1  # lintpickle: ignore[LP101]\nx = BAD\n",
        "# lintpickle: ignore[LP101]\nif a:\n    x = BAD\n",
        "x = f(\n  # lintpickle: ignore[LP101]\n  1,\n  BAD,\n)\n",
        "x = f(  # noqa: LP101\n  BAD,\n)\n",
        "x = f(\n  1,  # noqa: LP101\n  BAD,\n)\n",
        "x = f(\n  BAD,\n  1,  # noqa: LP101\n)\n",
        "x = BAD  # flake8: noqa: LP101\n",
        "# flake8: noqa\nx = BAD\n",
        "# ruff: noqa\nx = BAD\n",
        "x = BAD\n# lintpickle: disable[LP101]\n",
        "# lintpickle: disable[LP101]\n# lintpickle: enable[LP101]\nx = BAD\n",
        "# lintpickle: disable[LP101]\n# lintpickle: enable\nx = BAD\n",
        "# lintpickle: enable[LP101]\nx = BAD\n",
    ],
)
def test_not_suppressed(text: str) -> None:
    assert len(run(text).kept) == text.count(MARK)


def test_only_the_named_codes_are_suppressed() -> None:
    result = run("x = BAD  # lintpickle: ignore[LP101]\n", "LP101", "LP102")
    assert [item.code for item in result.kept] == ["LP102"]
    assert [item.code for item in result.suppressed] == ["LP101"]


def test_a_range_ends_where_it_is_told() -> None:
    text = "x = BAD\n# lintpickle: disable[LP101]\nx = BAD\n# lintpickle: enable[LP101]\nx = BAD\n"
    assert kept_rows(text) == [1, 5]
    assert run(text).unused == ()


def unused(text: str, *codes: str, active: Sequence[str] | None = None) -> list[tuple[tuple[str, ...], str, str]]:
    """Names, the text at the span, and the file after the edit, for each unused comment."""
    return [
        (item.names, text[item.span.start : item.span.end], apply_edits(text, [item.edit]))
        for item in run(text, *codes, active=active).unused
    ]


@pytest.mark.parametrize(
    ("text", "names", "at", "after"),
    [
        ("x = 1  # noqa: LP101\ny\n", ["LP101"], "# noqa: LP101", "x = 1\ny\n"),
        ("x = 1  # noqa: LP101 why  \ny\n", ["LP101"], "# noqa: LP101", "x = 1\ny\n"),
        ("x = 1  # noqa: E501, LP101\n", ["LP101"], "LP101", "x = 1  # noqa: E501\n"),
        ("x = 1  # noqa: LP101,E501,F401 why\n", ["LP101"], "LP101", "x = 1  # noqa: E501,F401 why\n"),
        ("x = 1  # noqa: LP101  # more\n", ["LP101"], "# noqa: LP101", "x = 1  # more\n"),
        ("x = 1  # text # noqa: LP101\n", ["LP101"], "# noqa: LP101", "x = 1  # text\n"),
        ("x = BAD  # noqa: LP101, open-handle\n", ["open-handle"], "open-handle", "x = BAD  # noqa: LP101\n"),
        ("# noqa: LP101\nx = 1\n", ["LP101"], "# noqa: LP101", "x = 1\n"),
        ("# flake8: noqa: LP101, E501\n", ["LP101"], "LP101", "# flake8: noqa: E501\n"),
        ("x = 1\t# lintpickle: ignore[LP101] why #12", ["LP101"], "# lintpickle: ignore[LP101]", "x = 1"),
        ("a\n  # lintpickle: ignore[LP101]\r\nb", ["LP101"], "# lintpickle: ignore[LP101]", "a\nb"),
        ("a + \\\n # noqa: LP101\nb", ["LP101"], "# noqa: LP101", "a + \\\n\nb"),
        ("a\n# lintpickle: ignore[LP101]", ["LP101"], "# lintpickle: ignore[LP101]", "a\n"),
        ("x = 1  # lintpickle: ignore\n", [], "# lintpickle: ignore", "x = 1\n"),
        ("x = 1  # lintpickle: ignore[]\n", [], "# lintpickle: ignore[]", "x = 1\n"),
        (
            "x = BAD  # lintpickle: ignore[LP201, LP101, LP102]\n",
            ["LP201", "LP102"],
            "LP201, LP101, LP102",
            "x = BAD  # lintpickle: ignore[LP101]\n",
        ),
        ("# lintpickle: file-ignore[LP101]\n", ["LP101"], "# lintpickle: file-ignore[LP101]", ""),
        ("# lintpickle: disable[LP101]\nx\n", ["LP101"], "# lintpickle: disable[LP101]", "x\n"),
        ("x\n# lintpickle: enable[LP101]\n", ["LP101"], "# lintpickle: enable[LP101]", "x\n"),
        ("x\n# lintpickle: enable\n", [], "# lintpickle: enable", "x\n"),
    ],
)
def test_unused_comments_are_found_and_removed(text: str, names: list[str], at: str, after: str) -> None:
    assert unused(text) == [(tuple(names), at, after)]
    assert unused(after) == []


@pytest.mark.parametrize(
    "text",
    [
        "x = 1  # noqa\n",
        "x = 1  # noqa: E501\n",
        "x = 1  # noqa: some-other-rule\n",
        "# flake8: noqa\n",
        "x = '# noqa: LP101'\n",
        "x = BAD  # noqa: LP101  # lintpickle: ignore[LP101]\n",
        "# lintpickle: disable[LP101]\nx = BAD\n# lintpickle: enable[LP101]\n",
    ],
)
def test_these_are_not_unused(text: str) -> None:
    assert unused(text) == []


def test_comments_for_rules_that_did_not_run_are_not_unused() -> None:
    text = "x = 1  # lintpickle: ignore[LP101, LP201]\n"
    assert unused(text, active=["LP102"]) == []
    assert [names for names, _, _ in unused(text, active=["LP201"])] == [("LP201",)]
    assert unused("x = 1  # lintpickle: ignore\n", active=["LP201"]) == []


def test_unused_can_be_suppressed_in_a_second_pass() -> None:
    source = document("# lintpickle: file-ignore[LP901]\nx = BAD  # lintpickle: ignore[LP101]\n")
    comments = Suppressions.parse(source)
    rules = set(KNOWN.values()) - {"LP901"}
    assert [item.names for item in comments.apply([], KNOWN, rules).unused] == [("LP101",)]
    about_comments = diagnostics(source, "LP901")
    assert comments.apply(about_comments, KNOWN).kept == ()


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x = BAD  # lintpickle: ignore why\n", "x = BAD  # lintpickle: ignore[LP101, LP102] why\n"),
        ("# lintpickle: file-ignore\nBAD\n", "# lintpickle: file-ignore[LP101, LP102]\nBAD\n"),
        ("# lintpickle: disable\nBAD\n", "# lintpickle: disable[LP101, LP102]\nBAD\n"),
        ("x = BAD  # noqa\n", None),
    ],
)
def test_blanket_comments_are_reported_when_they_hide_something(text: str, after: str | None) -> None:
    result = run(text, "LP102", "LP101")
    assert result.kept == ()
    assert result.unused == ()
    (blanket,) = result.blanket
    assert blanket.codes == ("LP101", "LP102")
    assert (None if blanket.edit is None else apply_edits(text, [blanket.edit])) == after


@pytest.mark.parametrize(
    "text",
    [
        "x = 1  # noqa\n",
        "x = BAD  # noqa  # lintpickle: ignore[LP101]\n",
        "# lintpickle: file-ignore[LP101]\nx = BAD  # noqa\n",
        "x = BAD  # lintpickle: ignore[]\n",
    ],
)
def test_blanket_comments_that_hide_nothing_are_not_reported_as_blanket(text: str) -> None:
    assert run(text).blanket == ()


@pytest.mark.parametrize(
    ("text", "name", "after"),
    [
        ("x = 1  # lintpickle: ignore[LP999]\n", "LP999", "x = 1\n"),
        ("x = 1  # lintpickle: ignore[lamda-attribute]\n", "lamda-attribute", "x = 1\n"),
        ("x = 1  # noqa: E501, LP999\n", "LP999", "x = 1  # noqa: E501\n"),
        ("x = BAD  # lintpickle: ignore[E501, LP101]\n", "E501", "x = BAD  # lintpickle: ignore[LP101]\n"),
    ],
)
def test_unknown_names_are_reported(text: str, name: str, after: str) -> None:
    result = run(text)
    assert result.unused == ()
    (unknown,) = result.unknown
    assert unknown.name == text[unknown.span.start : unknown.span.end] == name
    assert apply_edits(text, [unknown.edit]) == after


@pytest.mark.parametrize("text", ["x = 1  # noqa: E501, X999, LPX1, well-known\n", "x = 1  # noqa: LPython\n"])
def test_names_of_other_linters_are_not_unknown(text: str) -> None:
    assert run(text).unknown == ()


def notebook(*cells: str) -> Document:
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return document(json.dumps({"cells": code, "metadata": {}}), "/p/a.ipynb")


def test_rows_of_notebooks_count_by_cell() -> None:
    source = notebook(
        "%time x\ny = f(\n  BAD,\n)  # noqa: LP101", "a = 1\nb = BAD\nc\n# lintpickle: ignore[LP101]", "d"
    )
    result = Suppressions.parse(source).apply(diagnostics(source), KNOWN)
    assert [(item.location.cell, item.location.start.row) for item in result.kept] == [(2, 2)]
    (spare,) = result.unused
    cells = json.loads(source.encode_edits([spare.edit]))["cells"]
    assert cells[1]["source"] == "a = 1\nb = BAD\nc"


def test_magics_hold_no_comments() -> None:
    source = notebook("!ls # lintpickle: ignore[LP101]\n%run a.py  # noqa: LP101")
    assert Suppressions.parse(source).directives == ()


def test_an_own_line_comment_does_not_reach_the_next_cell() -> None:
    source = notebook("# lintpickle: ignore[LP101]", "x = BAD")
    assert len(Suppressions.parse(source).apply(diagnostics(source), KNOWN).kept) == 1


@pytest.mark.parametrize(
    ("text", "row", "after"),
    [
        ("x = 1\ny = 2\n", 1, "x = 1  # lintpickle: ignore[LP101]\ny = 2\n"),
        ("x = 1 \t\r\ny", 1, "x = 1  # lintpickle: ignore[LP101]\r\ny"),
        ("x = 1", 1, "x = 1  # lintpickle: ignore[LP101]"),
        ("x = 1  # why\n", 1, "x = 1  # why  # lintpickle: ignore[LP101]\n"),
        ("x = 1  # noqa: E501\n", 1, "x = 1  # noqa: E501  # lintpickle: ignore[LP101]\n"),
        (
            "x = 1  # lintpickle: ignore[LP201] why\n",
            1,
            "x = 1  # lintpickle: ignore[LP201, LP101] why\n",
        ),
        ("x = 1  # lintpickle: ignore[]\n", 1, "x = 1  # lintpickle: ignore[LP101]\n"),
        ("x = f(\n  1,\n)\n", 2, "x = f(\n  1,  # lintpickle: ignore[LP101]\n)\n"),
        ("x = 1 + \\\n  2\n", 1, "x = 1 + \\\n  2  # lintpickle: ignore[LP101]\n"),
        ("x = '''\na\n'''\n", 1, "x = '''\na\n'''  # lintpickle: ignore[LP101]\n"),
        ("x = '''\na\n'''\n", 2, "x = '''\na\n'''  # lintpickle: ignore[LP101]\n"),
        ("x = f('''\n''',\n1)\n", 1, "x = f('''\n''',\n1)  # lintpickle: ignore[LP101]\n"),
        ("x = '#'\n", 1, "x = '#'  # lintpickle: ignore[LP101]\n"),
    ],
)
def test_adding_a_comment(text: str, row: int, after: str) -> None:
    edit = add_ignore_edit(document(text), row, ["LP101"])
    assert edit is not None
    assert apply_edits(text, [edit]) == after


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("x = '''\na\n", 1),
        ("x = 1 \\\n", 1),
        ("\nx\n", 1),
        ("# text\nx\n", 1),
        ("x = 1  # lintpickle: ignore[LP101]\n", 1),
        ("x = 1  # lintpickle: ignore\n", 1),
    ],
)
def test_where_no_comment_can_or_need_be_added(text: str, row: int) -> None:
    assert add_ignore_edit(document(text), row, ["LP101"]) is None


def test_a_magic_row_takes_no_comment() -> None:
    source = notebook("x = 1\nfiles = !ls")
    assert add_ignore_edit(source, 2, ["LP101"], cell=1) is None
    assert add_ignore_edit(source, 1, ["LP101"], cell=1) is not None


def test_a_comment_with_a_reason_and_several_codes() -> None:
    edit = add_ignore_edit(document("x\n"), 1, ["LP101", "lambda-attribute"], "fork only,\n see #3")
    assert edit is not None
    expected = "x  # lintpickle: ignore[LP101, lambda-attribute] fork only, see #3\n"
    assert apply_edits("x\n", [edit]) == expected


def test_adding_comments_for_all_diagnostics_suppresses_them_all() -> None:
    text = "x = BAD; y = BAD\nz = f(\n  BAD,\n  '''\n''', BAD, '''\n''')\nw = BAD + '''\n"
    source = document(text)
    found = diagnostics(source, "LP101") + diagnostics(source, "LP102")
    result = add_ignore_edits(source, found, "for now")
    assert [item.location.start.row for item in result.left] == [7, 7]
    edited = document(apply_edits(text, result.edits))
    assert edited.text.count("# lintpickle: ignore[LP101, LP102] for now") == 3
    again = diagnostics(edited, "LP101") + diagnostics(edited, "LP102")
    after = Suppressions.parse(edited).apply(again, KNOWN)
    assert [item.location.start.row for item in after.kept] == [7, 7]
    assert after.unused == ()


LINES = st.sampled_from(
    [
        "x = BAD",
        "x = f(",
        "  BAD,",
        ")",
        "s = '''",
        "BAD + \\",
        "# text",
        "",
        "x = 1  # noqa: LP101, E501",
        "x = BAD  # lintpickle: ignore[LP102]",
        "# lintpickle: ignore[LP101]",
        "# lintpickle: disable[LP101]",
        "# lintpickle: enable[LP101, LP102]",
        "x = BAD  # noqa",
        "@f  # lintpickle: ignore",
    ]
)


@given(st.lists(LINES, max_size=9), st.sampled_from(["\n", "\r\n", "\r"]))
def test_added_comments_hide_what_they_were_added_for(lines: list[str], newline: str) -> None:
    source = document(newline.join(lines))
    kept = Suppressions.parse(source).apply(diagnostics(source), KNOWN).kept
    result = add_ignore_edits(source, kept)
    edited = document(apply_edits(source.text, result.edits))
    after = Suppressions.parse(edited).apply(diagnostics(edited), KNOWN)
    assert len(after.kept) <= len(result.left)


@given(st.lists(LINES, max_size=9), st.sampled_from(["\n", "\r\n", "\r"]))
def test_removing_unused_comments_changes_nothing_else(lines: list[str], newline: str) -> None:
    source = document(newline.join(lines))
    before = Suppressions.parse(source).apply(diagnostics(source), KNOWN)
    for _ in range(40):
        result = Suppressions.parse(source).apply(diagnostics(source), KNOWN)
        if not result.unused:
            break
        source = document(apply_edits(source.text, [result.unused[0].edit]))
    assert result.unused == ()
    assert len(result.kept) == len(before.kept)


def test_the_blanket_comments_of_a_file_are_one_finding_and_one_fix() -> None:
    head = "from torch.utils.data import Dataset\n\n\nclass Rows(Dataset):\n    def __init__(self):\n"
    text = head + "".join(f"        self.{name} = lambda x: x  # lintpickle: ignore\n" for name in "abc")
    (found,) = lint(text, also="LP902").diagnostics
    assert (found.code, found.location.start.row) == ("LP902", 6)
    assert [each.location.start.row for each in found.related] == [6, 7, 8]
    assert found.fix is not None
    assert apply_edits(text, found.fix.edits) == text.replace("ignore", "ignore[LP102]")
    (alone,) = lint(head + "        self.a = lambda x: x  # lintpickle: ignore\n", also="LP902").diagnostics
    assert alone.related == ()
