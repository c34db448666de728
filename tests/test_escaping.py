"""What is written steers nobody, and values stay what they are."""

from __future__ import annotations

import json

import pytest

from lintpickle.escaping import json_text, one_line, steady
from lintpickle.terminal import Style


@pytest.mark.parametrize(
    "steering", ["\x1b[31m", "\x1b]0;x\x07", "\x9b31m", "\x08", "\u202e", "a\rb", "\x7f", "\u2028"]
)
def test_terminals_are_not_steered(steering: str) -> None:
    shown = steady(f"a\n{steering}\tb\r\n")
    assert not set(shown) & set("\x1b\x9b\x07\x08\u202e\x7f\u2028")
    assert shown.startswith("a\n") and shown.endswith("\tb\r\n") and "\r" not in shown[:-2]


def test_colours_and_links_of_reports_stay_where_there_are_any() -> None:
    style = Style(color=True, links=True)
    text = f"{style.error('bad')} {style.link('LP101', 'https://lintpickle.dev/')}\n"
    assert steady(text, color=True) == text
    assert "\x1b" not in steady(text)
    assert steady("\x1b]0;title\x07", color=True) == "␛]0;title␇"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n::stop-commands::x\n", "a\n\\::stop-commands::x\n"),
        (" \t::error::x", " \t\\::error::x"),
        ("note: ::error::x", "note: ::error::x"),
        ("    ::\n", "    ::\n"),
        ("a ##[error]b", "a #♯[error]b"),
        ("a ##vso[task.x]b ## c", "a #♯vso[task.x]b ## c"),
    ],
)
def test_ci_systems_are_not_steered(text: str, shown: str) -> None:
    assert steady(text) == shown
    assert steady(text, commands=True) == text


def test_a_message_is_one_line() -> None:
    assert one_line("a\n::b::\x1b") == "a␊::b::␛"


def test_values_of_json_stay() -> None:
    value = {"a": "##[x] ##vso[y] ### \x9b \x7f \u202e \u2028 \x1b ♯"}
    text = json_text(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert text.isprintable() and "##" not in text
