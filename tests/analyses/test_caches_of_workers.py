"""LP207: caches that workers fill, and of which the main process asks for all, or for one key."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_MAIN = """\
import json
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool
import store
from store import CACHE, locate, table


def show():
    print(len(CACHE))


def main(names):
    {before}
    with {pool}(2) as pool:
        got = pool.map(locate, names)
    {after}


if __name__ == "__main__":
    main(["a", "bb"])
"""
_ASKED = """\
CACHE = {}


def locate(name):
    if name not in CACHE:
        CACHE[name] = len(name)
    return CACHE[name]


table = None
"""
_TRIED = """\
CACHE = {}


def locate(name):
    try:
        return CACHE[name]
    except KeyError:
        CACHE[name] = value = len(name)
        return value


table = None
"""
_APART = """\
CACHE = {}


def get(name):
    return CACHE.get(name)


def put(name, value):
    CACHE[name] = value


def locate(name):
    value = get(name)
    if value is None:
        value = len(name)
        put(name, value)
    return value


table = None
"""
_DECORATED = """\
import functools

CACHE = {}


def kept(function):
    @functools.wraps(function)
    def inner(name):
        if name not in CACHE:
            CACHE[name] = function(name)
        return CACHE[name]

    return inner


@kept
def locate(name):
    return len(name)


table = None
"""
_WHOLE = "print(json.dumps(CACHE))"


def _codes(folder: Path, store: str, after: str, before: str = "pass", pool: str = "Pool") -> list[str]:
    (folder / "store.py").write_text(store)
    (folder / "main.py").write_text(_MAIN.format(before=before, after=after, pool=pool))
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [each.code for each in found]


@pytest.mark.parametrize("store", [_ASKED, _TRIED, _APART, _DECORATED])
@pytest.mark.parametrize(
    "after",
    [
        _WHOLE,
        "print(len(CACHE))",
        "print(sorted(CACHE.items()))",
        "for name in CACHE:\n        print(name)",
        "return got, CACHE",
        "print(json.dumps(store.CACHE))",
        "show()",
    ],
)
def test_a_cache_that_main_reads_all_of(tmp_path: Path, store: str, after: str) -> None:
    assert _codes(tmp_path, store, after) == ["LP207"]


@pytest.mark.parametrize(
    ("after", "before", "pool"),
    [
        pytest.param("print(sum(got))", "pass", "Pool", id="not read"),
        pytest.param("print('all of CACHE is here')", "pass", "Pool", id="in a text"),
        pytest.param("print('a' in CACHE, CACHE.get('a'))", "pass", "Pool", id="one key"),
        pytest.param("if 'a' in CACHE:\n        print(CACHE['a'])", "pass", "Pool", id="one key that is there"),
        pytest.param("if not CACHE:\n        print('none here')", "pass", "Pool", id="whether there is any"),
        pytest.param("CACHE.clear()", "pass", "Pool", id="emptied"),
        pytest.param("CACHE.update(zip(names, got))\n    " + _WHOLE, "pass", "Pool", id="filled by main"),
        pytest.param("print(locate('a'))\n    " + _WHOLE, "pass", "Pool", id="main calls it, too"),
        pytest.param("print(sum(got))", _WHOLE, "Pool", id="read before"),
        pytest.param(_WHOLE, "pass", "ThreadPool", id="threads"),
        pytest.param("print(json.dumps(names.CACHE))", "pass", "Pool", id="of another thing"),
    ],
)
def test_a_cache_that_only_saves_time(tmp_path: Path, after: str, before: str, pool: str) -> None:
    assert _codes(tmp_path, _ASKED, after, before, pool) == []


_OBJECT = """\
import functools
import json

CACHE = None


class Table:
    def __init__(self):
        self.store = {{}}

    def __call__(self, function):
        @functools.wraps(function)
        def inner(name):
            if name not in self.store:
                self.store[name] = function(name)
            return self.store[name]

        return inner

    def load(self, text):
        self.store.update(json.loads(text))

    def get(self, name):
        if name in self.store:
            return self.store[name]
        self.store[name] = len(name)
        return self.store[name]

    def flush(self, path):
        with open(path, "w") as file:
            json.dump(self.store, file)

    def known(self, name):
        return name in self.store


table = Table()


{locate}
"""
_BY_DECORATOR = "@table\ndef locate(name):\n    return len(name)"
_BY_METHOD = "def locate(name):\n    return table.get(name)"


@pytest.mark.parametrize("locate", [_BY_DECORATOR, _BY_METHOD])
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("pass", "table.flush('a.json')", ["LP207"], id="written out"),
        pytest.param("table.load('{}')", "table.flush('a.json')", ["LP207"], id="loaded before"),
        pytest.param("pass", "print(len(table.store))", ["LP207"], id="counted"),
        pytest.param("pass", "print(table.known('a'))", [], id="one key"),
        pytest.param("pass", "table.load('{}')\n    table.flush('a.json')", [], id="loaded afterwards"),
        pytest.param("table.flush('a.json')", "pass", [], id="written out before"),
    ],
)
def test_a_cache_that_an_object_has(tmp_path: Path, locate: str, before: str, after: str, expected: list[str]) -> None:
    assert _codes(tmp_path, _OBJECT.format(locate=locate), after, before) == expected
