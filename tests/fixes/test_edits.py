from __future__ import annotations

import itertools

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Applicability, Edit, Span
from lintpickle.fixes.edits import apply_edits, choose, compose, moved
from tests.fixes.helpers import SAFE, diagnostic


def edit(start: int, end: int, content: str) -> Edit:
    return Edit(Span(start, end), content)


@st.composite
def edits_for(draw: st.DrawFn, length: int) -> list[Edit]:
    """Sorted edits that do not overlap, on a text of `length`."""
    points = sorted(draw(st.lists(st.integers(0, length), max_size=8)))
    pairs = list(zip(points[::2], points[1::2], strict=False))
    return [edit(a, b, draw(st.text("xyZ é\r\n\f😋", max_size=4))) for a, b in pairs]


@st.composite
def two_rounds(draw: st.DrawFn) -> tuple[str, list[Edit], list[Edit]]:
    text = draw(st.text("abc é\r\n\f😋", max_size=30))
    first = draw(edits_for(len(text)))
    return text, first, draw(edits_for(len(apply_edits(text, first))))


@given(two_rounds())
def test_composed_edits_do_what_both_rounds_do(case: tuple[str, list[Edit], list[Edit]]) -> None:
    text, first, second = case
    composed = compose(first, second, len(text))
    assert apply_edits(text, composed) == apply_edits(apply_edits(text, first), second)
    assert all(a.span.end < b.span.start for a, b in itertools.pairwise(composed))


@given(two_rounds())
def test_text_outside_of_edits_stays(case: tuple[str, list[Edit], list[Edit]]) -> None:
    text, edits, _ = case
    result = apply_edits(text, edits)
    replaced = {at for each in edits for at in range(each.span.start, each.span.end)}
    for at, character in enumerate(text):
        if at not in replaced:
            assert result[moved(at, edits)] == character


def test_edits_that_overlap_or_lie_outside_are_an_error() -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcdef", [edit(0, 3, "x"), edit(2, 4, "y")])
    with pytest.raises(ValueError, match="outside"):
        apply_edits("abc", [edit(2, 4, "y")])


def test_insertion_goes_before_the_replacement_that_starts_there() -> None:
    assert apply_edits("abc", [edit(1, 2, "X"), edit(1, 1, "+"), edit(2, 2, "-")]) == "a+X-c"


def test_first_come_first_served_and_whole_fixes_only() -> None:
    outer = diagnostic(Span(0, 9), [edit(0, 0, "!"), edit(4, 9, "outer")], code="LP102")
    inner = diagnostic(Span(0, 5), [edit(2, 5, "inner")])
    later = diagnostic(Span(7, 8), [edit(7, 8, "x")])
    chosen = choose([later, outer, inner], SAFE)
    assert chosen.diagnostics == (inner, later)
    assert chosen.edits == (edit(2, 5, "inner"), edit(7, 8, "x"))


def test_only_what_is_allowed_is_chosen() -> None:
    unsafe = diagnostic(Span(0, 1), [edit(0, 1, "x")], applicability=Applicability.UNSAFE)
    display = diagnostic(Span(2, 3), [edit(2, 3, "x")], applicability=Applicability.DISPLAY)
    assert choose([unsafe, display, diagnostic(Span(4, 5))], SAFE).diagnostics == ()
    assert choose([unsafe, display], (*SAFE, Applicability.UNSAFE)).diagnostics == (unsafe,)


def test_a_shared_import_is_inserted_once() -> None:
    shared = edit(0, 0, "import functools\n")
    first = diagnostic(Span(5, 6), [shared, edit(5, 6, "x")])
    second = diagnostic(Span(8, 9), [shared, edit(8, 9, "y")])
    chosen = choose([first, second], SAFE)
    assert chosen.diagnostics == (first, second)
    assert chosen.edits.count(shared) == 1


def test_different_functions_hoisted_to_one_point_both_go_in() -> None:
    one, two = "def _a():\n    return 1\n\n\n", "def _b():\n    return 2\n\n\n"
    first = diagnostic(Span(5, 6), [edit(0, 0, one), edit(5, 6, "_a")])
    second = diagnostic(Span(8, 9), [edit(0, 0, two), edit(8, 9, "_b")])
    assert choose([second, first], SAFE).diagnostics == (first, second)
    assert apply_edits("01234x67y", choose([second, first], SAFE).edits) == one + two + "01234_a67_b"


def test_two_functions_of_one_name_do_not_go_in_together() -> None:
    first = diagnostic(Span(5, 6), [edit(0, 0, "def _f():\n    return 1\n\n\n"), edit(5, 6, "_f")])
    second = diagnostic(Span(8, 9), [edit(0, 0, "def _f():\n    return 2\n\n\n"), edit(8, 9, "_f")])
    elsewhere = diagnostic(Span(8, 9), [edit(7, 7, "def _f():\n    return 1\n\n\n"), edit(8, 9, "_f")])
    assert choose([first, second], SAFE).diagnostics == (first,)
    assert choose([first, elsewhere], SAFE).diagnostics == (first,)


def test_names_added_to_one_import_line_go_in_together_unless_they_clash() -> None:
    def adding(content: str, at: int) -> list[Edit]:
        return [edit(3, 3, content), edit(at, at + 1, "x")]

    first = diagnostic(Span(5, 6), adding(", partial", 5))
    second = diagnostic(Span(7, 8), adding(", wraps", 7))
    clash = diagnostic(Span(9, 10), [edit(0, 0, "from mine import partial\n"), edit(9, 10, "x")])
    chosen = choose([first, second, clash], SAFE)
    assert chosen.diagnostics == (first, second)
    assert apply_edits("imp  a b c", chosen.edits).startswith("imp, partial, wraps")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_imports_go_before_functions_and_share_their_blank_rows(end: str) -> None:
    function = edit(0, 0, "def _f(x=a):\n    return x\n\n\n".replace("\n", end))
    edits = [
        diagnostic(Span(1, 2), [function, edit(1, 2, "_f")]),
        diagnostic(Span(3, 4), [edit(0, 0, f"import a{end * 3}"), edit(3, 4, "a")]),
        diagnostic(Span(5, 6), [edit(0, 0, f"import b{end * 3}"), edit(5, 6, "b")]),
    ]
    result = apply_edits("0123456", choose(edits, SAFE).edits)
    assert result == f"import a{end}import b{end * 3}" + function.content + "0_f2a4b6"


def test_wraps_at_one_point_wait_for_each_other() -> None:
    inner = diagnostic(Span(0, 3), [edit(0, 0, "tuple("), edit(3, 3, ")")])
    outer = diagnostic(Span(0, 5), [edit(0, 0, "list("), edit(5, 5, ")")])
    same_start = diagnostic(Span(0, 5), [edit(0, 0, "tuple("), edit(5, 5, ")")])
    assert choose([inner, outer], SAFE).diagnostics == (inner,)
    assert choose([inner, same_start], SAFE).diagnostics == (inner,)


def test_a_fix_reported_twice_is_applied_once() -> None:
    wrap = [edit(0, 0, "list("), edit(3, 3, ")")]
    twice = [diagnostic(Span(0, 3), wrap), diagnostic(Span(0, 3), wrap, code="LP201")]
    chosen = choose(twice, SAFE)
    assert len(chosen.diagnostics) == 2
    assert apply_edits("abc", chosen.edits) == "list(abc)"


def test_a_fix_that_overlaps_itself_is_never_chosen() -> None:
    assert choose([diagnostic(Span(0, 1), [edit(0, 3, "x"), edit(2, 4, "y")])], SAFE).diagnostics == ()
