"""What methods add to attributes of an object that crosses (`self.value += by`): to a number nothing is put in. The
programs were run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing

import somelib


class Counter:
    def __init__(self, start):
        self.value = start

    def bump(self, by=1):
        self.value += by


def drain(counter):
    print(counter.value)


def main():
    counter = Counter({start})
    counter.bump({by})
    process = multiprocessing.Process(target=drain, args=(counter,))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


def said(folder: Path, start: str, by: str) -> Verdict:
    return worst(migrated(folder, CODE.format(start=start, by=by)))


@pytest.mark.parametrize(("start", "by"), [("10", "5"), ("1.5", "0.5"), ("10", ""), ("'a'", "'b'"), ("[]", "[1, 2]")])
def test_numbers_and_texts_are_known(start: str, by: str, tmp_path: Path) -> None:
    assert said(tmp_path, start, by) is Verdict.READY


@pytest.mark.parametrize(
    ("by", "verdict"),
    [
        ("[lambda: 1]", Verdict.BREAKS),
        ("somelib.more()", Verdict.CANNOT_TELL),
        ("[somelib.one()]", Verdict.CANNOT_TELL),
    ],
)
def test_what_is_put_into_a_list_crosses(by: str, verdict: Verdict, tmp_path: Path) -> None:
    assert said(tmp_path, "[]", by) is verdict
