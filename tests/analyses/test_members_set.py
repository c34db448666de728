"""Members of enumerations whose attributes main alone sets (LP210)."""

from __future__ import annotations

import pytest

from tests.support import lint

LEVELS = """\
import enum
import multiprocessing as mp


class Severity(enum.Enum):
    LOW = "low"
    HIGH = "high"

    def __init__(self, label):
        self.label = label
        self.limit = 100
        self.names = []

    def over(self, values):
        return sum(each > self.limit for each in values)

    def adopt(self, limit):
        self.limit = limit


def tune(limits):
    for name, limit in limits.items():
        {tunes}


{more}


def check(given, limit):
    {reads}


def main():
    tune({{"LOW": 1}})
    {starts}


if __name__ == "__main__":
    main()
"""
TUNES = "Severity[name].limit = limit"
STARTS = "mp.Process(target=check, args=(Severity.LOW, 1)).start()"


def found(tunes: str = TUNES, reads: str = "print(given.limit)", starts: str = STARTS, more: str = "") -> bool:
    text = LEVELS.format(tunes=tunes, reads=reads, starts=starts, more=more)
    told = [each for each in lint(text).diagnostics if each.code == "LP210"]
    assert all("`Severity." in each.message for each in told)
    return bool(told)


@pytest.mark.parametrize(
    "tunes",
    [
        "Severity[name].limit = limit",
        "Severity(name.lower()).limit = limit",
        "Severity.LOW.limit = limit",
        "Severity.LOW.adopt(limit)",
        "Severity[name].adopt(limit)",
        "for each in Severity:\n            each.limit = limit",
        "for each in list(Severity):\n            each.limit += limit",
    ],
)
def test_main_sets_them(tunes: str) -> None:
    assert found(tunes)


@pytest.mark.parametrize(
    ("reads", "starts"),
    [
        ("print(given.limit)", "for each in Severity:\n        mp.Process(target=check, args=(each, 1)).start()"),
        ("print(given.over([1]))", "mp.Process(target=check, args=(Severity['LOW'], 1)).start()"),
        ("print(Severity.HIGH.limit)", "mp.Process(target=check, args=(1, 1)).start()"),
        ("print(Severity[given].limit)", "mp.Process(target=check, args=('LOW', 1)).start()"),
        ("print(given.limit)", "print(mp.Pool(2).starmap(check, [(each, 1) for each in Severity]))"),
    ],
)
def test_workers_read_them(reads: str, starts: str) -> None:
    assert found(reads=reads, starts=f"mp.set_start_method('spawn')\n    {starts}")


def test_workers_read_what_is_put_into_them() -> None:
    assert found("Severity[name].names.append(limit)", "print(given.names)") is False  # gap: by a method
    assert found("Severity[name].names[:] = [limit]", "print(given.names)")


@pytest.mark.parametrize(
    ("tunes", "reads", "starts", "more"),
    [
        pytest.param(TUNES, "print(given.label)", STARTS, "", id="another attribute"),
        pytest.param(TUNES, "print(given, limit)", STARTS, "", id="only the member itself"),
        pytest.param(TUNES, "tune({'LOW': limit})\n    print(given.limit)", STARTS, "", id="workers set it"),
        pytest.param("print(Severity[name].limit)", "print(given.limit)", STARTS, "", id="nobody sets it"),
        pytest.param(TUNES, "print(given.limit)", STARTS, "tune({'LOW': 2})", id="at import"),
        pytest.param(TUNES, "print(given.limit)", "mp.Process(target=check, args=(mp, 1)).start()", "", id="not one"),
        # gap: what a member that is written out is, is taken for its value, which has no such method
        pytest.param(TUNES, "print(given.over([1]))", STARTS, "", id="a method of a member that is written out"),
        pytest.param("name.limit = limit", "print(given.limit)", STARTS, "", id="of something else"),
    ],
)
def test_workers_have_the_same(tunes: str, reads: str, starts: str, more: str) -> None:
    assert not found(tunes, reads, starts, more)
