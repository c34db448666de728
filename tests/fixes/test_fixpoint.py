from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from hypothesis import given, strategies as st
from msgspec.structs import replace

from lintpickle.diagnostics import Applicability, Diagnostic, Edit, Span
from lintpickle.fixes import fixpoint
from lintpickle.fixes.edits import apply_edits, choose
from lintpickle.fixes.fixpoint import FixResult
from lintpickle.fixes.hoist import hoist_lambda
from lintpickle.fixes.imports import import_edit
from tests.fixes.helpers import SAFE, diagnostic, lambda_spans

Lint = Callable[[str], Sequence[Diagnostic]]


def fix_text(text: str, lint: Lint, allowed: Collection[Applicability], **options: Any) -> FixResult:
    """Fix a text, linted without regard for how it came to be."""
    return fixpoint.fix_text(text, lambda edited, edits: lint(edited), allowed, **options)


def lint_words(replacements: dict[str, str]) -> Lint:
    """A toy linter: each of the words is wrong, and the fix is to replace it."""

    def lint(text: str) -> list[Diagnostic]:
        found = []
        for match in re.finditer(r"\w+", text):
            if match.group() in replacements:
                span = Span(*match.span())
                message = f"{match.group()} is wrong"
                found.append(diagnostic(span, [Edit(span, replacements[match.group()])], message=message))
        return found

    return lint


def lint_lambdas(text: str) -> list[Diagnostic]:
    """Every lambda is wrong, and the fix is to hoist it."""
    found = []
    for span in lambda_spans(text):
        hoisted = hoist_lambda(text, span, hint="hook")
        found.append(diagnostic(span, hoisted[:2] if hoisted else (), message="a lambda"))
    return found


def lint_views(text: str) -> list[Diagnostic]:
    """`d.keys()` is wrong unless `list(…)` is around it."""
    found = []
    for match in re.finditer(r"(?<!list\()\b\w+\.keys\(\)", text):
        start, end = match.span()
        edits = [Edit(Span(start, start), "list("), Edit(Span(end, end), ")")]
        found.append(diagnostic(Span(start, end), edits, message="a view"))
    return found


def test_fixes_what_it_can_in_several_rounds() -> None:
    result = fix_text("one = three\n", lint_words({"one": "two", "two": "four"}), SAFE)
    # "two is wrong" is new after the first round: a fix that trades one diagnostic for another is refused.
    assert result.text == "one = three\n"
    assert [each.message for each in result.refused] == ["one is wrong"]
    assert result.remaining == result.refused
    assert result.edits == ()


def test_overlapping_fixes_take_two_rounds_and_their_edits_compose() -> None:
    def lint(text: str) -> list[Diagnostic]:
        found = []
        for code, word, mended in (("LP101", "a + b", "sum(ab)"), ("LP102", "b + c", "sum(bc)")):
            at = text.find(word)
            if at >= 0:
                edit = Edit(Span(at, at + len(word)), mended)
                found.append(diagnostic(Span(at, at + len(word)), [edit], code=code))
        if "sum(ab) + c" in text:
            at = text.index("sum(ab) + c")
            edits = [Edit(Span(at + 4, at + 6), "abc"), Edit(Span(at + 7, at + 11), "")]
            found.append(diagnostic(Span(at, at + 11), edits, code="LP102"))
        return found

    text = "é = 1\nx = a + b + c\ny = 2\n"
    result = fix_text(text, lint, SAFE)
    assert result.text == "é = 1\nx = sum(abc)\ny = 2\n"
    assert [each.code for each in result.fixed] == ["LP101", "LP102"]
    assert result.edits == (Edit(Span(10, 19), "sum(abc)"),)


def test_a_bad_fix_is_refused_and_the_others_are_applied() -> None:
    words = {"a": "A", "bad": "(", "c": "C", "d": "D"}
    text = "a = bad\nc = d\na = bad\n"
    result = fix_text(text, lint_words(words), SAFE)
    assert result.text == "A = bad\nC = D\nA = bad\n"
    assert [each.message for each in result.fixed] == ["a is wrong", "c is wrong", "d is wrong", "a is wrong"]
    assert [each.message for each in result.refused] == ["bad is wrong"] * 2
    assert result.remaining == result.refused
    assert apply_edits(text, result.edits) == result.text


def test_a_fix_that_does_not_remove_its_diagnostic_is_refused() -> None:
    def lint(text: str) -> list[Diagnostic]:
        return [diagnostic(Span(0, 1), [Edit(Span(0, 0), " " if text[0] == " " else "\n")], message="stubborn")]

    result = fix_text("x\n", lint, SAFE)
    assert result.text == "x\n"
    assert len(result.refused) == 1
    assert result.fixed == ()


def test_a_fix_with_impossible_edits_is_refused() -> None:
    result = fix_text("x\n", lambda text: [diagnostic(Span(0, 1), [Edit(Span(5, 9), "")])], SAFE)
    assert result.text == "x\n"
    assert len(result.refused) == 1


def test_a_text_that_the_encoding_cannot_hold_is_refused() -> None:
    words = {"a": "é", "b": "😋", "c": "C"}
    quoted = {word: f'"{content}"' for word, content in words.items()}
    result = fix_text("a; b; c\n", lint_words(quoted), SAFE, encode_check=lambda text: text.encode("latin-1"))
    assert result.text == '"é"; b; "C"\n'
    assert [each.message for each in result.refused] == ["b is wrong"]


