"""Arrays over shared memory that are pickled by value."""

from __future__ import annotations

from tests.support import marks

TEXT = """\
import multiprocessing
from multiprocessing.sharedctypes import RawArray

import numpy as np


def draw(frame, stopped):
    while not stopped.is_set():
        print(frame.sum())


def main():
    frame = np.ndarray((4, 4), dtype=np.uint8, buffer=RawArray("B", 16))
    stopped = multiprocessing.Event()
    multiprocessing.Process(target=draw, args=(frame, stopped)).start()
    frame[:] = 7


if __name__ == "__main__":
    main()
"""


def test_an_array_over_shared_memory_is_sent_by_value() -> None:
    assert marks(TEXT) == []  # gap: under spawn and forkserver, the worker has a copy, and never sees the 7
