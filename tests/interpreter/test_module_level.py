"""What statements at module level do to an object that a name there holds."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAD = """\
import multiprocessing


class Corpus:
    def __init__(self):
        self.kept = None
        self.parts = []

    def setup(self):
        classes = {"cat": 0}
        self.kept = classes.keys()

    def clear(self):
        self.kept = None


def fill(corpus):
    classes = {"cat": 0}
    corpus.kept = classes.keys()


def work(item):
    return 1


"""
MAIN = """

def main():
    process = multiprocessing.Process(target=work, args=(records,))
    process.start()


if __name__ == "__main__":
    main()
"""
GUARD = """

if __name__ == "__main__":
    {before}
    process = multiprocessing.Process(target=work, args=(records,))
    process.start()
    {after}
"""


def _guarded(before: str, after: str = "process.join()") -> str:
    return GUARD.format(before=before, after=after)


@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("records = Corpus()\nrecords.setup()\n" + MAIN, 11),
        ("records = Corpus()\nfill(records)\n" + MAIN, 19),
        ("records = Corpus()\nrecords.parts.append({}.keys())\n" + MAIN, 27),
        (_guarded("records = Corpus()\n    records.setup()"), 11),
        (_guarded("records = Corpus()\n    fill(corpus=records)"), 19),
        (_guarded("records = Corpus()\n    records.parts.append({}.keys())"), 30),
        ("records = Corpus()\n" + _guarded("records.setup()"), 11),
        ("records = Corpus()\n" + _guarded("fill(records)"), 19),
    ],
)
def test_what_is_done_before_the_object_is_shipped(code: str, row: int) -> None:
    assert marks(HEAD + code) == [(row, "LP101")]


@pytest.mark.parametrize(
    "code",
    [
        "records = Corpus()\n" + MAIN,
        "records = Corpus()\nrecords.setup()\nrecords.clear()\n" + MAIN,
        "records = Corpus()\nothers = Corpus()\nothers.setup()\nfill(others)\n" + MAIN,
        _guarded("records = Corpus()", after="records.setup()"),
        "records = Corpus()\n" + _guarded("print(records)", after="records.setup()"),
        "records = Corpus()\n" + MAIN + "    records.setup()\n    fill(records)\n",
    ],
)
def test_what_is_undone_or_done_to_another_or_later(code: str) -> None:
    assert not marks(HEAD + code)


LOOP = """\
import pickle
import sys
from collections import defaultdict

if __name__ == "__main__":
    counts = defaultdict(lambda: 0)
    for table, name in zip((counts,), ("counts",)):
        {}
        with open(name, "wb") as file:
            pickle.dump(table, file)
"""


@pytest.mark.parametrize(
    "line",
    [
        "table = {key: value for key, value in table.items()}",
        "table = dict(table)",
        "table, kind = dict(table), 'plain'",
        "table = {}",
    ],
)
def test_a_loop_variable_that_gets_another_value(line: str) -> None:
    assert not marks(LOOP.format(line))


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("pass", 6),
        ("other = dict(table)", 6),
        ("table = [table]", 6),
        ("if len(sys.argv) > 1:\n            table = dict(table)", 6),
        ("table = defaultdict(lambda: 1)", 8),
    ],
)
def test_a_loop_variable_that_may_have_its_value_still(line: str, row: int) -> None:
    assert (row, "LP102") in marks(LOOP.format(line))
