"""Newer syntax costs a file nothing, whatever Python runs this: what stands in it and below it is found on its row."""

from __future__ import annotations

import pytest

from tests.support import marks

from .newer_texts import TEXTS

HAZARD = "mp.Process(target=lambda: 1).start()"
BELOW = f"""\
import multiprocessing as mp


def start():
    {HAZARD}


if __name__ == "__main__":
    start()
"""
WITHIN = f"""\
import multiprocessing as mp


def start():
{{text}}    {HAZARD}


if __name__ == "__main__":
    start()
"""


def _row(source: str) -> int:
    return source[: source.index(HAZARD)].count("\n") + 1


def _marks_on_rows(source: str) -> list[tuple[int, str]]:
    return [mark for mark in marks(source) if mark[1] in ("LP201", "LP900")]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_stands_below_it(text: str) -> None:
    source = text + _like(text, BELOW)
    assert _marks_on_rows(source) == [(_row(source), "LP201")]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_stands_in_the_same_function(text: str) -> None:
    source = _like(text, WITHIN).replace("{text}", _indented(text))
    assert _marks_on_rows(source) == [(_row(source), "LP201")]


def _like(text: str, code: str) -> str:
    """Code with the line ends of a text."""
    return code.replace("\n", "\r\n") if "\r\n" in text else code


def _indented(text: str) -> str:
    return "".join(f"    {row}" if row.strip() else row for row in text.splitlines(keepends=True))
