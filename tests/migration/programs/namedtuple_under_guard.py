"""A class that a call makes under the main guard: a process gets an object of it."""

import multiprocessing
import sys
from collections import namedtuple


def total(point):
    return point.x + point.y


if __name__ == "__main__":
    Point = namedtuple("Point", "x y")
    process = multiprocessing.get_context(sys.argv[1]).Process(target=total, args=(Point(3, 4),))
    process.start()
    process.join()
    print(process.exitcode)
