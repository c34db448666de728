"""Colour and display width."""

from __future__ import annotations

import io

import pytest

from lintpickle.terminal import Style, text_width, visible, wants_color


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environ", "on_terminal", "on_pipe"),
    [
        ("auto", {}, True, False),
        ("always", {"NO_COLOR": "1"}, True, True),
        ("never", {"FORCE_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, True, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"CLICOLOR_FORCE": "1", "TERM": "dumb"}, True, True),
        ("auto", {"CLICOLOR": "0"}, False, False),
        ("auto", {"TERM": "dumb"}, False, False),
    ],
)
def test_wants_color(choice: str, environ: dict[str, str], on_terminal: bool, on_pipe: bool) -> None:
    assert wants_color(choice, Terminal(), environ) is on_terminal
    assert wants_color(choice, io.StringIO(), environ) is on_pipe


@pytest.mark.parametrize(
    ("text", "width"),
    [("abc", 3), ("é", 1), ("e\u0301", 1), ("你好", 4), ("😋", 2), ("", 0), ("a\u200bb", 2)],
)
def test_text_width(text: str, width: int) -> None:
    assert text_width(text) == width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\tx", "    x"),
        ("ab\tx", "ab  x"),
        ("你\tx", "你  x"),
        ("a\x1b[31mb", "a␛[31mb"),
        ("a\x0cb\x7f\x9b", "a␌b\ufffd\ufffd"),
        ("a\u202eb\u2066c", "a\ufffdb\ufffdc"),
        ("é", "é"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_style_leaves_text_alone_without_colour() -> None:
    style = Style(color=False, links=True)
    assert style.error("x") == style.bold("x") == style.link("x", "file:///x") == "x"


def test_links_need_colour_and_links() -> None:
    assert Style(color=True).link("x", "file:///x") == "x"
    assert Style(color=True, links=True).link("x", "u") == "\033]8;;u\033\\x\033]8;;\033\\"
