"""A class that a call makes at module level: workers have it, too."""

import multiprocessing
import sys
from collections import namedtuple

Point = namedtuple("Point", "x y")


def total(point):
    return point.x + point.y


if __name__ == "__main__":
    process = multiprocessing.get_context(sys.argv[1]).Process(target=total, args=(Point(3, 4),))
    process.start()
    process.join()
    print(process.exitcode)
