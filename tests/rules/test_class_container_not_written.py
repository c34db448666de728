"""LP506: class-container-not-written."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP506"


_TEXT = """\
import pickle
from dataclasses import dataclass
import torch

class Words:
    {body}
    {hook}
    def fit(self, words):
        for word in words:
            {fills}
        return self
    def encode(self, word):
        return {reads}

@dataclass
class Bundle:
    words: object
    size: int

def restore(path):
    return {loads}

def main():
    words = Words().fit(["a", "b"])
    print({uses})
    {writes}

if __name__ == "__main__":
    main()
"""


def _found(
    body: str = "index = {}",
    hook: str = "# no hook",
    fills: str = "self.index[word] = len(self.index)",
    reads: str = "self.index.get(word, 0)",
    loads: str = "torch.load(path, weights_only=False)",
    uses: str = "words.encode('a')",
    writes: str = "torch.save(Bundle(words, 3), 'a.pt')",
) -> list[Confidence]:
    text = _TEXT.format(body=body, hook=hook, fills=fills, reads=reads, loads=loads, uses=uses, writes=writes)
    return [each.confidence for each in lint(text).diagnostics if each.code == "LP506"]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="an object that is held"),
        pytest.param({"writes": "torch.save({'words': words}, 'a.pt')"}, id="in a dict"),
        pytest.param({"writes": "pickle.dump(words, open('a.pkl', 'wb'))"}, id="pickle.dump"),
        pytest.param({"fills": "self.index.setdefault(word, len(self.index))"}, id="setdefault"),
        pytest.param(
            {"body": "index = []", "fills": "self.index.append(word)", "reads": "word in self.index"}, id="list"
        ),
        pytest.param(
            {"body": "index = set()", "fills": "self.index.add(word)", "reads": "word in self.index"}, id="set"
        ),
        pytest.param({"body": "index = {'<unk>': 0}"}, id="one that is not empty"),
    ],
)
def test_a_container_of_the_class(changed: dict[str, str]) -> None:
    assert _found(**changed) == [Confidence.LIKELY]


def test_files_that_nobody_loads() -> None:
    assert Confidence.LIKELY not in _found(loads="path")


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"body": "def __init__(self):\n        self.index = {}"}, id="the object's own"),
        pytest.param({"hook": "def __getstate__(self):\n        return {'index': self.index}"}, id="a hook sends it"),
        pytest.param({"fills": "pass"}, id="not filled"),
        pytest.param({"fills": "self.index = {**self.index, word: 1}"}, id="bound anew on the object"),
        pytest.param(
            {"fills": "if word not in self.index:\n                self.index[word] = hash(word)"}, id="a cache"
        ),
        pytest.param({"reads": "hash(word)"}, id="not read"),
        pytest.param({"uses": "words"}, id="the reading method is not called"),
        pytest.param({"writes": "print(words)"}, id="not written"),
    ],
)
def test_what_is_not_lost(changed: dict[str, str]) -> None:
    assert _found(**changed) == []
