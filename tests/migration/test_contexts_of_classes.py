"""Classes of processes that derive from those of a context: whose context it is decides what moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated

_CLASSES = """\
import atexit
import multiprocessing
import os

import somelib

try:
    CONTEXT = multiprocessing.get_context("{method}")
except ValueError:
    CONTEXT = multiprocessing.get_context()


class Counted(CONTEXT.Process):
    def __init__(self, *args, **kwargs):
        super({owner}, self).__init__(*args, **kwargs)


class Command(Counted):
    def __init__(self, target=None, args=(), kwargs={{}}):
        super().__init__(target=target, name="command", args=args, kwargs=kwargs)
"""
_USE = """

def run(function, value):
    command = Command(target=function, args=(value,))
    command.start()
    command.join()
"""


@pytest.mark.parametrize("owner", ["Counted", "somelib.Counted"])
@pytest.mark.parametrize("use", ["", _USE])
def test_of_a_context_that_spawns_anyway_nothing_moves(owner: str, use: str, tmp_path: Path) -> None:
    text = _CLASSES.format(method="spawn", owner=owner) + use
    found = migrated(
        tmp_path,
        program=text.replace("except ValueError:\n    CONTEXT = multiprocessing.get_context()", "finally:\n    pass"),
    )
    assert found.boundaries
    assert {each.verdict for each in found.boundaries} == {Verdict.READY}
    assert {each.methods for each in found.boundaries} == {(StartMethod.SPAWN,)}
    assert all(not each.forked_at for each in found.boundaries)


@pytest.mark.parametrize("use", ["", _USE])
def test_of_a_context_that_forks_it_does(use: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, program=_CLASSES.format(method="fork", owner="Counted") + use)
    assert found.boundaries
    assert {each.verdict for each in found.boundaries} == {Verdict.CANNOT_TELL}
    assert {each.methods for each in found.boundaries} == {(StartMethod.FORKSERVER,)}
    assert {tuple(spot.row for spot in each.forked_at) for each in found.boundaries} == {(8,)}
    [pin] = found.pins
    assert pin.covers == tuple(sorted(each.spot for each in found.boundaries))
