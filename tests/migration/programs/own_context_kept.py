"""The manager is kept in a variable."""
import multiprocessing
import sys
from contextlib import contextmanager
from multiprocessing import Pool

_mode = "eager"


@contextmanager
def mode(name):
    global _mode
    before = _mode
    _mode = name
    try:
        yield
    finally:
        _mode = before


def work(number):
    return f"{_mode} {number}"


def main():
    graph = mode("graph")
    with graph:
        with Pool(1) as pool:
            print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
