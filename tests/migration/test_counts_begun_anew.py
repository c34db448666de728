"""Counters that a class keeps, from which main and workers draw. Measured with CPython 3.11: a forked worker goes on
where main was, and a spawned one begins anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated

CODE = """\
import itertools
import multiprocessing as mp


class Ticket:
    _numbers = itertools.count(100)

    def __init__(self, title):
        self.number = next({counter})
        self.title = title


def numbers(titles):
    return [Ticket(title).number for title in titles]


def main():
    {before}
    with mp.Pool(1) as pool:
        print(pool.apply(numbers, (["fan", "lamp"],)))


if __name__ == "__main__":
    main()
"""


# gap: for Pythons before 3.14, where a count pickles and is read as an iterator
def changes(folder: Path, counter: str, before: str) -> bool:
    boundaries = migrated(folder, CODE.format(counter=counter, before=before), python="3.14").boundaries
    return any(each.verdict is Verdict.CHANGES for each in boundaries)


@pytest.mark.parametrize("counter", ["self._numbers", "Ticket._numbers", "type(self)._numbers"])
def test_main_has_drawn_before(tmp_path: Path, counter: str) -> None:
    assert changes(tmp_path, counter, 'print(Ticket("vpn").number)')


def test_main_has_not_drawn(tmp_path: Path) -> None:
    assert not changes(tmp_path, "self._numbers", 'print("begin")')


def test_each_object_has_a_counter_of_its_own(tmp_path: Path) -> None:
    assert not changes(tmp_path, "itertools.count(1)", 'print(Ticket("vpn").number)')
