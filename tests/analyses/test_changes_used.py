"""LP207: changes of containers whose result is used, and tables that are numbered as they grow. The lost ones were run
with CPython 3.11."""

from __future__ import annotations

import pytest

from tests.support import lint

_PROGRAM = """\
from collections import deque
from multiprocessing import Pool

SEEN = {}


class Vocab:
    def __init__(self, tokens=("<pad>",)):
        self.ids = IDS
        FILL

    def add(self, token):
        ADD

    def __len__(self):
        return len(self.ids)


class Encoder:
    def __init__(self, vocab):
        self.vocab = vocab

    def encode(self, text):
        return [self.vocab.add(token) for token in text.split()]

    def encode_all(self, documents):
        with Pool(2) as pool:
            return pool.map(self.encode, documents)


def remember(text):
    REMEMBER


def main():
    vocab = Vocab()
    encoder = Encoder(vocab)
    print(encoder.encode_all(["the cat", "the dog"]))
    READ
    with Pool(2) as pool:
        pool.map(remember, ["a", "b"])
    READ_SEEN


if __name__ == "__main__":
    main()
"""
_SETDEFAULT = "return self.ids.setdefault(token, len(self.ids))"
_NUMBERED = "if token not in self.ids:\n            self.ids[token] = len(self.ids)\n        return self.ids[token]"
_FILLED = "for token in tokens:\n            self.add(token)"
_READ = "print(vocab.ids)"


def _found(
    add: str = "return len(token)",
    read: str = _READ,
    ids: str = "{}",
    fill: str = "self.size = 0",
    remember: str = "return text",
    read_seen: str = "print(SEEN)",
) -> list[str]:
    text = _PROGRAM.replace("REMEMBER", remember).replace("READ_SEEN", read_seen).replace("READ", read)
    text = text.replace("IDS", ids).replace("FILL", fill).replace("ADD", add)
    return [each.message for each in lint(text).diagnostics if each.code == "LP207"]


@pytest.mark.parametrize(
    ("add", "ids", "read"),
    [
        (_SETDEFAULT, "{}", _READ),
        (_SETDEFAULT, "{}", "print(len(vocab.ids))"),
        ("number = self.ids.setdefault(token, len(self.ids))\n        return number", "{}", _READ),
        ("return self.ids.setdefault(token, []).append(1)", "{}", _READ),
        (_NUMBERED, "{}", _READ),
        ("if token in self.ids:\n            return 0\n        self.ids[token] = len(self.ids)", "{}", _READ),
        ("return self.ids.pop()", "[1, 2, 3]", _READ),
        ("return self.ids.pop(0)", "[1, 2, 3]", _READ),
        ("return self.ids.popleft()", "deque([1, 2, 3])", _READ),
        ("if self.ids.add(token):\n            return 1", "set()", _READ),
        ("if token not in self.ids:\n            self.ids[token] = len(token)\n        return 1", "{}", _READ),
    ],
)
def test_changes_whose_result_is_used(add: str, ids: str, read: str) -> None:
    [message] = _found(add, read, ids)
    assert "changes `self.ids` of its copy of a `Vocab`" in message


@pytest.mark.parametrize("add", [_SETDEFAULT, _NUMBERED, "self.ids[token] = 1"])
def test_what_the_constructor_puts_there_by_the_same_method(add: str) -> None:
    [message] = _found(add, fill=_FILLED)
    assert message.endswith("still sees what it held before")


@pytest.mark.parametrize(
    ("add", "read", "ids", "fill"),
    [
        pytest.param(_SETDEFAULT, "print('done')", "{}", "", id="not read"),
        pytest.param(_SETDEFAULT, "vocab.add('x')\n    print(vocab.ids)", "{}", "", id="filled by the main process"),
        pytest.param("return self.ids.get(token, 0)", _READ, "{}", _FILLED, id="only looked up"),
        pytest.param("return self.ids.setdefault(token, [])", _READ, "{}", "", id="looked up, with a default"),
        pytest.param("return self.ids.setdefault(token, None)", _READ, "{}", "", id="looked up, or None"),
        pytest.param("return self.ids.pop()", _READ, "[]", "", id="taken out of what is filled elsewhere"),
        pytest.param("return self.ids.pop('unknown', None)", _READ, "{'unknown': 0}", "", id="an option taken out"),
        pytest.param("return self.ids.index(token)", _READ, "['the']", "", id="asked for a place"),
        pytest.param("return self.ids.add(token)", _READ, "open_store()", "", id="a method of anything"),
        pytest.param("return self.ids.update(token)", _READ, "None", "", id="no container"),
        pytest.param(
            "if token not in self.ids:\n            self.ids[token] = token.upper()\n        return self.ids[token]",
            "print('x' in vocab.ids)",
            "{}",
            "",
            id="a cache of what is computed again",
        ),
        pytest.param(
            "ids = dict(self.ids)\n        return ids.setdefault(token, 1)", _READ, "{}", "", id="a copy is changed"
        ),
        pytest.param(
            "if token not in self.ids:\n            self.ids[token] = len(token)\n        return 1",
            "print(vocab.ids.get('x'))",
            "{}",
            "",
            id="a cache of lengths",
        ),
    ],
)
def test_what_is_not_lost(add: str, read: str, ids: str, fill: str) -> None:
    assert _found(add, read, ids, fill or "self.size = 0") == []


@pytest.mark.parametrize(
    ("remember", "read", "lost"),
    [
        ("return SEEN.setdefault(text, len(SEEN))", "print(SEEN)", True),
        ("if text not in SEEN:\n        SEEN[text] = len(SEEN)\n    return SEEN[text]", "print(len(SEEN))", True),
        ("return SEEN.setdefault(text, len(SEEN))", "print('done')", False),
        ("return SEEN.get(text)", "print(SEEN)", False),
        ("if text not in SEEN:\n        SEEN[text] = text.upper()\n    return SEEN[text]", "print(SEEN)", True),
        ("if text not in SEEN:\n        SEEN[text] = text.upper()\n    return SEEN[text]", "print('a' in SEEN)", False),
        ("return SEEN.popitem()", "print(SEEN)", False),
    ],
)
def test_globals(remember: str, read: str, lost: bool) -> None:
    assert ["the global `SEEN`" in each for each in _found(remember=remember, read_seen=read)] == [True] * lost
