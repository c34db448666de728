"""Which constructor is run of a class that derives from a library's and from classes that are read."""

from __future__ import annotations

import pytest

from tests.support import marks

LOADER = """\
from typing import Any, Iterator, Protocol, TypeVar

from torch.utils.data.dataloader import DataLoader as Loader

T = TypeVar("T", covariant=True)


class Info:
    @property
    def info(self):
        return {{}}


class DataLoader(Protocol[T]):
    def __init__(self, settings, rows, **more: Any) -> None: ...
    def __iter__(self) -> Iterator[T]: ...


class RowLoader({bases}):
    def __init__(self, settings, rows, **more):
        super().__init__(
            dataset=rows,
            collate_fn=lambda batch: batch[0],
            num_workers=settings.workers,
            **more,
        )
"""


@pytest.mark.parametrize(
    ("bases", "found"),
    [
        ("Loader[T], Info, DataLoader[T]", [(23, "LP201")]),
        ("Loader, DataLoader", [(23, "LP201")]),
        ("Info, Loader", [(23, "LP201")]),
        ("DataLoader[T], Loader[T]", []),  # The constructor of the protocol is that which is run.
    ],
)
def test_a_loader_that_keeps_to_a_protocol(bases: str, found: list[tuple[int, str]]) -> None:
    assert marks(LOADER.format(bases=bases)) == found


WORKER = """\
import multiprocessing as mp
import threading

from torch.utils.data import DataLoader, Dataset


class Guarded:
    def __init__(self, *args):
        self.lock = threading.Lock()


class Worker({bases}):
    {constructor}

    def run(self):
        print(1)

    def __getitem__(self, index):
        return index


if __name__ == "__main__":
    mp.set_start_method("spawn")
    {use}
"""
_PROCESS, _DATASET = "Worker().start()", "list(DataLoader(Worker(), num_workers=2))"
_OWN = "def __init__(self):\n        {}"


@pytest.mark.parametrize(
    ("bases", "constructor", "use", "fires"),
    [
        ("Guarded, mp.Process", "pass", _PROCESS, True),
        ("mp.Process, Guarded", _OWN.format("mp.Process.__init__(self); Guarded.__init__(self)"), _PROCESS, True),
        ("Dataset, Guarded", "pass", _DATASET, True),  # A dataset has none of its own.
        ("Dataset, Guarded", _OWN.format("super().__init__()"), _DATASET, True),
        ("mp.Process, Guarded", "pass", _PROCESS, False),
        ("mp.Process, Guarded", _OWN.format("super().__init__()"), _PROCESS, False),
    ],
)
def test_the_constructor_of_a_class_behind_that_of_a_library(
    bases: str, constructor: str, use: str, fires: bool
) -> None:
    text = WORKER.format(bases=bases, constructor=constructor, use=use)
    assert ("LP111" in [code for _, code in marks(text)]) is fires
