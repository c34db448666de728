"""Imports by which threads stand in for processes: `if DEBUG: from threading import Thread as Process`."""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.parsing.import_alternatives import ImportWay

_OF_PROCESSES = frozenset({"multiprocessing", "torch.multiprocessing", "multiprocess", "billiard"})
_OF_THREADS = frozenset({"threading", "multiprocessing.dummy", "queue"})


def without_stand_ins(ways: Sequence[ImportWay]) -> list[ImportWay]:
    """The ways in which a module may import a name, without those of threads under some condition, if under another one
    the name is of processes: where threads are taken, the module starts no process, and nothing crosses."""
    if not any(_top(way) in _OF_PROCESSES for way in ways):
        return list(ways)
    return [way for way in ways if way.always or _top(way) not in _OF_THREADS]


def _top(way: ImportWay) -> str:
    """The module that a name comes from, or that it stands for."""
    return way.imported.module
