"""A context sets it for the only pool."""

import multiprocessing
import os
import sys
from contextlib import contextmanager


def line(number):
    return os.environ.get("REGION", "?"), number


@contextmanager
def environment(region):
    saved = dict(os.environ)
    os.environ["REGION"] = region
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)


def report(region):
    with environment(region), multiprocessing.Pool(1) as pool:
        return pool.map(line, [1])


def main():
    print(report("eu"))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
