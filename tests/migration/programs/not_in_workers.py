"""A setting that a script gets everywhere but in its workers; the worker reads it in the format of a value."""

import sys
from multiprocessing import get_context

DIGITS = 1

if __name__ != "__mp_main__":
    DIGITS = 3


def work(number):
    return f"{number:.{DIGITS}f}"


if __name__ == "__main__":
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1 / 3]))
