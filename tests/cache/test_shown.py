"""What is printed from the cache is what escaping leaves as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from lintpickle.addresses import SITE
from lintpickle.cache.answers import AskedAnswer, _are_harmless
from lintpickle.cache.recording import recorded
from lintpickle.cache.shown import is_harmless
from lintpickle.cache.store import CacheStore
from lintpickle.escaping import steady

PIECES = (
    *(
        "\x1b",
        "\x1b[",
        "1;31",
        "m",
        "\x1b[0m",
        "\x1b[8m",
        "36",
        ";",
        "\x1b]8;;",
        "http://x",
        "file:///x",
        f"{SITE}/x",
        "\x1b\\",
        "\\",
        "\x1b]0;x\x07",
        "\n",
        "\r",
        "\t",
    ),
    *(
        "::",
        "##",
        "[",
        "vso[",
        "error",
        " ",
        ":",
        "\x00",
        "\x7f",
        "\x9b",
        "\u2028",
        "\u202e",
        "\u200f",
        "\x0c",
        "é",
        "x",
    ),
)
ANNOTATIONS = (
    "::error title=lintpickle (LP101),file=a.py,line=1::message\n",
    "##vso[task.logissue type=warning;sourcepath=a.py;linenumber=1]message\n",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_it_agrees_with_escaping(text: str) -> None:
    assert is_harmless(text) == (steady(text, color=True) == text)


@given(st.text())
def test_it_agrees_on_any_text(text: str) -> None:
    assert is_harmless(text) == (steady(text, color=True) == text)
    assert is_harmless(steady(text, color=True))


@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_annotations_of_findings_are_commands_that_may_be(annotation: str) -> None:
    assert is_harmless(annotation * 2)
    assert not is_harmless(annotation + "::stop-commands::x\n")
    assert not is_harmless(annotation.replace("title=lintpickle ", "").replace("type=warning", "type=x"))


@pytest.mark.parametrize(
    "said",
    [
        b"::stop-commands::x\n",
        b"All checks passed!\n::stop-commands::x\n",
        b" \t::add-mask::x::\n",
        b"##[group]x\n",
        b"##vso[task.setvariable variable=x]y\n",
        b"a\rb\n",
        b"\x1b[2J\x1b]0;title\x07",
        b"\x1b[2J",
        b"\x1b[8mhidden\x1b[0m",
        b"\x1b]8;;https://example.com\x1b\\LP101\x1b]8;;\x1b\\",
        "\u202eabc\n".encode(),
        b"\xc2\x9b2J",
        b"\x9b2J",
    ],
)
def test_an_answer_that_would_steer_its_reader_is_not_given(said: bytes, tmp_path: Path) -> None:
    question = AskedAnswer(["."], CacheStore(str(tmp_path / "cache")), started=2**63)
    assert recorded(question, lambda: 0) == 0
    found = question.store.load("answers", question._key)
    assert isinstance(found, tuple)
    for number in (1, 2):
        assert question.keep(0, ((number, said),), found[2])
        assert question.answer() is None
    assert question.keep(0, ((1, b"\x1b[31mred\x1b[0m\n"),), found[2])
    assert question.answer() is not None


def test_an_answer_must_be_harmless_in_the_encoding_of_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the UTF-8 of a letter begins an escape sequence on some terminals."""

    class Stream:
        encoding = "utf-8"

    monkeypatch.setattr("sys.stdout", Stream)
    monkeypatch.setattr("sys.stderr", Stream)
    said = "Û2J".encode()
    assert _are_harmless(((1, said),))
    Stream.encoding = "latin-1"
    assert not _are_harmless(((1, said),))
    assert _are_harmless(((2, "é".encode()),))
    Stream.encoding = "ascii"
    assert _are_harmless(((2, said),))
    assert not _are_harmless(((2, b"\xff"),))
