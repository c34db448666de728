"""Words in texts: as parts of others, alone, and by an index."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from lintpickle.prefilter import words as words_module
from lintpickle.prefilter.words import Lexicon, WordIndex, Words
from lintpickle.source.document import document_from_text

PIECES = st.sampled_from(
    ["load", "torch.load(", "load_all", "_load", "x1", "1", ".", "(", " ", "\n", "é", "…", "ß_x", "--lr"]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


def _lexicon(text: str) -> Lexicon:
    return Lexicon(document_from_text(text, "a.py"))


def _stands_alone(word: str, text: str) -> bool:
    before = r"(?<!\w)" if re.match(r"\w", word) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", word) else ""
    return re.search(before + re.escape(word) + after, text) is not None


@pytest.mark.parametrize(
    ("word", "text", "alone"),
    [
        ("load", "torch.load(x)", True),
        ("load", "reload(x) load_all(x) loads", False),
        ("load", "download, load", True),
        ("load", "", False),
        ("load", "load", True),
        ("load", "…load…", True),
        ("load", "éload", False),
        ("torch.load(", "torch.load(x)", True),
        ("torch.load(", "mytorch.load(x)", False),
        ("--lr", "----lr", True),
        ("--lr", "--lr_decay", False),
        ("a a", "a a a", True),
    ],
)
def test_alone(word: str, text: str, alone: bool) -> None:
    assert Words([word]).stand_alone_in(text) is alone
    assert _stands_alone(word, text) is alone


@given(st.lists(PIECES.filter(bool), min_size=1, max_size=3, unique=True), TEXTS)
def test_alone_is_what_a_pattern_finds(words: list[str], text: str) -> None:
    assert Words(words).stand_alone_in(text) is any(_stands_alone(word, text) for word in words)


@given(st.lists(PIECES, min_size=1, max_size=3, unique=True), TEXTS)
def test_a_lexicon_tells_what_stands_in_its_text(words: list[str], text: str) -> None:
    sought, lexicon = Words(words), _lexicon(text)
    assert lexicon.code == text
    assert set(sought.standing_in(lexicon)) == {word for word in words if word in text}
    assert sought.are_in(lexicon) is any(word in text for word in words)


def test_a_lexicon_has_each_word_once() -> None:
    words = _lexicon("load = load(load_all, 'ßload é')\n" * 9).joined.split()
    assert sorted(words) == ["load", "load_all"]


@given(st.lists(PIECES, min_size=1, max_size=3, unique=True), st.lists(TEXTS, max_size=6))
def test_the_index_misses_nothing(words: list[str], texts: list[str]) -> None:
    index = WordIndex()
    assert [index.add(_lexicon(text)) for text in texts] == list(range(len(texts)))
    candidates = index.candidates(Words(words))
    assert candidates >= {number for number, text in enumerate(texts) if Words(words).stand_alone_in(text)}
    assert candidates <= set(range(len(texts)))


def test_the_index_narrows_down() -> None:
    index = WordIndex()
    for number in range(300):
        index.add(_lexicon(f"def function_{number}():\n    return common + {number}\n"))
    assert len(index.candidates(Words(["function_7"]))) < 10
    assert len(index.candidates(Words(["function_7", "function_8"]))) < 20
    assert index.candidates(Words(["common"])) == set(range(300))
    assert not index.candidates(Words([]))
    assert len(index.candidates(Words(["common.function_7("]))) < 10


def test_more_texts_than_two_bytes_can_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_module, "_MOST_IN_TWO_BYTES", 2)
    index = WordIndex()
    for text in ("a", "a b", "b", "a"):
        index.add(_lexicon(text))
    index._all = 1 << 17
    assert index.add(_lexicon("a")) == 1 << 17
    assert index.candidates(Words(["a"])) == {0, 1, 3, 1 << 17}
