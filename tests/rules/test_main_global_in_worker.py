"""LP208: main-global-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP208"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "def g():\n    return N\nif __name__ == '__main__':\n    N = 2\nelse:\n    N = 1\nmp.Process(target=g)\n",
            id="in both",
        ),
        pytest.param("def g():\n    return N\nif __name__ == '__main__':\n    N = 2\n    g()\n", id="no worker"),
        pytest.param(
            "N = None\ndef s():\n    global N\n    N = 1\ns()\n"
            "def g():\n    return N\ndef f():\n    mp.Process(target=g)\n",
            id="set at import by a function",
        ),
        pytest.param(
            "def g():\n    return N\n"
            "if __name__ == '__main__':\n    N = 2\n    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
    ],
)
def test_globals_that_workers_have(body: str) -> None:
    assert codes(body) == []


_OF_CLASS = """
import argparse
import multiprocessing as mp


class Tokenizer:
    length = 2
    {more}

    def __init__(self, lower=True):
        self.lower = lower

    def cut(self, text):
        return text[: self.length]


def cut(text):
    return Tokenizer().cut(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--length", type=int)
    {set}
    with mp.Pool(2) as pool:
        print(pool.map(cut, ["one", "two"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("set_", "more", "fires"),
    [
        ("Tokenizer.length = parser.parse_args().length", "", True),
        ("Tokenizer.length = 7", "", True),
        ("Tokenizer.length = 2", "", False),
        ("Tokenizer.depth = 7", "", False),
        ("Tokenizer().length = 7", "", False),
        ("Tokenizer.length = 7", "def set(self, n):\n        self.length = n", False),
        ("print(Tokenizer.length)", "", False),
    ],
)
def test_attributes_of_the_class_that_its_objects_read(set_: str, more: str, fires: bool) -> None:
    assert ("LP208" in codes(_OF_CLASS.replace("{set}", set_).replace("{more}", more))) is fires
