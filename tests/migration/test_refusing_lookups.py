"""Objects that raise an error when something is read that only the main process has loaded. One program of the
kind was run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp


class NotLoaded(RuntimeError):
    pass


class Options:
    def __init__(self):
        self._defaults = {{"skip": 1, "mark": "#"}}
        self._values = {first}

    def load(self, **values):
        self._values = dict(self._defaults, **values)

    {lookup}


OPTIONS = Options()
{at_import}


def read(text):
    {read}


def begin():
    OPTIONS.load(skip=2)


def main():
    OPTIONS.load(skip=2)
    with mp.Pool(2{begin}) as pool:
        print(pool.map(read, ["a#b#c", "d#e"]))


if __name__ == "__main__":
    main()
"""
BY_NAME = """def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if self._values is None:
            raise NotLoaded(f"{name} is read before the options are loaded")
        return self._values[name]"""
METHOD = """def get(self, name):
        assert self._values is not None, "load the options first"
        return self._values[name]"""
PROPERTY = """@property
    def skip(self):
        if not self._values:
            raise NotLoaded("load the options first")
        return self._values["skip"]"""
WAYS = [
    (BY_NAME, "return text[OPTIONS.skip:]"),
    (METHOD, 'return text[OPTIONS.get("skip"):]'),
    (PROPERTY, "skip = OPTIONS.skip\n    return text[skip:]"),
]


def said(folder: Path, lookup: str, read: str, first: str = "None", at_import: str = "", begin: str = "") -> Verdict:
    code = CODE.format(lookup=lookup, read=read, first=first, at_import=at_import, begin=begin)
    if not begin:
        code = code.replace("def begin():\n    OPTIONS.load(skip=2)\n\n\n", "")
    return worst(migrated(folder, code))


@pytest.mark.parametrize(("lookup", "read"), WAYS)
def test_what_is_not_loaded_is_refused(tmp_path: Path, lookup: str, read: str) -> None:
    assert said(tmp_path, lookup, read) is Verdict.BREAKS


@pytest.mark.parametrize(("lookup", "read"), WAYS)
def test_workers_that_load_it(tmp_path: Path, lookup: str, read: str) -> None:
    assert said(tmp_path, lookup, read, begin=", begin") is Verdict.READY


@pytest.mark.parametrize(("lookup", "read"), WAYS)
def test_loaded_at_import(tmp_path: Path, lookup: str, read: str) -> None:
    """Workers have the values of the import."""
    assert said(tmp_path, lookup, read, at_import="OPTIONS.load(skip=1)") is not Verdict.BREAKS


@pytest.mark.parametrize(("lookup", "read"), WAYS[:2])
def test_a_value_of_its_own_at_first(tmp_path: Path, lookup: str, read: str) -> None:
    first = '{"skip": 0}'
    assert said(tmp_path, lookup, read, first=first) is Verdict.CHANGES


def test_a_lookup_with_defaults(tmp_path: Path) -> None:
    lookup = BY_NAME.replace('raise NotLoaded(f"{name} is read before the options are loaded")', "return 0")
    assert said(tmp_path, lookup, WAYS[0][1]) is Verdict.CHANGES


@pytest.mark.parametrize("caught", ["NotLoaded", "RuntimeError", "Exception"])
def test_readers_that_are_ready_for_it(tmp_path: Path, caught: str) -> None:
    read = f"try:\n        return text[OPTIONS.skip:]\n    except {caught}:\n        return text"
    assert said(tmp_path, BY_NAME, read) is not Verdict.BREAKS


def test_readers_that_may_not_ask(tmp_path: Path) -> None:
    read = 'if text.startswith("#"):\n        return text[OPTIONS.skip:]\n    return text'
    assert said(tmp_path, BY_NAME, read) is not Verdict.BREAKS
