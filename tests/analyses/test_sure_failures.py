"""What a worker meets for sure where a global of another module is still None. Measured with CPython 3.11: a forked
worker has what main set, a spawned one ends in the error."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Boundary
from lintpickle.settings import SettingsResolver

REGISTRY = """\
VALUES = None


def fill(values):
    global VALUES
    VALUES = values


def own():
    return {own}
"""
PROGRAM = """\
import multiprocessing

import registry


def work(number):
    return {reads}


def main():
    {sets}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
STORED, FILLED = "registry.VALUES = [1, 2, 3]", "registry.fill([1, 2, 3])"
NO_LENGTH = "TypeError: object of type 'NoneType' has no len()"
NOT_ITERABLE = "TypeError: 'NoneType' object is not iterable"
NO_CONTAINER = "TypeError: argument of type 'NoneType' is not iterable"


def judged(folder: Path, reads: str, sets: str = STORED, own: str = "0", is_made: bool = False) -> Boundary:
    if not is_made:
        (folder / "registry.py").write_text(REGISTRY.format(own=own), encoding="utf-8")
    (folder / "main.py").write_text(PROGRAM.format(reads=reads, sets=sets), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    [boundary] = [each for each in found if not each.is_making]
    return boundary


def errors(boundary: Boundary) -> list[str | None]:
    return [finding.diagnostic.error for finding in boundary.findings]


@pytest.mark.parametrize("sets", [STORED, FILLED])
@pytest.mark.parametrize(
    ("used", "error"),
    [
        ("len({})", NO_LENGTH),
        ("number % len({})", NO_LENGTH),
        ("number if len({}) > 2 else 0", NO_LENGTH),
        ("sum({})", NOT_ITERABLE),
        ("max({})", NOT_ITERABLE),
        ("sorted({})[0]", NOT_ITERABLE),
        ("list(zip([1], {}))", NOT_ITERABLE),
        ("list(map(str, {}))", NOT_ITERABLE),
        ("sum(each for each in {})", NOT_ITERABLE),
        ("dict((each, 1) for each in {})", NOT_ITERABLE),
        ("number in {}", NO_CONTAINER),
        ("1 if number in {} else 0", NO_CONTAINER),
    ],
)
def test_what_needs_more_than_none_breaks(used: str, error: str, sets: str, tmp_path: Path) -> None:
    assert errors(judged(tmp_path, used.format("registry.VALUES"), sets)) == [error]


@pytest.mark.parametrize(("used", "error"), [("len(VALUES)", NO_LENGTH), ("1 in VALUES", NO_CONTAINER)])
@pytest.mark.parametrize("sets", [STORED, FILLED])
def test_in_the_module_of_the_global_too(used: str, error: str, sets: str, tmp_path: Path) -> None:
    assert set(errors(judged(tmp_path, "registry.own()", sets, used))) == {error}


@pytest.mark.parametrize(
    "used",
    [
        "len({0}) if {0} is not None else 0",
        "{0} and len({0})",
        "0 if not {0} else len({0})",
        "1 if {0} and number in {0} else 0",
    ],
)
@pytest.mark.parametrize("sets", [STORED, FILLED])
def test_where_it_is_asked_first_nothing_fails(used: str, sets: str, tmp_path: Path) -> None:
    assert errors(judged(tmp_path, used.format("registry.VALUES"), sets)) in ([], [None])


@pytest.mark.parametrize("used", ["print({})", "repr({})", "len([{}])", "max({}, default=1, key=id) if number else 0"])
def test_what_takes_none_does_not_fail_for_sure(used: str, tmp_path: Path) -> None:
    assert errors(judged(tmp_path, used.format("registry.VALUES"))) == [None]


@pytest.mark.parametrize("used", ["len({})", "number in {}", "sum({})", "sorted({})"])
def test_an_empty_list_has_no_items(used: str, tmp_path: Path) -> None:
    (tmp_path / "registry.py").write_text("VALUES = []\n", encoding="utf-8")
    boundary = judged(tmp_path, used.format("registry.VALUES"), "registry.VALUES.append(1)", is_made=True)
    assert [each for each in errors(boundary) if each is not None] == []
