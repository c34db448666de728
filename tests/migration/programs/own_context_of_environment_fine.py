"""A variable of the environment for the time of the pool."""
import os
import multiprocessing
import sys
from contextlib import contextmanager
from multiprocessing import Pool


@contextmanager
def environment(name, value):
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def work(number):
    return number, os.environ.get("RUN_MODE", "plain")


def main():
    with environment("RUN_MODE", "fast"):
        with Pool(1) as pool:
            print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
