"""What a library runs in workers for its callers is not known: it may read what only a forked worker has."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated

_LIBRARY = """\
import multiprocessing
import os

import dill

CONTEXT = multiprocessing.get_context({method})


def run(task):
    function, number = task
    return dill.loads(function)(number)


def double(number):
    return 2 * number


def apply(function, numbers: list[int]):
    packed = {packed}
    with CONTEXT.Pool(2) as pool:
        return pool.map(run, [(packed, number) for number in range(8)])
"""


@pytest.mark.parametrize("pickler", ["dill", "cloudpickle"])
def test_a_function_of_callers_that_crosses_as_bytes(pickler: str, tmp_path: Path) -> None:
    text = _LIBRARY.format(method='"fork"', packed="dill.dumps(function)").replace("dill", pickler)
    found = migrated(tmp_path, library=text)
    [boundary] = [each for each in found.boundaries if each.starts]
    assert boundary.verdict is Verdict.CANNOT_TELL
    assert "`function` is a parameter of `apply()`" in boundary.gaps[0].message
    assert [found.left(pin) for pin in found.pins] == [(boundary,)]


@pytest.mark.parametrize("packed", ["dill.dumps(double)", "dill.dumps([1, 2])", "dill.dumps(str(function))"])
def test_what_is_known_to_cross_as_bytes_is_ready(packed: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, library=_LIBRARY.format(method='"fork"', packed=packed))
    assert found.is_ready


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ('"spawn" if os.name == "nt" else "fork"', StartMethod.FORKSERVER),
        ('"fork"', StartMethod.FORKSERVER),
        ('"spawn"', StartMethod.SPAWN),
    ],
)
def test_a_context_that_forks_on_one_way_moves(method: str, expected: StartMethod, tmp_path: Path) -> None:
    found = migrated(tmp_path, library=_LIBRARY.format(method=method, packed="dill.dumps(double)"))
    assert [each.methods for each in found.boundaries if each.what == "CONTEXT.Pool(2)"] == [(expected,)]
