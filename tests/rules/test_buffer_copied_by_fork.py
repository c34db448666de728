"""LP251: buffer-copied-by-fork."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP251"


GIVEN = """\
import multiprocessing as mp


def part(log, number):
    {does}


def head(log):
    log.write("number\\n")
    {after}


def main():
    log = open("report.txt", {mode})
    {writes}
    context = mp.get_context("{method}")
    started = [context.Process(target=part, args=(log, number)) for number in range(3)]
    for each in started:
        each.start()
    for each in started:
        each.join()
    log.write("end")
    log.close()


if __name__ == "__main__":
    main()
"""
WRITES = 'log.write("number\\n")'


def _found(text: str) -> list[str]:
    return [code for _, code in marks(text) if code == "LP251"]


def _given(
    does: str = "log.flush()", writes: str = WRITES, mode: str = '"w"', method: str = "fork", after: str = "pass"
) -> list[str]:
    return _found(GIVEN.format(does=does, writes=writes, mode=mode, method=method, after=after))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"does": "log.write(str(number)); log.flush()"},
        {"does": "log.close()"},
        {"does": "print(number, file=log, flush=True)"},
        {"writes": "print('number', file=log)"},
        {"writes": "log.writelines(['number'])"},
        {"writes": "log.flush(); log.write('number')"},
        {"mode": "'a', encoding='utf-8'"},
        {"mode": "'wb'", "writes": "log.write(b'number')"},
    ],
)
def test_what_workers_write_again(change: dict[str, str]) -> None:
    assert _given(**change) == ["LP251"]


@pytest.mark.parametrize(
    "change",
    [
        {"does": "pass"},
        {"does": "log.write(str(number))"},
        {"does": "print(number, file=log)"},
        {"does": "log = open('mine.txt', 'w'); log.flush()"},
        {"writes": "pass"},
        {"writes": "log.write('number'); log.flush()"},
        {"writes": "print('number', file=log, flush=True)"},
        {"writes": "head(log)"},  # gap: what a function writes to a file that it is given
        {"writes": "head(log)", "after": "log.flush()"},
        {"writes": "open('other.txt', 'w').write('number')"},
        {"mode": "'w', 1"},
        {"mode": "'w', buffering=1"},
        {"mode": "'wb', buffering=0"},
        {"mode": "'r'"},
        {"method": "spawn"},
        {"method": "forkserver"},
    ],
)
def test_what_stands_in_the_file_once(change: dict[str, str]) -> None:
    assert _given(**change) == []


HELD = """\
import multiprocessing as mp


class Report:
    def __init__(self, path):
        self.file = open(path, "a")

    def __enter__(self):
        self.file.write("number\\n")
        {enters}
        return self

    def __exit__(self, *failed):
        self.file.close()

    def add(self, number):
        self.file.write(str(number))
        self.file.flush()


class Export:
    def __init__(self, report, context):
        self.report, self.context = report, context

    def part(self, number):
        self.report.add(number)

    def run(self):
        started = [self.context.Process(target=self.part, args=(number,)) for number in range(3)]
        for each in started:
            each.start()
        for each in started:
            each.join()


def main():
    with Report("report.txt") as report:
        {runs}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("enters", "runs", "expected"),
    [
        ("pass", "Export(report, mp.get_context('fork')).run()", ["LP251"]),
        ("self.file.flush()", "Export(report, mp.get_context('fork')).run()", []),
        ("pass", "Export(report, mp.get_context('spawn')).run()", []),
        ("pass", "report.add(1)", []),
    ],
)
def test_a_file_that_an_object_keeps(enters: str, runs: str, expected: list[str]) -> None:
    assert _found(HELD.format(enters=enters, runs=runs)) == expected
