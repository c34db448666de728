"""Objects whose attributes main sets under the names of all that they have: configurations that are loaded from a file.
One program of the kind was run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import json
import multiprocessing as mp
import sys
from dataclasses import dataclass, fields


@dataclass
class Config:
    rate: int = 8
    gain: float = 1.0

    def load(self, values):
        {load}


CONFIG = Config()


def scale(number):
    {read}


def begin(values):
    CONFIG.load(values)


def main():
    values = json.loads(sys.stdin.readline() or '{{"rate": 4}}')
    {main}
    with mp.Pool(2{begin}) as pool:
        print(pool.map(scale, [1, 2]))


if __name__ == "__main__":
    main()
"""
FIELDS = (
    "for field in fields(self):\n            if field.name in values:\n                setattr(self, field.name, {0})"
)
NAMES = "for name in {0}:\n            if name in values:\n                setattr(self, name, values[name])"
LOADS = [
    FIELDS.format("values[field.name]"),
    FIELDS.format("type(getattr(self, field.name))(values[field.name])"),
    "for name in vars(self):\n            setattr(self, name, values.get(name, getattr(self, name)))",
    NAMES.format("self.__dataclass_fields__"),
    NAMES.format("list(self.__dict__)"),
]
READ = "return number * CONFIG.rate"
LOAD = "CONFIG.load(values)"
OUTSIDE = "for field in fields(CONFIG):\n        setattr(CONFIG, field.name, values.get(field.name, 2))"


def said(folder: Path, load: str, read: str = READ, main: str = LOAD, begin: str = "") -> Verdict:
    code = CODE.format(load=load, read=read, main=main, begin=begin)
    if not begin:
        code = code.replace("def begin(values):\n    CONFIG.load(values)\n\n\n", "")
    return worst(migrated(folder, code))


@pytest.mark.parametrize("load", LOADS)
def test_a_method_that_main_calls(tmp_path: Path, load: str) -> None:
    assert said(tmp_path, load) is Verdict.CHANGES


def test_main_sets_them_itself(tmp_path: Path) -> None:
    assert said(tmp_path, "pass", main=OUTSIDE) is Verdict.CHANGES


@pytest.mark.parametrize("load", LOADS)
def test_nobody_calls_it(tmp_path: Path, load: str) -> None:
    assert said(tmp_path, load, main="print(values)") is Verdict.READY


@pytest.mark.parametrize("load", LOADS)
def test_workers_begin_with_it(tmp_path: Path, load: str) -> None:
    assert said(tmp_path, load, begin=", initializer=begin, initargs=(values,)") is Verdict.READY


@pytest.mark.parametrize("load", LOADS)
def test_workers_that_read_none(tmp_path: Path, load: str) -> None:
    assert said(tmp_path, load, read="return number * 2") is Verdict.READY


def test_what_is_set_back_to_its_default(tmp_path: Path) -> None:
    load = "for field in fields(self):\n            setattr(self, field.name, field.default)"
    assert said(tmp_path, load) is Verdict.READY