def test_a_text_that_never_parsed_can_be_fixed() -> None:
    assert fix_text("print a\n", lint_words({"a": "A"}), SAFE).text == "print A\n"


def test_unsafe_and_missing_fixes_remain_without_being_refused() -> None:
    def lint(text: str) -> list[Diagnostic]:
        unsafe = diagnostic(Span(0, 1), [Edit(Span(0, 1), "y")], applicability=Applicability.UNSAFE)
        return [unsafe, diagnostic(Span(0, 1))]

    result = fix_text("x\n", lint, SAFE)
    assert len(result.remaining) == 2
    assert result.refused == ()


def test_what_vanishes_along_with_a_fix_counts_as_fixed() -> None:
    def lint(text: str) -> list[Diagnostic]:
        fixable = diagnostic(Span(0, 1), [Edit(Span(0, 1), "y")], message="cause")
        return [fixable, diagnostic(Span(2, 3), message="effect")] if text[0] == "x" else []

    assert [each.message for each in fix_text("x = 1\n", lint, SAFE).fixed] == ["cause", "effect"]


def test_rounds_are_limited() -> None:
    text = "a = b\n"
    lint = lint_words({"a": "A", "b": "B"})

    def lint_first(text: str) -> list[Diagnostic]:
        """All are reported, and only the first has a fix."""
        return [replace(each, fix=None) if index else each for index, each in enumerate(lint(text))]

    assert fix_text(text, lint_first, SAFE).text == "A = B\n"
    limited = fix_text(text, lint_first, SAFE, max_rounds=1)
    assert limited.text == "A = b\n"
    assert [each.message for each in limited.remaining] == ["b is wrong"]
    assert limited.refused == ()


def test_two_lambdas_that_want_one_name_get_two() -> None:
    head = "class A:\n    def __init__(self):\n"
    text = head + "        self.a = lambda x: x + 1\n        self.b = lambda x: x + 2\n"
    result = fix_text(text, lint_lambdas, SAFE)
    scope: dict[str, type] = {}
    exec(result.text, scope)
    made = vars(scope["A"]())
    assert (made["a"](1), made["b"](1)) == (2, 3)
    assert (made["a"].__name__, made["b"].__name__) == ("_hook", "_hook_2")
    assert len(result.fixed) == 2
    assert apply_edits(text, result.edits) == result.text


def test_one_import_serves_two_fixes() -> None:
    def lint(text: str) -> list[Diagnostic]:
        found = []
        for match in re.finditer(r"make\(\)", text):
            imported = import_edit(text, "functools", "partial")
            assert imported is not None
            edit, local = imported
            edits = [*([edit] if edit else []), Edit(Span(*match.span()), f"{local}(int)")]
            found.append(diagnostic(Span(*match.span()), edits, message="make"))
        return found

    result = fix_text('"""Doc."""\nimport os\n\na = make()\nb = make()\n', lint, SAFE)
    assert result.text == (
        '"""Doc."""\nimport os\nfrom functools import partial\n\na = partial(int)\nb = partial(int)\n'
    )


FIXED_LINES = {
    "a = d.keys()": "a = list(d.keys())",
    "é = f(d.keys(), é.keys())  # ünï": "é = f(list(d.keys()), list(é.keys()))  # ünï",
    "c = list(d.keys())": "c = list(d.keys())",
    "s = '😋'": "s = '😋'",
    "\f": "\f",
    "": "",
    "bad =": "bad =",
}


@given(st.lists(st.sampled_from(sorted(FIXED_LINES))), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_fixing_is_idempotent_and_leaves_other_lines_alone(lines: list[str], newline: str, ends: bool) -> None:
    end = newline if ends else ""
    text = newline.join(lines) + end
    result = fix_text(text, lint_views, SAFE)
    assert result.text == newline.join(FIXED_LINES[line] for line in lines) + end
    assert apply_edits(text, result.edits) == result.text
    assert fix_text(result.text, lint_views, SAFE).edits == ()


def test_many_lambdas_are_moved_in_one_round() -> None:
    """Each finds the same name free; they get names of their own, and the text is linted once more for all of them."""
    rows = range(60)
    text = "class A:\n" + "".join(f"    def a{row}(self):\n        self.x = [lambda y: y + {row}]\n" for row in rows)
    asked: list[str] = []

    def lint(source: str) -> list[Diagnostic]:
        asked.append(source)
        return lint_lambdas(source)

    result = fix_text(text, lint, SAFE)
    assert (len(result.fixed), len(result.remaining)) == (60, 0)
    assert len(asked) == 2
    assert result.text.startswith(
        "def _hook(y):\n    return y + 0\n\n\ndef _hook_2(y):\n    return y + 1\n\n\ndef _hook_3(y):"
    )
    assert "\n\n\n\n" not in result.text
    assert all(f"    def a{row}(self):\n        self.x = [_hook_{row + 1}]\n" in result.text for row in rows[1:])


def test_names_in_use_are_passed_over() -> None:
    text = "_hook_2 = 1\na = [lambda: 1 + _hook_2, lambda: 2 + _hook_2]\n"
    chosen = choose(lint_lambdas(text), SAFE, text)
    assert apply_edits(text, chosen.edits).endswith("a = [_hook, _hook_3]\n")
    assert len(choose(lint_lambdas(text), SAFE).diagnostics) == 1
