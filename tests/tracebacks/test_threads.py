"""Tracebacks from public threads: what they tell of, and where they cross.

`threads/*.txt` hold what people pasted, cut to what is needed, with the address in the first line; names of people in
paths are replaced. `expected.tsv` says by hand: the kind of error ("-": the text does not say), what it names, the kind
of boundary and the last frame outside of libraries ("-": not shown).
"""

from __future__ import annotations

import csv
from typing import NamedTuple

import pytest

from lintpickle.tracebacks.recognition import normal_path

from .reading import THREADS, reading


class Thread(NamedTuple):
    name: str
    error: str
    subject: str
    boundary: str
    own: str


def _threads() -> list[Thread]:
    with (THREADS / "expected.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [Thread(*row) for row in rows]


ALL = _threads()


def test_there_are_enough_and_none_is_forgotten() -> None:
    assert len(ALL) >= 120
    assert {thread.name for thread in ALL} == {path.stem for path in THREADS.glob("*.txt")}


@pytest.mark.parametrize("thread", ALL, ids=lambda thread: thread.name)
def test_each_has_its_address(thread: Thread) -> None:
    text = (THREADS / f"{thread.name}.txt").read_text(encoding="utf-8")
    assert text.startswith("# https://")


@pytest.mark.parametrize("thread", ALL, ids=lambda thread: thread.name)
def test_error_and_boundary_are_recognised(thread: Thread) -> None:
    read = reading((THREADS / f"{thread.name}.txt").read_text(encoding="utf-8"))
    error, own = read.error, read.boundary.own
    assert (error.kind.kind if error is not None else "-") == thread.error
    if thread.subject != "-":
        assert error is not None
        assert (error.type or error.name or "").lower() == thread.subject.lower()
    assert (read.boundary.kind or "-") == thread.boundary
    shown = f"{normal_path(own.path)}:{own.row}" if own is not None and own.path else "-"
    assert f"/{shown}".endswith(f"/{normal_path(thread.own)}")
