"""Functions that a method of a library's object calls run in the worker that calls the method. `list.sort` was
measured with CPython 3.11 under spawn; of pandas, its documentation says so."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import multiprocessing

import pandas as pd

WEIGHTS = None


def weight(row):
    return WEIGHTS[row]


class Rows:
    def sort(self, key):
        return self


def work(rows):
    {body}
    return rows


def configure():
    global WEIGHTS
    WEIGHTS = {{1: 2, 2: 1}}


def main():
    configure()
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, [[1, 2], [2, 1]]))


if __name__ == "__main__":
    main()
"""


def _codes(body: str) -> list[str]:
    return [code for _, code in marks(PROGRAM.format(body=body))]


@pytest.mark.parametrize(
    "body",
    [
        "rows.sort(key=weight)",
        "names = list(rows)\n    names.sort(key=weight, reverse=True)",
        "rows.sort(key=lambda row: weight(row))",
        "pd.DataFrame(rows).apply(weight)",
        "pd.read_csv(rows).groupby('a').apply(func=weight)",
    ],
)
def test_a_function_that_a_method_calls(body: str) -> None:
    assert _codes(body) == ["LP208"]


@pytest.mark.parametrize(
    "body",
    [
        "rows.sort(key=len)",
        "rows.sort(key=None)",
        "rows.keep(key=weight)",  # it may only be stored
        "Rows().sort(key=weight)",  # a method of the program, which does not call it
        "pd.DataFrame(rows).rename(weight)",
    ],
)
def test_a_function_that_is_not_called(body: str) -> None:
    assert _codes(body) == []


def test_an_item_of_a_frame() -> None:
    assert _codes("pd.Series(rows).sort_values(key=weight)") == []  # gap: other arguments than those of `apply`
    assert _codes("pd.DataFrame(rows)['a'].apply(weight)") == []  # gap: what an item of a frame is, is not known
