"""What `in` asks of objects of a class of the program, by its `__contains__`. The programs were run with CPython 3.11
under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp


class Blocklist:
    def __init__(self):
        self._words = {{"always"}}
        self.low = 0
        self.label = ""

    def add(self, word):
        self._words.add(word)

    def __contains__(self, word):
        return {contains}


BLOCKED = Blocklist()


def configure():
    {set_by_main}


def check(word):
    {check}


def main():
    configure()
    with mp.Pool(2) as pool:
        print(pool.map(check, ["bad", "good"]))


if __name__ == "__main__":
    main()
"""
WORDS, LOW = "word in self._words", "len(word) > self.low"
FILLS, STORES = 'BLOCKED.add("bad")', "BLOCKED.low = 3"


@pytest.mark.parametrize(("contains", "set_by_main"), [(WORDS, FILLS), (LOW, STORES)], ids=["filled", "stored"])
@pytest.mark.parametrize(
    "check",
    ["return word in BLOCKED", "if word not in BLOCKED:\n        return 1\n    return 2", "return [word in BLOCKED]"],
    ids=["returned", "condition", "in a list"],
)
def test_main_alone_changes_what_it_asks(contains: str, set_by_main: str, check: str, tmp_path: Path) -> None:
    code = CODE.format(contains=contains, set_by_main=set_by_main, check=check)
    assert worst(migrated(tmp_path, code)) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("contains", "set_by_main", "check"),
    [
        (WORDS, 'BLOCKED.label = "main"', "return word in BLOCKED"),
        (WORDS, STORES, "return word in BLOCKED"),
        (WORDS, "print(1)", "return word in BLOCKED"),
        (WORDS, FILLS, "return word"),
    ],
    ids=["another attribute", "not what it reads", "nothing", "not asked"],
)
def test_what_it_does_not_ask_for(contains: str, set_by_main: str, check: str, tmp_path: Path) -> None:
    code = CODE.format(contains=contains, set_by_main=set_by_main, check=check)
    assert worst(migrated(tmp_path, code)) is Verdict.READY
