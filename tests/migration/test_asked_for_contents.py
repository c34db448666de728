"""What `migrate` says of containers that main alone fills or reorders, and that workers ask for what is in them. Each
verdict was compared with what the program does under fork and spawn (CPython 3.11, numpy 2.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

ROUTES = """\
import bisect
import heapq
import multiprocessing
import random

import numpy

DEPOTS = ["north", "east", "south", "west"]
NUMBERS = numpy.arange(8)
CLOSED = []
EXTRA = {{}}
KNOWN = {{}}


def close(depot):
    heapq.heappush(CLOSED, depot)


def length(name):
    return len(name)


def work(start):
    {work}


def main():
    close("west")
    EXTRA.update({{"hub": 1}})
    KNOWN["north"] = length("north")
    {change}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "work",
    [
        pytest.param("return [each for each in DEPOTS if each not in CLOSED]", id="left out"),
        pytest.param("return 'closed' if 'west' in CLOSED else 'open'", id="one or the other"),
        pytest.param("if 'west' in CLOSED:\n        return None\n    return start", id="nothing done"),
        pytest.param(
            "row = [start]\n    if EXTRA:\n        row += list(EXTRA.items())\n    return row",
            id="added if there is any",
        ),
        pytest.param(
            "row = [start]\n    if len(EXTRA):\n        row.append(sum(EXTRA.values()))\n    return row",
            id="by the length",
        ),
    ],
)
def test_contents_decide(tmp_path: Path, work: str) -> None:
    assert worst(migrated(tmp_path, ROUTES.format(work=work, change="pass"))) is Verdict.CHANGES


@pytest.mark.parametrize(
    "work",
    [
        pytest.param("if 'north' in KNOWN:\n        return KNOWN['north']\n    return length('north')", id="looked up"),
        pytest.param(
            "found = None\n    if KNOWN:\n        found = KNOWN.get('north')\n"
            "    return found if found is not None else length('north')",
            id="got, or made",
        ),
        pytest.param("if KNOWN:\n        return max(KNOWN.values())\n    return length('north')", id="another way"),
    ],
)
def test_what_may_be_made_otherwise_is_not_known(tmp_path: Path, work: str) -> None:
    assert worst(migrated(tmp_path, ROUTES.format(work=work, change="pass"))) is Verdict.CANNOT_TELL


@pytest.mark.parametrize(
    ("change", "work"),
    [
        pytest.param("random.Random(5).shuffle(DEPOTS)", "return DEPOTS[start]", id="shuffled"),
        pytest.param("numpy.random.default_rng(3).shuffle(DEPOTS)", "return DEPOTS[start]", id="by numpy"),
        pytest.param(
            "rng = numpy.random.RandomState(5)\n    rng.shuffle(NUMBERS)", "return NUMBERS[start]", id="an array"
        ),
        pytest.param("bisect.insort(DEPOTS, 'abc')", "return DEPOTS[start]", id="put in order"),
    ],
)
def test_what_main_reorders_changes(tmp_path: Path, change: str, work: str) -> None:
    assert worst(migrated(tmp_path, ROUTES.format(work=work, change=change))) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("change", "work"),
    [
        pytest.param("own = DEPOTS[:]\n    random.Random(5).shuffle(own)", "return DEPOTS[start]", id="a copy"),
        pytest.param("print(random.Random(5).sample(DEPOTS, 2))", "return DEPOTS[start]", id="a sample"),
        pytest.param("print(numpy.random.default_rng(5).permutation(NUMBERS))", "return NUMBERS[start]", id="an array"),
        pytest.param("random.Random(5).shuffle(DEPOTS)", "return start", id="workers do not read it"),
    ],
)
def test_what_main_leaves_as_it_is(tmp_path: Path, change: str, work: str) -> None:
    assert worst(migrated(tmp_path, ROUTES.format(work=work, change=change))) is Verdict.READY
