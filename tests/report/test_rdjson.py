"""The rdjson format as its consumers read it: by the form of its records, and by bytes of UTF-8.

`rdjson.schema.json` is written for these tests after the description of the format, and stricter than that: it has only
the fields that lintpickle writes, rows and columns count from 1, and what a reader needs is required.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from lintpickle.diagnostics import Applicability, Diagnostic, Edit, Fix, Outcome, Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.report import render
from tests.integrations.conftest import need
from tests.report.conftest import Project, notebook

SCHEMA = Path(__file__).with_name("rdjson.schema.json")
NAME = "pkg/dé a.py"
PIECES = ["x", "é", "你", "😋", "𐐀b", "e\u0301", "\t", " ", "\x0c", "\u2028", "\x85", "\n", "\r\n", "\r", "f(", "'"]

texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=40).map("".join)


@st.composite
def findings(draw: st.DrawFn) -> tuple[Project, Diagnostic]:
    """A finding anywhere in a text, with a step elsewhere in its trail and a fix of up to three edits."""
    text = draw(texts)
    project = Project({NAME: text, "other.py": draw(texts)})
    places = [offset for offset in range(len(text) + 1) if text[offset - 1 : offset + 1] != "\r\n"]
    offsets = sorted(draw(st.lists(st.sampled_from(places), min_size=2, max_size=6)))
    spans = [Span(start, end) for start, end in zip(offsets[::2], offsets[1::2], strict=False)]
    edits = tuple(Edit(span, draw(texts | st.just(""))) for span in dict.fromkeys(spans))
    fix = Fix("Mend", draw(st.sampled_from(Applicability)), edits[::-1])
    document = project.document(project.path(NAME))
    assert document is not None
    finding = project.finding(NAME, "", message=draw(texts), trail=(project.step("here", "other.py", ""),), fix=fix)
    span = draw(st.sampled_from(spans))
    return project, replace(finding, span=span, location=document.location(span))


@given(findings())
def test_ranges_and_suggestions_count_bytes(drawn: tuple[Project, Diagnostic]) -> None:
    project, finding = drawn
    text = project.files[NAME]
    [item] = _rendered(project, finding)["diagnostics"]
    start, end = _bytes(text, item["location"]["range"])
    assert (start, end) == tuple(len(text[:offset].encode()) for offset in (finding.span.start, finding.span.end))
    assert finding.fix is not None
    if finding.fix.applicability is Applicability.DISPLAY:
        assert "suggestions" not in item
    for suggestion in item.get("suggestions", ()):
        start, end = _bytes(text, suggestion["range"])
        raw = text.encode()
        assert (raw[:start] + suggestion["text"].encode() + raw[end:]).decode() == apply_edits(text, finding.fix.edits)


@given(findings())
def test_records_have_the_form_that_is_described(drawn: tuple[Project, Diagnostic]) -> None:
    need("jsonschema")
    _validate(_rendered(*drawn))


def test_notebooks_and_empty_runs_have_it_too(notebook_project: Project, notebook_outcome: Outcome) -> None:
    need("jsonschema")
    text = render("rdjson", notebook_outcome, notebook_project.context())
    _validate(json.loads(text))
    _validate(json.loads(render("rdjson", Outcome(()), notebook_project.context())))


def test_a_cell_is_named_in_the_message_and_placed_at_the_start_of_the_file() -> None:
    project = Project({"nb.ipynb": notebook("# é😋\n", "d = 'é😋'; k = d.keys()\n")})
    finding = project.finding("nb.ipynb", "d.keys()", fix=project.fix("nb.ipynb", "d.keys()", "list(d)"))
    [item] = _rendered(project, finding)["diagnostics"]
    assert item["message"].endswith("(cell 2, row 1)")
    assert item["location"]["range"] == {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 1}}
    assert "suggestions" not in item


@pytest.mark.parametrize(
    "broken",
    [
        {"line": 0, "column": 1},
        {"line": 1, "column": 0},
        {"line": 1, "column": 1, "character": 1},
        {"line": 1},
    ],
)
def test_the_schema_refuses_what_is_wrong(broken: dict[str, int]) -> None:
    need("jsonschema")
    from jsonschema import ValidationError

    project = Project({NAME: "x"})
    value = _rendered(project, project.finding(NAME, "x"))
    value["diagnostics"][0]["location"]["range"]["start"] = broken
    with pytest.raises(ValidationError):
        _validate(value)


def _rendered(project: Project, finding: Diagnostic) -> Any:
    return json.loads(render("rdjson", Outcome((finding,)), project.context()))


def _validate(value: object) -> None:
    from jsonschema import Draft202012Validator

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(value)


def _bytes(text: str, span: dict[str, dict[str, int]]) -> tuple[int, int]:
    """Offsets in bytes of a range: rows as Python reads them, columns in bytes from 1."""
    rows = [0, *(match.end() for match in re.finditer(rb"\r\n|\r|\n", text.encode()))]
    start, end = (rows[span[side]["line"] - 1] + span[side]["column"] - 1 for side in ("start", "end"))
    return start, end
