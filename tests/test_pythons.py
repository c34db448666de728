"""Which Pythons a program runs on, by what its configuration says."""

from __future__ import annotations

import pytest

from lintpickle.pythons import NEWEST, Pythons, Version, exactly, read_pythons


@pytest.mark.parametrize(
    ("text", "oldest", "newest"),
    [
        ("3.12", (3, 12), None),
        ("py312", (3, 12), None),
        ("py39", (3, 9), None),
        (">=3.10", (3, 10), None),
        (">=3.9,<4", (3, 9), None),
        (">= 3.9 , < 4.0", (3, 9), None),
        (">=3.10,<3.13", (3, 10), (3, 12)),
        (">=3.10.4,<3.13.0", (3, 10), (3, 12)),
        (">=3.10,<3.12.5", (3, 10), (3, 12)),
        (">3.9,<=3.11", (3, 9), (3, 11)),
        (">=3.10,!=3.12.1,<3.14", (3, 10), (3, 13)),
        ("~=3.11", (3, 11), None),
        ("~=3.11.2", (3, 11), (3, 11)),
        ("==3.12.*", (3, 12), (3, 12)),
        ("===3.12.1", (3, 12), (3, 12)),
        ("<3.14", None, (3, 13)),
        (">=3", None, None),
        (">=3.13.0rc1", (3, 13), None),
    ],
)
def test_versions_and_ranges(text: str, oldest: Version | None, newest: Version | None) -> None:
    assert read_pythons(text) == Pythons(oldest, newest)


@pytest.mark.parametrize("text", ["", "2.7", "3", "^3.10", "3.10 or later", ">=3.12,<3.10", ">=3.10,"])
def test_what_is_no_range(text: str) -> None:
    assert read_pythons(text) is None


@pytest.mark.parametrize(
    ("pythons", "here", "expected"),
    [
        (Pythons((3, 12), (3, 13)), (3, 10), [12, 13]),
        (Pythons((3, 12), None), (3, 10), range(12, NEWEST[1] + 1)),
        (Pythons(None, (3, 12)), (3, 11), [11, 12]),
        (Pythons(None, (3, 10)), (3, 12), [10]),
        (Pythons(None, None), NEWEST, [NEWEST[1]]),
        (Pythons(None, None), (3, NEWEST[1] + 1), [NEWEST[1] + 1]),
        (Pythons((3, NEWEST[1] + 1), None), (3, 12), [NEWEST[1] + 1]),
    ],
)
def test_one_by_one(pythons: Pythons, here: Version, expected: list[int]) -> None:
    assert pythons.since(here) == tuple((3, minor) for minor in expected)


def test_one_version_alone() -> None:
    assert [exactly(each) for each in ("3.12", "py312", ">=3.10")] == ["==3.12", "==3.12", ">=3.10"]
