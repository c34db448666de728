"""What `migrate` says of workers that read a file again which main has read before, and removed. Each verdict was
compared with what the program does under fork and spawn (CPython 3.11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PLAN = """\
import functools
import json
import multiprocessing
import os
import pathlib
import shutil
import tempfile

ROOT = os.path.join(tempfile.gettempdir(), "plan-demo")
OTHER = os.path.join(tempfile.gettempdir(), "plan-other")
FILE = pathlib.Path(ROOT) / "manifest.json"


@functools.lru_cache(maxsize=None)
def manifest():
    {reads}


def work(target):
    return manifest()[target]


def checkout():
    os.makedirs(ROOT, exist_ok=True)
    os.makedirs(OTHER, exist_ok=True)
    FILE.write_text('{{"app": 1}}')


def clean():
    {removes}


def main():
    checkout()
    {first}
    {then}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, ["app"]))
    {last}


if __name__ == "__main__":
    main()
"""
JOINED = 'with open(os.path.join(ROOT, "manifest.json")) as file:\n        return json.load(file)'
OF_PATH = "return json.loads(FILE.read_text())"
VARIABLE = 'path = os.path.join(ROOT, "manifest.json")\n    with open(path) as file:\n        return json.load(file)'
WAYS = [
    (JOINED, 'os.remove(os.path.join(ROOT, "manifest.json"))'),
    (JOINED, "shutil.rmtree(ROOT)"),
    (OF_PATH, "FILE.unlink()"),
    (VARIABLE, "shutil.rmtree(ROOT)"),
]


def program(reads: str, removes: str, first: str = "manifest()", then: str = "clean()", last: str = "pass") -> str:
    return PLAN.format(reads=reads, removes=removes, first=first, then=then, last=last)


@pytest.mark.parametrize(("reads", "removes"), WAYS)
def test_the_file_is_gone(tmp_path: Path, reads: str, removes: str) -> None:
    assert worst(migrated(tmp_path, program(reads, removes))) is Verdict.BREAKS


@pytest.mark.parametrize(("reads", "removes"), WAYS)
def test_removed_by_main_itself(tmp_path: Path, reads: str, removes: str) -> None:
    assert worst(migrated(tmp_path, program(reads, "pass", then=removes))) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("reads", "removes", "then", "last"),
    [
        pytest.param(JOINED, "shutil.rmtree(ROOT)", "pass", "clean()", id="afterwards"),
        pytest.param(JOINED, "shutil.rmtree(OTHER)", "clean()", "pass", id="another folder"),
        pytest.param(OF_PATH, 'os.remove(os.path.join(ROOT, "old.json"))', "print()", "pass", id="not called"),
    ],
)
def test_the_file_is_still_there(tmp_path: Path, reads: str, removes: str, then: str, last: str) -> None:
    verdict = worst(migrated(tmp_path, program(reads, removes, then=then, last=last)))
    assert verdict in (Verdict.READY, Verdict.CANNOT_TELL)  # Whether something else removes it is asked.
