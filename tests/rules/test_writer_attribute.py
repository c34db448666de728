"""LP117: writer-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP117"


PLAYED = """\
import csv
from concurrent.futures import ProcessPoolExecutor


def play(movie, options, table):
    table.writerow({{"movie": movie}})


def main(movies, options, path):
    table = None
    if options.out:
        table = csv.DictWriter(open(path, "w"), fieldnames=["movie"])
    {more}
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(play, {given}))


if __name__ == "__main__":
    main([], None, "a.csv")
"""


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ("pass", "*zip(*[(movie, options, table) for movie in movies])"),
        ("tasks = [(movie, options, table) for movie in movies]", "*zip(*tasks)"),
        ("pass", "*zip(*((movie, options, table) for movie in movies))"),
    ],
)
def test_a_column_of_zipped_tuples(more: str, given: str) -> None:
    assert [code for _, code in marks(PLAYED.format(more=more, given=given))] == ["LP117"]


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ("pass", "*zip(*[(movie, options, path) for movie in movies])"),
        ("tasks = [(movie, options, table.fieldnames) for movie in movies]", "*zip(*tasks)"),
        ("tasks = [(movie, table) for movie in movies]", "*zip(*[(movie, 1, 2) for movie in movies])"),
    ],
)
def test_columns_that_can_be_sent(more: str, given: str) -> None:
    assert marks(PLAYED.format(more=more, given=given)) == []
