"""Attributes that a method replaces before an object is shipped: what they held is not found for the class alone."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
from collections import defaultdict

from torch.utils.data import DataLoader, Dataset


class Vocab:
    def __init__(self):
        self.index = defaultdict(lambda: len(self.index))

    def freeze(self):
        {freeze}
        return self


class Lines(Dataset):
    def __init__(self, vocab):
        self.vocab = vocab

    def __len__(self):
        return 3

    def __getitem__(self, at):
        return self.vocab.index[at]


def main():
    vocab = Vocab()
    {before}
    print(list(DataLoader(Lines(vocab), num_workers=1, multiprocessing_context="spawn")))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("freeze", "before", "found"),
    [
        pytest.param("self.index = dict(self.index)", "vocab.freeze()", [], id="replaced"),
        pytest.param("self.index = dict(self.index)", "pass", ["LP102"], id="never called"),
        pytest.param("self.frozen = dict(self.index)", "vocab.freeze()", ["LP102"], id="kept beside"),
        pytest.param("if input():\n            self.index = {}", "vocab.freeze()", ["LP102"], id="perhaps"),
    ],
)
def test_what_a_method_has_replaced(freeze: str, before: str, found: list[str]) -> None:
    text = TEXT.replace("{freeze}", freeze).replace("{before}", before)
    assert [code for _, code in marks(text, pedantic=True)] == found
