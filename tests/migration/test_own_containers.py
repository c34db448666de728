"""Objects of classes that derive from `dict` and the like, filled by main, and names that stand for a method of such an
object or of a plain container. Measured with CPython 3.11 under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

ATLAS = """\
from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque


class Atlas(dict):
    pass


class Lenient(dict):
    def __missing__(self, key):
        return None


class Ordered(OrderedDict):
    pass


class User(UserDict):
    pass


class Tally(Counter):
    pass


class Listed(list):
    pass


class Table:
    def __init__(self):
        self.rows = {{}}

    def __setitem__(self, key, value):
        self.rows[key] = value

    def get(self, key):
        return self.rows.get(key)

    def describe(self):
        return "a table"


{start}
places = {make}
remember = places.{put}
recall = places.{get}
"""
MAIN = """\
from multiprocessing import Pool

import atlas


def locate(city):
    {first}
    return {read}


def load(rows):
    for row in rows:
        {fill}


def main():
    load(["Oslo", "Lund"])
    with Pool(2) as pool:
        print(pool.map(locate, ["Oslo", "Lund"]))


if __name__ == "__main__":
    main()
"""
GET, ITEM, HAS = "atlas.places.get(city)", "atlas.places[city]", "city in atlas.places"
RECALL, REMEMBER = "atlas.recall(city)", "atlas.remember(row, 1)"
STORE = "atlas.places[row] = 1"


def said(
    folder: Path,
    make: str,
    read: str,
    fill: str,
    put: str = "__setitem__",
    get: str = "get",
    first: str = "pass",
    start: str = "",
) -> Verdict:
    (folder / "atlas.py").write_text(ATLAS.format(make=make, put=put, get=get, start=start), encoding="utf-8")
    return worst(migrated(folder, MAIN.format(read=read, fill=fill, first=first)))


@pytest.mark.parametrize(
    ("make", "read", "fill"),
    [
        ("Atlas()", GET, STORE),
        ("Atlas()", GET, "atlas.places.update({row: 1})"),
        ("Atlas(Oslo=1)", GET, "atlas.places.setdefault(row, 2)"),
        ("Lenient()", ITEM, STORE),
        ("Ordered()", GET, STORE),
        ("User()", GET, STORE),
        ("Tally()", ITEM, "atlas.places[row] += 1"),
        ("Table()", GET, STORE),
        ("defaultdict(int)", GET, "atlas.places[row] += 1"),
        ("{}", GET, "atlas.places.__setitem__(row, 1)"),
    ],
)
def test_what_main_puts_in_is_missed(make: str, read: str, fill: str, tmp_path: Path) -> None:
    assert said(tmp_path, make, read, fill) is Verdict.CHANGES


def test_a_list_of_its_own(tmp_path: Path) -> None:
    assert said(tmp_path, "Listed()", HAS, "atlas.places.append(row)", "append", "count") is Verdict.CHANGES


def test_what_is_empty_has_no_such_key(tmp_path: Path) -> None:
    assert said(tmp_path, "Atlas()", ITEM, STORE) is Verdict.BREAKS


@pytest.mark.parametrize("make", ["{}", "Atlas()", "Lenient()", "OrderedDict()", "User()", "Table()"])
@pytest.mark.parametrize(
    ("read", "fill"),
    [(RECALL, REMEMBER), (RECALL, STORE), (GET, REMEMBER)],
)
def test_names_of_its_methods(make: str, read: str, fill: str, tmp_path: Path) -> None:
    assert said(tmp_path, make, read, fill) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("make", "read", "fill", "more"),
    [
        ("Atlas()", "city", STORE, {}),
        ("Atlas()", RECALL, "print(row)", {}),
        ("Atlas()", RECALL, "atlas.recall(row)", {"put": "get"}),
        ("{}", "atlas.others.get(city)", REMEMBER, {"start": "others = {'Oslo': 1}"}),
        ("Atlas()", GET, "atlas.others.__setitem__(row, 1)", {"start": "others = Atlas()"}),
        ("Table()", RECALL, "print(row)", {"get": "describe"}),
        ("Atlas()", GET, STORE, {"first": "load([city])"}),  # The worker fills it itself.
        ("Atlas()", GET, "shown = dict(atlas.places); shown[row] = 1", {}),
    ],
)
def test_what_workers_do_not_miss(make: str, read: str, fill: str, more: dict[str, str], tmp_path: Path) -> None:
    assert said(tmp_path, make, read, fill, **more) is Verdict.READY
