"""What a variable may hold behind a `try`: also what it held before, if an error may have come first."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import pickle


def save(rows, path):
    cut = False
    {attempt}
    keep = lambda row: row
    if cut:
        print(rows)
    else:
        pickle.dump(keep, open(path, "wb"))


save({{}}, "a")
"""


def _is_dumped(attempt: str) -> bool:
    return bool(marks(PROGRAM.format(attempt=attempt.replace("\n", "\n    "))))


@pytest.mark.parametrize(
    "attempt",
    [
        "try:\n    starts = rows['start']\n    cut = True\nexcept KeyError:\n    pass",
        "try:\n    starts = rows['start']\n    cut = True\nexcept KeyError:\n    pass\nfinally:\n    print(path)",
        "try:\n    try:\n        starts = rows['start']\n    finally:\n        print(path)\n    cut = True\n"
        "except KeyError:\n    pass",
        "try:\n    starts = rows['start']\n    cut = True\nexcept KeyError:\n    cut = False",
        "try:\n    starts = rows['start']\n    cut = True\nexcept KeyError:\n    return\nexcept ValueError:\n    pass",
    ],
)
def test_an_error_may_come_before(attempt: str) -> None:
    assert _is_dumped(attempt)


@pytest.mark.parametrize(
    "attempt",
    [
        "try:\n    starts = rows['start']\n    cut = True\nexcept KeyError:\n    return",
        "try:\n    starts = rows['start']\n    cut = True\nexcept KeyError:\n    raise ValueError(path)",
        "try:\n    starts = rows['start']\n    cut = True\nfinally:\n    print(path)",
        "try:\n    starts = rows['start']\n    cut = True\nexcept KeyError:\n    cut = True",
        "try:\n    cut = True\n    starts = rows['start']\nexcept KeyError:\n    pass",
        "cut = True\ntry:\n    starts = rows['start']\nexcept KeyError:\n    pass",
    ],
)
def test_it_is_bound_all_the_same(attempt: str) -> None:
    assert not _is_dumped(attempt)
