"""One manager enters another."""
import multiprocessing
import sys
from contextlib import contextmanager
from multiprocessing import Pool

_mode = "eager"
_level = 0


@contextmanager
def mode(name):
    global _mode
    before, _mode = _mode, name
    try:
        yield
    finally:
        _mode = before


@contextmanager
def graph_mode():
    with mode("graph"):
        yield


def work(number):
    return f"{_mode} {number}"


def main():
    with graph_mode():
        with Pool(1) as pool:
            print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
