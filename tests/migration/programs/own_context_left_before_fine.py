"""A global that is set for a time, before the pool starts."""
import multiprocessing
import sys
from contextlib import contextmanager
from multiprocessing import Pool

verbosity = 0


@contextmanager
def verbose(level):
    global verbosity
    before = verbosity
    verbosity = level
    try:
        yield
    finally:
        verbosity = before


def work(number):
    return f"{number}!" if verbosity > 1 else f"{number}"


def main():
    with verbose(2):
        print(work(0))
    with Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
