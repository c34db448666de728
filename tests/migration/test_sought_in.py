"""Containers that main fills, and in which workers only look whether something is there. Measured with CPython 3.11
under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp

STOP = {stop}


def extend(words):
    {fill}


def tokens(text):
    for word in text.split():
        {read}


def count(text):
    return list(tokens(text))


def main():
    {main}
    with mp.Pool(2) as pool:
        print(pool.map(count, ["the lamp is bright", "a lamp and a desk"]))


if __name__ == "__main__":
    main()
"""
UPDATE = "STOP.update(words)"
EXTENDS = 'extend(["is", "and"])'
FILTER = "if word not in STOP:\n            yield word"
READS = [
    FILTER,
    "if word in STOP:\n            continue\n        yield word",
    "yield word.upper() if word in STOP else word",
    "yield from (each for each in [word] if each not in STOP)",
]


def said(folder: Path, read: str, stop: str = '{"the", "a"}', fill: str = UPDATE, main: str = EXTENDS) -> Verdict:
    return worst(migrated(folder, CODE.format(stop=stop, fill=fill, read=read, main=main)))


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    ("stop", "fill"),
    [
        ('{"the", "a"}', UPDATE),
        ("set()", UPDATE),
        ('["the", "a"]', "STOP.extend(words)"),
        ('{"the": 1, "a": 1}', "STOP.update(dict.fromkeys(words, 1))"),
    ],
)
def test_what_is_there_decides(tmp_path: Path, read: str, stop: str, fill: str) -> None:
    assert said(tmp_path, read, stop, fill) is Verdict.CHANGES


@pytest.mark.parametrize("read", READS)
def test_nobody_fills_it(tmp_path: Path, read: str) -> None:
    assert said(tmp_path, read, main="print(STOP)") is Verdict.READY


@pytest.mark.parametrize("read", READS)
def test_main_alone_looks(tmp_path: Path, read: str) -> None:
    code = CODE.format(stop='{"the", "a"}', fill=UPDATE, read=read, main=f"{EXTENDS}\n    print(count('is'))")
    code = code.replace("pool.map(count,", "pool.map(str.split,")
    assert worst(migrated(tmp_path, code)) is Verdict.READY


def test_workers_fill_it_themselves(tmp_path: Path) -> None:
    read = "extend(['is', 'and'])\n        if word not in STOP:\n            yield word"
    assert said(tmp_path, read) is Verdict.READY


def test_a_cache_in_which_workers_look_and_take(tmp_path: Path) -> None:
    """What is not there is made anew."""
    read = "yield STOP[word] if word in STOP else len(word)"
    cached = "STOP.update({word: len(word) for word in words})"
    assert said(tmp_path, read, "{}", cached) is not Verdict.CHANGES
