"""Rule pages at a glance, and their Markdown in a terminal."""

from __future__ import annotations

import click
import pytest

from lintpickle.commands._markdown import rendered
from lintpickle.commands._output import paged
from lintpickle.rulebook.pages import Page, load_pages
from lintpickle.rulebook.short import LONGEST_EXAMPLE, short_sections
from lintpickle.terminal import Style

PLAIN = Style(color=False)


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("one two three four five", "one two three\nfour five\n"),
        ("one\ntwo\n\n\nthree", "one two\n\nthree\n"),
        ("## A heading", "A heading\n"),
        ("- one two three four\n- five\n  six", "- one two three\n  four\n- five six\n"),
        (
            "```python bad\na = 1\n\n\nb = 2  # a line is not wrapped\n```",
            "    a = 1\n\n\n    b = 2  # a line is not wrapped\n",
        ),
        ("```python good=one\na = 1\n```", "    # good=one\n    a = 1\n"),
        ("text:\n\n    TypeError: a long line\n\nmore", "text:\n\n    TypeError: a long line\n\nmore\n"),
        ("| a | b |\n| --- | --- |\n| long | c |", "a     b\nlong  c\n"),
        ("[`f`](a://b) now", "`f` (a://b) now\n"),
        ("as [LP1](LP1-x.md)", "as LP1\n"),
        ("**bold** and *so*", "bold and so\n"),
        ("`fns[0](x)`", "`fns[0](x)`\n"),
        ("snake_case * 2 * 3", "snake_case * 2\n* 3\n"),
        ("a word `x = y`", "a word `x = y`\n"),
        ("two words `x = y`", "two words\n`x = y`\n"),
    ],
)
def test_markdown_is_wrapped_and_loses_its_marks(markdown: str, expected: str) -> None:
    assert rendered(markdown, PLAIN, 15) == expected


@pytest.mark.parametrize("page", load_pages(), ids=lambda page: page.code)
def test_a_page_at_a_glance(page: Page) -> None:
    sections = {section.heading: section.text for section in short_sections(page)}
    assert "Proof" not in sections and sections["Why it breaks"] == page.sections["Why it breaks"]
    shown = page.of_kind("bad")[0].code.split("\n")[0]
    assert shown in sections["Example"]
    for heading in ("Example", "Use instead"):
        assert sections[heading].count("```") == 2
        code = sections[heading].partition("```python\n")[2].partition("```")[0]
        assert 1 <= code.count("\n") <= LONGEST_EXAMPLE + 1


@pytest.mark.parametrize(("lines", "pages"), [(23, 0), (24, 1)])
def test_what_does_not_fit_on_a_terminal_goes_through_a_pager(
    lines: int, pages: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setattr(click, "echo_via_pager", shown.append)
    paged("line\n" * lines, color=False)
    assert len(shown) == pages
    assert capsys.readouterr().out.count("line\n") == (0 if pages else lines)
    paged("\x1b]0;title\x07\n" * lines, color=False)
    assert "\x1b" not in "".join(shown) + capsys.readouterr().out
