"""A helper that sets an attribute for a time."""
from contextlib import contextmanager
from multiprocessing import Pool

import settings
import multiprocessing
import sys


@contextmanager
def patched(owner, name, value):
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def work(number):
    return number * settings.LEVEL


def main():
    with patched(settings, "LEVEL", 5):
        with Pool(1) as pool:
            print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
