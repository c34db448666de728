"""Start methods that a program sets: what would happen under another one is not told."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.support import marks

_DRAWS = """\
import multiprocessing
from multiprocessing import Pool, get_start_method, set_start_method

import numpy as np

{sets}


def draw(row):
    return row + np.random.uniform()


def main():
    with Pool(4) as pool:
        print(pool.map(draw, range(100)))
        print(np.random.uniform())


if __name__ == "__main__":
    main()
"""


def _is_forked(sets: str) -> bool:
    return any(code == "LP309" for _, code in marks(_DRAWS.format(sets=sets)))


@pytest.mark.parametrize(
    "sets",
    [
        "set_start_method('spawn')",
        "if get_start_method() != 'spawn':\n    set_start_method('spawn', force=True)",
        "if get_start_method(allow_none=True) is None:\n    set_start_method('forkserver')",
        "if multiprocessing.get_start_method() == 'fork':\n    multiprocessing.set_start_method('spawn', force=True)",
        "if (\n get_start_method() != 'spawn'\n and os.environ.get('DOC') != '1'\n):\n    set_start_method('spawn')",
    ],
)
def test_that_which_is_set_whatever_was_before(sets: str) -> None:
    assert not _is_forked(sets)
    tried = f"try:\n{indent(sets, '    ')}\nexcept RuntimeError:\n    print('set before')"
    assert not _is_forked(tried)


@pytest.mark.parametrize(
    "sets",
    [
        "",
        "if input():\n    set_start_method('spawn')",
        "if get_start_method() != 'spawn' and input():\n    set_start_method('spawn', force=True)",
        "if get_start_method() != 'fork':\n    set_start_method('fork', force=True)",
        "if get_start_method() != 'spawn':\n    print('forked')\nif input():\n    set_start_method('spawn')",
    ],
)
def test_that_which_may_not_be_set(sets: str) -> None:
    assert _is_forked(sets)
