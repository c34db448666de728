"""Methods that every process gives a class, and attributes that objects have as well."""

import sys
from multiprocessing import get_context


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
        self.scale = 2


def norm(self):
    return abs(self.x) + abs(self.y)


Point.norm = norm


def measure(point):
    return point.norm() * point.scale


if __name__ == "__main__":
    Point.scale = 3
    Point.unused = norm
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(measure, [Point(1, -2)]))
