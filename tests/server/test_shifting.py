from __future__ import annotations

from msgspec.structs import replace

from lintpickle.diagnostics import Applicability, Confidence, Diagnostic, Edit, Fix, Severity, Span, Step
from lintpickle.server.shifting import KnownVersion, Shift, carried_over
from lintpickle.source.document import Document, document_from_text

PATH = "/p/a.py"
OLD = "one = 1\ntwo = 2\nthree = 3\n"


def _document(text: str) -> Document:
    return document_from_text(text, PATH)


def _at(text: str, word: str, code: str = "LP101") -> Diagnostic:
    document = _document(text)
    start = text.index(word)
    span = Span(start, start + len(word))
    location = document.location(span)
    fix = Fix("Mend", Applicability.SAFE, (Edit(span, "x"),))
    trail = (Step("here", location), Step("there", replace(location, path="/p/b.py")))
    return Diagnostic(
        code,
        "a-rule",
        word,
        Severity.ERROR,
        Confidence.CERTAIN,
        location,
        span,
        location.start.row,
        trail=trail,
        fix=fix,
    )


def test_what_stands_behind_an_edit_moves_with_its_fix_and_its_trail() -> None:
    new = OLD.replace("one = 1\n", "one = 1\nmore = 0\n")
    moved = Shift.between(_document(OLD), _document(new)).diagnostic(_at(OLD, "three"))
    assert moved is not None
    assert new[moved.span.start : moved.span.end] == "three"
    assert moved.location.start.row == moved.noqa_row == 4
    assert moved.fix is not None and moved.fix.edits[0].span == moved.span
    assert [step.location.start.row for step in moved.trail] == [4, 3]


def test_what_was_edited_itself_is_gone() -> None:
    shift = Shift.between(_document(OLD), _document(OLD.replace("two", "twice")))
    assert shift.diagnostic(_at(OLD, "two")) is None
    assert shift.diagnostic(_at(OLD, "one")) == _at(OLD, "one")


def test_a_forecast_keeps_what_only_the_whole_program_knew() -> None:
    near, far = _at(OLD, "one"), _at(OLD, "three")
    known = KnownVersion(_document(OLD), (near, far), (near,))
    new = "# comment\n" + OLD
    found = known.forecast(_document(new), [_at(new, "one")])
    assert [each.message for each in found] == ["one", "three"]
    assert found[1].location.start.row == 4


def test_a_forecast_leaves_out_what_the_whole_program_refuted() -> None:
    known = KnownVersion(_document(OLD), (), (_at(OLD, "three"),))
    new = "# comment\n" + OLD
    assert known.forecast(_document(new), [_at(new, "three"), _at(new, "one")]) == [_at(new, "one")]


def test_a_broken_version_shows_what_was_there_but_offers_no_fix() -> None:
    broken = OLD.replace("one = 1", "one = (")
    found = carried_over([_at(OLD, "three")], _document(OLD), _document(broken))
    assert [(each.message, each.fix) for each in found] == [("three", None)]
