"""A context manager as a decorator."""
import multiprocessing
import sys
from contextlib import contextmanager
from multiprocessing import Pool

TRACE = False


@contextmanager
def tracing():
    global TRACE
    TRACE = True
    try:
        yield
    finally:
        TRACE = False


def work(number):
    return number, TRACE


@tracing()
def main():
    with Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
